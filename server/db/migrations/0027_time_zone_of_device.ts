import type { Kysely } from 'kysely'
import { executeDdl } from '../ddl.ts'

/** Adds the time zone of each signed-in device. */
export async function up(db: Kysely<never>): Promise<void> {
  await executeDdl(db, 'alter table login add column time_zone text')
}
