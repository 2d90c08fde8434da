/**
 * Backups of a SQLite database: written while the server runs, and verified before they are accepted
 * (docs/operating.md).
 */
import { closeSync, existsSync, openSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { copyOwner, createPrivateFolder } from '../core/file-owner.ts'
import { completePartialFile, deleteAbandonedPartialFiles, getPartialPath } from '../core/partial-file.ts'
import { receiveThreadResult } from '../core/worker-message.ts'

/** Name of the backup folder inside the data folder. */
export const BACKUP_FOLDER = 'backups'
/** Number of 4 KiB pages that are copied in one step. Between two steps, the event loop handles other work. */
const PAGES_PER_STEP = 500

export interface BackupCounts {
  accounts: number
  profiles: number
  titles: number
}
/** Result of a backup check. `reason` completes the sentence "The backup is …" in a message for operators. */
export type BackupCheckResult =
  | { ok: true; counts: BackupCounts; migrations: string[] }
  | { ok: false; reason: string }

export type BackupReason = 'manual' | 'schedule' | 'migration'

/** Returns a name such as `marquee-20261121T101500123Z-manual`. */
export function createBackupName(createdAtMs: number, reason: BackupReason): string {
  return `marquee-${new Date(createdAtMs).toISOString().replaceAll(/[-:.]/g, '')}-${reason}`
}

interface WriteBackupOptions {
  onProgress?: (copiedPages: number, totalPages: number) => void
  /** Aborting the signal ends the backup and leaves no file. `writeBackup` then throws the reason of the signal. */
  signal?: AbortSignal
}

/**
 * Thrown when the file of a backup exists already, or when a backup fails its check. The message is written for
 * operators.
 */
export class DamagedBackupError extends Error {}

/**
 * Copies a database to `file` (mode 0600). The copy gets its final name only after a successful check; `${file}.json`
 * then contains the returned counts. The backup contains every change that was committed before the call. The source is
 * the path of the database, or an open connection if the path no longer leads to the file of the database. Throws
 * `DamagedBackupError`.
 */
export async function writeBackup(
  source: string | DatabaseSync,
  file: string,
  options: WriteBackupOptions = {},
): Promise<BackupCounts> {
  if (existsSync(file))
    throw new DamagedBackupError(`${file} exists already; backups never overwrite a file.`)
  createPrivateFolder(dirname(file))
  const temporaryFile = getPartialPath(file)
  rmSync(temporaryFile, { force: true })
  closeSync(openSync(temporaryFile, 'wx', 0o600))
  copyOwner(dirname(file), temporaryFile)
  try {
    if (typeof source === 'string') await copySnapshot(source, temporaryFile, options)
    else await copyPages(source, temporaryFile, options)
    disableWal(temporaryFile)
    const checkResult = await checkBackup(temporaryFile, options.signal)
    if (!checkResult.ok) throw new DamagedBackupError(`The backup is ${checkResult.reason}; it was deleted.`)
    options.signal?.throwIfAborted()
    try {
      writeFileSync(`${file}.json`, JSON.stringify(checkResult.counts), { mode: 0o600 })
      copyOwner(dirname(file), `${file}.json`)
      completePartialFile(temporaryFile, file)
    } catch (error) {
      rmSync(`${file}.json`, { force: true })
      throw error
    }
    return checkResult.counts
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal'])
      rmSync(`${temporaryFile}${suffix}`, { force: true })
  }
}

/**
 * Copies from a separate connection inside a read transaction. Without the transaction, SQLite restarts the copy
 * whenever another connection writes between two steps. With several processes, the copy would then never finish.
 */
async function copySnapshot(sourceFile: string, file: string, options: WriteBackupOptions): Promise<void> {
  const snapshot = new DatabaseSync(sourceFile, { readOnly: true })
  try {
    snapshot.exec('begin')
    snapshot.prepare('select count(*) from sqlite_schema').get()
    await copyPages(snapshot, file, options)
  } finally {
    snapshot.close()
  }
}

async function copyPages(
  source: DatabaseSync,
  file: string,
  { onProgress, signal }: WriteBackupOptions,
): Promise<void> {
  await backup(source, file, {
    rate: PAGES_PER_STEP,
    progress: ({ totalPages, remainingPages }) => {
      signal?.throwIfAborted()
      onProgress?.(totalPages - remainingPages, totalPages)
    },
  })
}

/** Turns off WAL mode, so that the backup consists of a single file. */
function disableWal(file: string): void {
  const backupDatabase = new DatabaseSync(file)
  try {
    backupDatabase.exec('pragma journal_mode = delete')
  } finally {
    backupDatabase.close()
  }
}

/**
 * Minimum age at which a file of counts (`.json`) is deleted when its backup is missing. A younger file may belong to a
 * running backup, which writes its counts shortly before the backup gets its final name.
 */
const MIN_COUNTS_AGE_MS = 600_000

/** Deletes the files of backups that were interrupted. Call it at startup. */
export function deleteInterruptedBackups(folder: string): void {
  if (!existsSync(folder)) return
  deleteAbandonedPartialFiles(folder)
  for (const name of readdirSync(folder)) {
    const filePath = join(folder, name)
    const isOrphanedCountsFile =
      /\.(db|dump)\.json$/.test(name) && !existsSync(filePath.replace(/\.json$/, ''))
    if (isOrphanedCountsFile && Date.now() - statSync(filePath).mtimeMs > MIN_COUNTS_AGE_MS)
      rmSync(filePath, { force: true })
  }
}

/** Checks in a worker thread whether a file is an intact Marquee backup. */
export function checkBackup(file: string, signal?: AbortSignal): Promise<BackupCheckResult> {
  const worker = new Worker(new URL('./backup-check.ts', import.meta.url), { workerData: file })
  return receiveThreadResult(worker, signal)
}

/**
 * True when the file is shorter than the total size of its pages. SQLite reads the missing end of the last page as
 * zeros, which the integrity check accepts in the content of a row.
 */
function isBackupTruncated(openedBackup: DatabaseSync, file: string): boolean {
  const readPragma = (name: string) => Number(openedBackup.prepare(`pragma ${name}`).get()?.[name])
  return statSync(file).size < readPragma('page_count') * readPragma('page_size')
}

/**
 * Checks a backup by reading every page. Also checks foreign keys, which a partially copied transaction would break.
 */
export function checkBackupInThisThread(file: string): BackupCheckResult {
  let backupDatabase: DatabaseSync | undefined
  try {
    const openedBackup = new DatabaseSync(file, { readOnly: true })
    backupDatabase = openedBackup
    if (isBackupTruncated(backupDatabase, file)) return { ok: false, reason: 'truncated' }
    backupDatabase.exec('pragma cell_size_check = on')
    const { integrity_check: integrity } = backupDatabase.prepare('pragma integrity_check(1)').get() as {
      integrity_check: string
    }
    if (integrity !== 'ok') return { ok: false, reason: 'damaged' }
    if (backupDatabase.prepare('pragma foreign_key_check').get() !== undefined)
      return { ok: false, reason: 'inconsistent (broken foreign keys)' }
    const countRows = (table: string) =>
      (openedBackup.prepare(`select count(*) as n from ${table}`).get() as { n: number }).n
    const migrations = backupDatabase.prepare('select name from kysely_migration order by name').all() as {
      name: string
    }[]
    return {
      ok: true,
      counts: { accounts: countRows('account'), profiles: countRows('profile'), titles: countRows('title') },
      migrations: migrations.map(({ name }) => name),
    }
  } catch {
    return { ok: false, reason: 'damaged, or not a Marquee backup' }
  } finally {
    backupDatabase?.close()
  }
}
