import type { Kysely } from 'kysely'
import { executeDdl } from '../ddl.ts'

/** Adds the hash of the request that caused a viewing edit. It is null for edits before this migration. */
export async function up(db: Kysely<never>): Promise<void> {
  await executeDdl(db, 'alter table viewing_edit add column request_hash text')
}
