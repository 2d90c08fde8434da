import type { FileHandle } from 'node:fs/promises'
import type { ReadAt } from './video-header.ts'

/**
 * Returns a reader that fetches at least `minReadBytes` per access to the file, so that one access is enough for many
 * small elements.
 */
export function createReadAhead(file: FileHandle, minReadBytes: number): ReadAt {
  let readWindow = { position: 0, bytes: Buffer.alloc(0) }
  return async (startOffset, lengthBytes) => {
    const windowOffset = startOffset - readWindow.position
    if (windowOffset >= 0 && windowOffset + lengthBytes <= readWindow.bytes.length)
      return readWindow.bytes.subarray(windowOffset, windowOffset + lengthBytes)
    const buffer = Buffer.alloc(Math.max(lengthBytes, minReadBytes))
    const { bytesRead } = await file.read(buffer, 0, buffer.length, startOffset)
    readWindow = { position: startOffset, bytes: buffer.subarray(0, bytesRead) }
    return readWindow.bytes.subarray(0, lengthBytes)
  }
}
