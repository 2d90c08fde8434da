import type { Kysely } from 'kysely'
import { executeDdl } from '../ddl.ts'

/** Adds the language in which a profile reads the names of titles. */
export async function up(db: Kysely<never>): Promise<void> {
  await executeDdl(db, 'alter table profile add column media_title_language text')
}
