/** Reads the header of a video file without decoding any media. */

import { getFileExtension } from './media-types.ts'
import { probeMatroska } from './probe-matroska.ts'
import { probeMp4 } from './probe-mp4.ts'
import { createReadAhead } from './read-ahead.ts'
import { openWithoutBlocking } from './safe-open.ts'
import type { VideoHeader } from './video-header.ts'

/** Minimum number of bytes per read, so that one read is enough for many small boxes. */
const READ_AHEAD_BYTES = 16 * 1024

/**
 * Returns the information in the header of a video file; null if the header is broken, or if this server cannot read
 * headers of this file type. Throws when the file cannot be opened or read.
 */
export async function probeVideo(path: string): Promise<VideoHeader | null> {
  const extension = getFileExtension(path)
  const probeFormat = ['mp4', 'm4v', 'f4v', 'mov', 'qt'].includes(extension)
    ? probeMp4
    : ['mkv', 'mk3d', 'webm'].includes(extension)
      ? probeMatroska
      : null
  if (!probeFormat) return null
  const file = await openWithoutBlocking(path)
  try {
    const { size: sizeBytes } = await file.stat()
    const readAt = createReadAhead(file, READ_AHEAD_BYTES)
    return await probeFormat(readAt, sizeBytes)
  } finally {
    await file.close()
  }
}
