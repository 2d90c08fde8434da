/** Files that get their final name only when they are complete. After a crash, no incomplete file has a final name. */
import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { DAY_MS } from './dates.ts'
import { isProcessRunning } from './process-liveness.ts'

/**
 * Matches the names of partial files, with the name of the machine and the id of the process. The id comes last,
 * because a machine name at the end could be confused with a suffix such as `-wal`.
 */
const PARTIAL_FILE_PATTERN = /\.part(?:-(?:([a-z0-9_]+)-)?(\d+))?(?:-wal|-shm|-journal)?$/
/**
 * Name of this machine in the names of partial files. Machines and containers may share a folder of backups, and their
 * process ids may be equal.
 */
const MACHINE_NAME = hostname()
  .toLowerCase()
  .replace(/[^a-z0-9]/g, '_')
/** A partial file of another machine counts as abandoned when nothing was written to it for this long. */
const MAX_FOREIGN_FILE_AGE_MS = DAY_MS

/** Path under which this process writes `file` until it is complete. */
export const getPartialPath = (file: string) => `${file}.part-${MACHINE_NAME}-${process.pid}`

/** Flushes a file or folder to disk (fsync). */
export function syncToDisk(path: string): void {
  const fileDescriptor = openSync(path, 'r')
  try {
    fsyncSync(fileDescriptor)
  } finally {
    closeSync(fileDescriptor)
  }
}

/** Flushes a complete partial file to disk, renames it to its final name, and flushes the folder to disk. */
export function completePartialFile(partialPath: string, filePath: string): void {
  syncToDisk(partialPath)
  renameSync(partialPath, filePath)
  syncToDisk(dirname(filePath))
}

/**
 * Deletes the partial files in a folder, except the files that another running process of this machine writes, and
 * recently written files of other machines. Also deletes the partial files of this process, so call this function
 * before this process writes such a file. With `finalNames`, deletes only partial files whose final name is one of
 * these names.
 */
export function deleteAbandonedPartialFiles(folder: string, finalNames?: readonly string[]): void {
  for (const fileName of readdirSync(folder)) {
    const nameMatch = PARTIAL_FILE_PATTERN.exec(fileName)
    if (!nameMatch || finalNames?.includes(fileName.slice(0, nameMatch.index)) === false) continue
    const [, machineName = MACHINE_NAME, pidText] = nameMatch
    const path = join(folder, fileName)
    const isInUse = machineName === MACHINE_NAME ? isOtherProcessRunning(pidText) : isRecentlyWritten(path)
    if (!isInUse) rmSync(path, { force: true })
  }
}

/**
 * True when the process with this id is running and is not this process. False for an empty `pidText`: the file names
 * of older versions contain no process id.
 */
function isOtherProcessRunning(pidText = ''): boolean {
  return pidText !== '' && Number(pidText) !== process.pid && isProcessRunning(Number(pidText))
}

function isRecentlyWritten(path: string): boolean {
  const modifiedAtMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return Date.now() - modifiedAtMs < MAX_FOREIGN_FILE_AGE_MS
}
