import type { FileHandle } from 'node:fs/promises'
import type { ReadAt } from './video-header.ts'

/** Returns a reader that reads at least `minReadBytes` at once, so that one read is enough for many small elements. */
export function createReadAhead(file: FileHandle, minReadBytes: number): ReadAt {
  let window = { position: 0, bytes: Buffer.alloc(0) }
  return async (position, length) => {
    const offset = position - window.position
    if (offset >= 0 && offset + length <= window.bytes.length)
      return window.bytes.subarray(offset, offset + length)
    const buffer = Buffer.alloc(Math.max(length, minReadBytes))
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position)
    window = { position, bytes: buffer.subarray(0, bytesRead) }
    return window.bytes.subarray(0, length)
  }
}
