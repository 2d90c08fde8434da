/** Copies of a SQLite database: written while it serves, checked before they count (docs/operating.md). */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'

/** Folder of backups, in the data folder. */
export const BACKUPS = 'backups'
/** Pages of 4 KiB copied between two looks at what else there is to do. */
const PAGES_AT_ONCE = 500

export interface BackupCounts {
  accounts: number
  profiles: number
  titles: number
}
export type Verdict = { ok: true; counts: BackupCounts; migrations: string[] } | { ok: false; why: string }

export type Reason = 'manual' | 'schedule' | 'migration'

/** `marquee-20261121T101500123Z-manual`. */
export function backupName(at: number, reason: Reason): string {
  return `marquee-${new Date(at).toISOString().replaceAll(/[-:.]/g, '')}-${reason}`
}

/** Why a copy was not kept, in plain words. */
export class DamagedBackup extends Error {}

/**
 * Copies a database into `file` (mode 0600) and checks the copy; only then is it there under its name, with a small JSON
 * beside it that says what it holds. It is the state of one instant after the call: what was acknowledged before is in it.
 * Throws `DamagedBackup`.
 */
export async function writeBackup(
  source: string,
  file: string,
  progress?: (done: number, total: number) => void,
): Promise<BackupCounts> {
  if (existsSync(file)) throw new DamagedBackup(`${file} exists already; a backup never overwrites.`)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const part = `${file}.part`
  rmSync(part, { force: true })
  closeSync(openSync(part, 'wx', 0o600))
  try {
    await copy(source, part, progress)
    settle(part)
    const verdict = await checkBackup(part)
    if (!verdict.ok) throw new DamagedBackup(`The copy is damaged (${verdict.why}): it was not kept.`)
    flush(part)
    writeFileSync(`${file}.json`, JSON.stringify(verdict.counts), { mode: 0o600 })
    renameSync(part, file)
    flush(dirname(file))
    return verdict.counts
  } finally {
    for (const rest of ['', '-wal', '-shm', '-journal']) rmSync(`${part}${rest}`, { force: true })
  }
}

/**
 * From a connection of its own that stays with one state of the database: SQLite begins a copy anew whenever another
 * connection writes between two steps, and with several processes that never ends.
 */
async function copy(
  source: string,
  file: string,
  progress?: (done: number, total: number) => void,
): Promise<void> {
  const still = new DatabaseSync(source, { readOnly: true })
  try {
    still.exec('begin')
    still.prepare('select count(*) from sqlite_schema').get()
    await backup(still, file, {
      rate: PAGES_AT_ONCE,
      progress: ({ totalPages, remainingPages }) => progress?.(totalPages - remainingPages, totalPages),
    })
  } finally {
    still.close()
  }
}

/** One file holds everything: no write-ahead log beside it that somebody could forget to copy. */
function settle(file: string): void {
  const copy = new DatabaseSync(file)
  try {
    copy.exec('pragma journal_mode = delete')
  } finally {
    copy.close()
  }
}

/** Waits until the disk has it. */
export function flush(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Whether a file is a whole backup of ours. On a thread of its own. */
export function checkBackup(file: string): Promise<Verdict> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL('./backup-check.ts', import.meta.url), { workerData: file })
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', (code) => reject(new Error(`The check ended early (${code}).`)))
  })
}

/** Reads every page. Foreign keys too: a copy between two halves of a transaction would break them. */
export function examine(file: string): Verdict {
  let copy: DatabaseSync | undefined
  try {
    const opened = new DatabaseSync(file, { readOnly: true })
    copy = opened
    copy.exec('pragma cell_size_check = on')
    const { integrity_check: whole } = copy.prepare('pragma integrity_check(1)').get() as {
      integrity_check: string
    }
    if (whole !== 'ok') return { ok: false, why: 'damaged' }
    if (copy.prepare('pragma foreign_key_check').get() !== undefined) return { ok: false, why: 'torn' }
    const count = (table: string) =>
      (opened.prepare(`select count(*) as n from ${table}`).get() as { n: number }).n
    const migrations = copy.prepare('select name from kysely_migration order by name').all() as {
      name: string
    }[]
    return {
      ok: true,
      counts: { accounts: count('account'), profiles: count('profile'), titles: count('title') },
      migrations: migrations.map(({ name }) => name),
    }
  } catch {
    return { ok: false, why: 'damaged, or no backup of Marquee' }
  } finally {
    copy?.close()
  }
}
