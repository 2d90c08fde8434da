import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'
import { getDialect } from './ddl.ts'

/**
 * SQL expression for the current time of the database server, in milliseconds since 1970. Processes on several machines
 * use this time, because the clocks of the machines may differ.
 */
export function createNowMsExpression(db: Db): RawBuilder<number> {
  return getDialect(db) === 'postgres'
    ? sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
    : sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
}
