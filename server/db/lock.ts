import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { dialectOf } from './ddl.ts'
import type { Database, Db } from './open.ts'

const ASK_MS = 100

/**
 * Inside a transaction: nobody else passes this line with the same name until it ends. SQLite transactions exclude one
 * another anyway (they begin immediate).
 */
export async function lockUntilCommit(trx: Db, name: string): Promise<void> {
  if (dialectOf(trx) === 'postgres')
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx)
}

/**
 * Runs `work` while no other process runs work of this name on the same database, waiting its turn: for starting, when
 * several processes do so together. SQLite: processes of one machine are started one after the other (workers.ts).
 */
export async function inTurn<T>(
  { kind, primary }: Database,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  if (kind === 'sqlite') return work()
  return primary.connection().execute(async (db) => {
    // Asked again and again: a statement that waits for minutes would be ended by its time limit.
    for (;;) {
      const { rows } = await sql<{ mine: boolean }>`
        select pg_try_advisory_lock(hashtextextended(${name}, 1)) as mine`.execute(db)
      if (rows[0]?.mine) break
      await pause(ASK_MS)
    }
    try {
      return await work()
    } finally {
      await sql`select pg_advisory_unlock(hashtextextended(${name}, 1))`.execute(db)
    }
  })
}
