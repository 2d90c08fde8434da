/** What a video file says of itself in its first bytes; nothing is decoded. */
import { open } from 'node:fs/promises'
import type { Chapter } from './chapters.ts'
import { extensionOf } from './media-types.ts'
import { probeMatroska } from './probe-matroska.ts'
import { probeMp4 } from './probe-mp4.ts'

export interface Picture {
  /** Pixels. */
  width: number
  height: number
  seconds: number | null
  chapters: Chapter[]
}
/** Fewer bytes at the end of the file, never more. */
export type ReadAt = (position: number, length: number) => Promise<Buffer>

/** Read ahead, so that headers of small boxes cost one read. */
const WINDOW = 16 * 1024

/** Null for a file that says nothing, is broken, or of a kind that has no such header. Throws when it cannot be opened. */
export async function probe(path: string): Promise<Picture | null> {
  const kind = extensionOf(path)
  const reader = ['mp4', 'm4v', 'mov'].includes(kind)
    ? probeMp4
    : ['mkv', 'webm'].includes(kind)
      ? probeMatroska
      : null
  if (!reader) return null
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    let window = { at: 0, bytes: Buffer.alloc(0) }
    const readAt: ReadAt = async (position, length) => {
      const offset = position - window.at
      if (offset < 0 || offset + length > window.bytes.length) {
        const buffer = Buffer.alloc(Math.max(length, WINDOW))
        const { bytesRead } = await file.read(buffer, 0, buffer.length, position)
        window = { at: position, bytes: buffer.subarray(0, bytesRead) }
        return window.bytes.subarray(0, length)
      }
      return window.bytes.subarray(offset, offset + length)
    }
    return await reader(readAt, size)
  } finally {
    await file.close()
  }
}
