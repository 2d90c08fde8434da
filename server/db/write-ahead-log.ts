import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from './database.ts'

const MAX_ATTEMPTS = 5
const RETRY_INTERVAL_MS = 50

/**
 * Moves the content of SQLite's write-ahead log into the database file and empties the log, so that neither contains
 * deleted content. Returns false when an open transaction or another reader, such as a running backup, prevents this.
 * Returns true without doing anything on PostgreSQL.
 */
export async function truncateWriteAheadLog({ sqlite, file }: Database): Promise<boolean> {
  if (!sqlite || !file) return true
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    if (attempt > 0) await pause(RETRY_INTERVAL_MS)
    if (sqlite.isTransaction) continue
    const { busy } = sqlite.prepare('pragma wal_checkpoint(truncate)').get() as { busy: number }
    if (busy === 0) return true
  }
  return false
}
