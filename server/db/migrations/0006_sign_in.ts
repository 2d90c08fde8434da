import type { Kysely } from 'kysely'
import { executeDdl } from '../ddl.ts'

/** Adds devices that wait to be signed in with a code, and password reset links. */
export async function up(db: Kysely<never>): Promise<void> {
  await executeDdl(db, DEVICE_AUTHORIZATIONS_DDL)
  await executeDdl(db, PASSWORD_RESETS_DDL)
}

const DEVICE_AUTHORIZATIONS_DDL = `
create table device_authorization (
  device_code_hash text primary key, user_code_hash text not null unique, state text not null,
  device_name text not null, ip text, created_at {ms} not null, expires_at {ms} not null,
  interval_seconds integer not null, polled_at {ms} not null,
  account_id text references account on delete cascade,
  sid text references login on delete cascade,
  profile_id text references profile on delete cascade
);
create index device_authorization_expiry on device_authorization (expires_at);
create index device_authorization_account on device_authorization (account_id);
create index device_authorization_login on device_authorization (sid);
create index device_authorization_profile on device_authorization (profile_id)
`

const PASSWORD_RESETS_DDL = `
create table password_reset (
  token_hash text primary key, account_id text not null references account on delete cascade,
  created_at {ms} not null, expires_at {ms} not null
);
create index password_reset_account on password_reset (account_id);
create index password_reset_expiry on password_reset (expires_at)
`
