import type { Kysely } from 'kysely'
import { executeDdl } from '../ddl.ts'

/** Adds the list of deleted accounts, so that restoring an older backup does not restore these accounts. */
export async function up(db: Kysely<never>): Promise<void> {
  await executeDdl(db, DELETED_ACCOUNTS_DDL)
}

const DELETED_ACCOUNTS_DDL = `
create table deleted_account (account_hash text primary key, deleted_at {ms} not null)
`
