import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { runOptionalWrite } from '../core/database-unavailable.ts'
import type { Database, Db } from './database.ts'
import { getDialect } from './ddl.ts'

const LOCK_RETRY_INTERVAL_MS = 100
/** A longer wait is reported, because an operator would otherwise see a start without any output. */
const REPORT_WAIT_AFTER_MS = 5_000

interface LockWaitOptions {
  /** Called once when the wait for the lock has taken `reportWaitAfterMs`. */
  onLongWait?: () => void
  reportWaitAfterMs?: number
}

/**
 * Acquires an exclusive lock that the transaction holds until it ends. Call it inside a transaction. Does nothing on
 * SQLite, where transactions start with `begin immediate` and therefore exclude each other.
 */
export async function lockUntilCommit(trx: Db, name: string): Promise<void> {
  if (getDialect(trx) === 'postgres')
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx)
}

/**
 * Waits until no other process holds the lock `name` on this database, and then runs `runWithLock` with the lock. The
 * lock serialises the startup of several processes. SQLite needs no lock: all processes run on one machine, and the
 * supervisor completes its own startup before it starts the workers (cluster-supervisor.ts).
 */
export async function withProcessLock<T>(
  { kind, primary }: Database,
  name: string,
  runWithLock: () => Promise<T>,
  { onLongWait = () => {}, reportWaitAfterMs = REPORT_WAIT_AFTER_MS }: LockWaitOptions = {},
): Promise<T> {
  if (kind === 'sqlite') return runWithLock()
  return primary.connection().execute(async (db) => {
    const startedAtMs = performance.now()
    let isWaitReported = false
    // Polls for the lock, because the statement timeout would end a long wait inside a single statement.
    for (;;) {
      const { rows } = await sql<{ locked: boolean }>`
        select pg_try_advisory_lock(hashtextextended(${name}, 1)) as locked`.execute(db)
      if (rows[0]?.locked) break
      if (!isWaitReported && performance.now() - startedAtMs >= reportWaitAfterMs) {
        isWaitReported = true
        onLongWait()
      }
      await pause(LOCK_RETRY_INTERVAL_MS)
    }
    try {
      return await runWithLock()
    } finally {
      // If the connection was lost, PostgreSQL has already released the lock, and unlocking fails. This failure is
      // ignored, because `runWithLock` has used other connections and its result is valid. Otherwise, a database copy
      // that is already committed would be reported as failed.
      await runOptionalWrite(() => sql`select pg_advisory_unlock(hashtextextended(${name}, 1))`.execute(db))
    }
  })
}
