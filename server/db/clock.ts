import { type RawBuilder, sql } from 'kysely'
import { dialectOf } from './ddl.ts'
import type { Db } from './open.ts'

/** Milliseconds since 1970 by the database's clock: processes whose own clocks differ agree on it. */
export function databaseNow(db: Db): RawBuilder<number> {
  return dialectOf(db) === 'postgres'
    ? sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
    : sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
}
