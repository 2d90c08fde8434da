/** The only way from a path of the library to bytes: inside its folder, links followed and checked, files alone. */
import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'

export interface OpenFile {
  file: FileHandle
  stats: Stats
}

/** Names that mean another place, or that another system would read as one. */
export function isPlainPath(path: string): boolean {
  return (
    path.length < 4_096 &&
    path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && !/[\0\\]/.test(part))
  )
}

/** The real path of `root/path`; null when it is not there or leads out of `root` (itself a real path). */
export async function insideOf(root: string, path: string): Promise<string | null> {
  if (!isPlainPath(path)) return null
  try {
    const real = await realpath(join(root, path))
    return real.startsWith(root.endsWith(sep) ? root : root + sep) ? real : null
  } catch {
    return null
  }
}

/** Null for what is not a file inside `root`. The caller closes it. A pipe in the folder does not hold us up. */
export async function openInside(root: string, path: string): Promise<OpenFile | null> {
  const real = await insideOf(root, path)
  if (real === null) return null
  try {
    const file = await open(
      real,
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    )
    const stats = await file.stat()
    if (stats.isFile()) return { file, stats }
    await file.close()
  } catch {
    // gone, or not ours to read: the same as absent
  }
  return null
}
