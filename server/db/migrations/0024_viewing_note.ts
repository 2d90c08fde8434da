import type { Kysely } from 'kysely'
import { executeDdl } from '../ddl.ts'

/** Adds the note of a profile about a viewing. */
export async function up(db: Kysely<never>): Promise<void> {
  await executeDdl(db, VIEWING_NOTE_DDL)
}

const VIEWING_NOTE_DDL = `
alter table play add column note text;
alter table play_removed add column note text
`
