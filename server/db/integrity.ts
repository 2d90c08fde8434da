/** Integrity checks of a SQLite database. */
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { receiveThreadResult } from '../core/worker-message.ts'

/**
 * Reads every page and returns the first damage, or null. Does not compare indexes with their tables, because this
 * comparison takes several times as long. `checkIntegrity` compares them.
 */
export function findDamage(sqlite: DatabaseSync): string | null {
  const row = sqlite.prepare('pragma quick_check(1)').get() as { quick_check: string }
  return row.quick_check === 'ok' ? null : toOneLine(row.quick_check)
}

/**
 * Checks a database file in a worker thread while the database is in use. Returns the first damage, or null. Rejects
 * when `signal` aborts.
 */
export async function checkIntegrity(file: string, signal?: AbortSignal): Promise<string | null> {
  const worker = new Worker(new URL('./integrity-check.ts', import.meta.url), { workerData: file })
  const { damage } = await receiveThreadResult<{ damage: string | null }>(worker, signal)
  return damage
}

/**
 * Checks a database file, including whether indexes match their tables and whether all references exist. Returns the
 * first damage, or null.
 */
export function checkIntegrityInThisThread(file: string): string | null {
  const sqlite = new DatabaseSync(file, { readOnly: true })
  try {
    const row = sqlite.prepare('pragma integrity_check(1)').get() as { integrity_check: string }
    if (row.integrity_check !== 'ok') return toOneLine(row.integrity_check)
    return sqlite.prepare('pragma foreign_key_check').get() === undefined ? null : 'broken foreign keys'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    sqlite.close()
  }
}

const toOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
