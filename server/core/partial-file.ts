/** Files that get their name only when they are complete, so that a crash leaves none that looks complete. */
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'

const PARTIAL_FILE_PATTERN = /\.part(?:-(\d+))?(?:-wal|-shm|-journal)?$/

/** Path under which this process writes `file` until it is complete. */
export const getPartialPath = (file: string) => `${file}.part-${process.pid}`

/** Writes a file or folder to disk (fsync). */
export function syncToDisk(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Gives a complete file its name, durably. */
export function publishFile(partialPath: string, file: string): void {
  syncToDisk(partialPath)
  renameSync(partialPath, file)
  syncToDisk(dirname(file))
}

/** Deletes the partial files in a folder whose processes no longer run. Call it before this process writes any. */
export function deleteAbandonedPartialFiles(folder: string): void {
  for (const name of readdirSync(folder)) {
    const match = PARTIAL_FILE_PATTERN.exec(name)
    if (match && !isOtherProcessRunning(Number(match[1] ?? Number.NaN)))
      rmSync(join(folder, name), { force: true })
  }
}

function isOtherProcessRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
