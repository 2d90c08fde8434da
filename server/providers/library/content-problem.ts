/** Finds files whose content cannot be played. The name of a file has no influence. */
import { openWithoutBlocking } from './safe-open.ts'

/**
 * `empty`: the file has no content, or only space that a download has reserved. `unreadable`: the server has no
 * permission to read the file, or the disk fails.
 */
export type ContentProblem = 'empty' | 'unreadable'

/** Number of bytes at the start of a file that are examined. No video format begins with so many zero bytes. */
const EXAMINED_BYTES = 64

/**
 * Returns why the content of a file cannot be played; null for a file that has content, and for one that no longer
 * exists.
 */
export async function findContentProblem(realPath: string): Promise<ContentProblem | null> {
  try {
    const file = await openWithoutBlocking(realPath)
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(EXAMINED_BYTES), 0, EXAMINED_BYTES, 0)
      return buffer.subarray(0, bytesRead).every((byte) => byte === 0) ? 'empty' : null
    } finally {
      await file.close()
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : 'unreadable'
  }
}
