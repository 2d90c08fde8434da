import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { isSqliteLocked } from '../core/database-unavailable.ts'
import type { Database } from './database.ts'

const MAX_ATTEMPTS = 5
const RETRY_INTERVAL_MS = 50

/**
 * Moves the content of SQLite's write-ahead log into the database file and empties the log, so that neither the log nor
 * the database file contains deleted content. Returns false when an open transaction or another reader, such as a
 * running backup, prevents this. Returns true without doing anything on PostgreSQL and for a database in memory.
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

/**
 * Merges the write-ahead log into the database file and leaves WAL mode. Both steps need an exclusive lock. The result
 * is therefore `in use` while another connection, such as a running server, has the database open. The result is
 * `failed` after any other error, because the database is then most likely too damaged to be opened.
 */
export function leaveWalMode(databaseFile: string): 'done' | 'in use' | 'failed' {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(databaseFile)
    database.exec('pragma journal_mode = delete')
    return 'done'
  } catch (error) {
    return isSqliteLocked(error) ? 'in use' : 'failed'
  } finally {
    database?.close()
  }
}
