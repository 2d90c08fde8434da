/** Opens files of the library safely: only regular files inside its folder, after resolving symbolic links. */
import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'

export interface OpenedFile {
  file: FileHandle
  stats: Stats
}

/** False for paths with empty, `.` or `..` segments, backslashes or null characters, and for very long paths. */
export function isPlainPath(path: string): boolean {
  return (
    path.length < 4_096 &&
    path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && !/[\0\\]/.test(part))
  )
}

/**
 * Returns the real path of `root/path`; null when it does not exist or is outside `root`, which must be a real path
 * itself.
 */
export async function resolvePathInside(root: string, path: string): Promise<string | null> {
  if (!isPlainPath(path)) return null
  try {
    const realTargetPath = await realpath(join(root, path))
    return realTargetPath.startsWith(root.endsWith(sep) ? root : root + sep) ? realTargetPath : null
  } catch {
    return null
  }
}

const NON_BLOCKING_READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/**
 * Opens a file of the library that was a regular file when it was listed. If a named pipe has taken its path meanwhile,
 * opening the pipe does not wait for a writer. Such a wait would block a thread of the process for ever.
 */
export const openWithoutBlocking = (path: string): Promise<FileHandle> => open(path, NON_BLOCKING_READ_FLAGS)

/**
 * Opens a regular file inside `root`; null for anything else. The caller closes it. The file is opened in
 * non-blocking mode, because opening a named pipe would otherwise wait for a writer.
 */
export async function openFileInside(root: string, path: string): Promise<OpenedFile | null> {
  const realFilePath = await resolvePathInside(root, path)
  if (realFilePath === null) return null
  try {
    const file = await open(realFilePath, NON_BLOCKING_READ_FLAGS | (constants.O_NOFOLLOW ?? 0))
    const stats = await file.stat()
    if (stats.isFile()) return { file, stats }
    await file.close()
  } catch {
    // A file that was deleted or is not readable counts as absent.
  }
  return null
}
