/**
 * Owners and modes of files that the server or a command creates. An operator may run commands as root, but the server
 * runs as another user and must be able to open the files.
 */
import { chownSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

const PRIVATE_UMASK = 0o077

/**
 * Makes new files and folders of this process and of its child processes, such as ffmpeg, accessible only to their
 * owner, regardless of the umask of the operator. These files contain parts of videos and viewing histories. Call this
 * function before the first file is written.
 */
export function makeNewFilesPrivate(): void {
  process.umask(PRIVATE_UMASK)
}

/** Gives a new file the owner of the file or folder at `sourcePath`. Does nothing unless root runs the process. */
export function copyOwner(sourcePath: string, path: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(sourcePath)
  try {
    chownSync(path, uid, gid)
  } catch (error) {
    // A container may run as root without the right to change owners.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
  }
}

/**
 * Creates a folder and its missing parent folders (mode 0700), with the owner of the nearest existing parent folder.
 */
export function createPrivateFolder(folder: string): void {
  const firstCreatedFolder = mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (firstCreatedFolder === undefined) return
  const existingFolder = dirname(resolve(firstCreatedFolder))
  for (let path = resolve(folder); path !== existingFolder; path = dirname(path))
    copyOwner(existingFolder, path)
}
