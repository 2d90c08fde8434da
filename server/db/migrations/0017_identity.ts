import type { Kysely } from 'kysely'
import { executeDdl } from '../ddl.ts'

/** Adds the table of identities at OpenID Connect providers, each linked to an account. */
export async function up(db: Kysely<never>): Promise<void> {
  await executeDdl(db, IDENTITIES_DDL)
}

const IDENTITIES_DDL = `
create table identity (
  identity_id text primary key, account_id text not null references account on delete cascade,
  issuer text not null, subject text not null, name text,
  created_at {ms} not null, last_used_at {ms},
  unique (issuer, subject)
);
create index identity_account on identity (account_id)
`
