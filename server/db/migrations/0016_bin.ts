import type { Kysely } from 'kysely'
import { executeDdl } from '../ddl.ts'

/**
 * Adds the time at which a profile was moved to the bin. Deletes the setting `undo_seconds`, which the setting
 * `bin_days` replaces.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await executeDdl(db, BIN_DDL)
}

const BIN_DDL = `
alter table profile add column deleted_at {ms};
create index profile_deleted on profile (deleted_at);
delete from setting where key = 'undo_seconds'
`
