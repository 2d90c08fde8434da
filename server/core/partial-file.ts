/** Files that get their final name only when they are complete. After a crash, no incomplete file has a final name. */
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isProcessRunning } from './process-liveness.ts'

const PARTIAL_FILE_PATTERN = /\.part(?:-(\d+))?(?:-wal|-shm|-journal)?$/

/** Path under which this process writes `file` until it is complete. */
export const getPartialPath = (file: string) => `${file}.part-${process.pid}`

/** Flushes a file or folder to disk (fsync). */
export function syncToDisk(path: string): void {
  const fileDescriptor = openSync(path, 'r')
  try {
    fsyncSync(fileDescriptor)
  } finally {
    closeSync(fileDescriptor)
  }
}

/** Renames a complete partial file to its final name, and flushes both to disk. */
export function publishFile(partialPath: string, file: string): void {
  syncToDisk(partialPath)
  renameSync(partialPath, file)
  syncToDisk(dirname(file))
}

/**
 * Deletes partial files in a folder whose processes no longer run. Call it before this process writes partial files.
 */
export function deleteAbandonedPartialFiles(folder: string): void {
  for (const fileName of readdirSync(folder)) {
    const nameMatch = PARTIAL_FILE_PATTERN.exec(fileName)
    if (!nameMatch) continue
    const pid = nameMatch[1] === undefined ? null : Number(nameMatch[1])
    const isInUse = pid !== null && pid !== process.pid && isProcessRunning(pid)
    if (!isInUse) rmSync(join(folder, fileName), { force: true })
  }
}
