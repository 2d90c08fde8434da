/**
 * Owners of files that a command creates. An operator may run commands as root, but the server runs as another user and
 * must be able to open the files.
 */
import { chownSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** Gives a new file the owner of the file or folder at `sourcePath`. Does nothing unless root runs the process. */
export function copyOwner(sourcePath: string, path: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(sourcePath)
  chownSync(path, uid, gid)
}

/** Creates a folder (mode 0700) if it is missing. It belongs to the owner of the folder above it. */
export function createPrivateFolder(folder: string): void {
  const createdFolder = mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (createdFolder === undefined) return
  if (createdFolder !== folder) copyOwner(dirname(createdFolder), createdFolder)
  copyOwner(dirname(createdFolder), folder)
}
