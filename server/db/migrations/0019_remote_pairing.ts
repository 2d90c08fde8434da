import type { Kysely } from 'kysely'
import { executeDdl } from '../ddl.ts'

/** Adds pairings of a television with a phone that controls it. */
export async function up(db: Kysely<never>): Promise<void> {
  await executeDdl(db, REMOTE_PAIRINGS_DDL)
}

const REMOTE_PAIRINGS_DDL = `
create table remote_pairing (
  pairing_id text primary key,
  account_id text not null references account on delete cascade,
  television_sid text not null unique references login on delete cascade,
  phone_sid text references login on delete cascade,
  profile_id text references profile on delete cascade,
  code_hash text unique, created_at {ms} not null, expires_at {ms} not null, phone_expires_at {ms}
);
create index remote_pairing_account on remote_pairing (account_id);
create index remote_pairing_phone on remote_pairing (phone_sid);
create index remote_pairing_profile on remote_pairing (profile_id);
create index remote_pairing_expiry on remote_pairing (expires_at)
`
