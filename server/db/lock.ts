import { sql } from 'kysely'
import { dialectOf } from './ddl.ts'
import type { Db } from './open.ts'

/**
 * Inside a transaction: nobody else passes this line with the same name until it ends. SQLite transactions exclude one
 * another anyway (they begin immediate).
 */
export async function lockUntilCommit(trx: Db, name: string): Promise<void> {
  if (dialectOf(trx) === 'postgres')
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx)
}
