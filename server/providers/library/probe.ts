/** Reads the header of a video file without decoding any media. */
import { open } from 'node:fs/promises'
import { getFileExtension } from './media-types.ts'
import { probeMatroska } from './probe-matroska.ts'
import { probeMp4 } from './probe-mp4.ts'
import type { ReadAt, VideoHeader } from './video-header.ts'

/** Minimum size of a read, so that one read is enough for many small boxes. */
const READ_AHEAD_BYTES = 16 * 1024

/** Returns null when the file type has no readable header or the header is broken. Throws when the file cannot be opened. */
export async function probeVideo(path: string): Promise<VideoHeader | null> {
  const extension = getFileExtension(path)
  const probeFormat = ['mp4', 'm4v', 'mov'].includes(extension)
    ? probeMp4
    : ['mkv', 'webm'].includes(extension)
      ? probeMatroska
      : null
  if (!probeFormat) return null
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    let window = { position: 0, bytes: Buffer.alloc(0) }
    const readAt: ReadAt = async (position, length) => {
      const offset = position - window.position
      if (offset < 0 || offset + length > window.bytes.length) {
        const buffer = Buffer.alloc(Math.max(length, READ_AHEAD_BYTES))
        const { bytesRead } = await file.read(buffer, 0, buffer.length, position)
        window = { position, bytes: buffer.subarray(0, bytesRead) }
        return window.bytes.subarray(0, length)
      }
      return window.bytes.subarray(offset, offset + length)
    }
    return await probeFormat(readAt, size)
  } finally {
    await file.close()
  }
}
