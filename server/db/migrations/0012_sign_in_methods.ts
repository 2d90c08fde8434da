import type { Kysely } from 'kysely'
import { executeDdl } from '../ddl.ts'

/** Adds second factors (authenticator apps and recovery codes) and passkeys. */
export async function up(db: Kysely<never>): Promise<void> {
  await executeDdl(db, SECOND_FACTORS_DDL)
  await executeDdl(db, PASSKEYS_DDL)
}

const SECOND_FACTORS_DDL = `
alter table login add column second_factor_at {ms};
create table totp (
  account_id text primary key references account on delete cascade,
  secret text, confirmed_at {ms}, last_step {ref} not null,
  pending_secret text, pending_at {ms}
);
create table recovery_code (
  code_hash text primary key, account_id text not null references account on delete cascade,
  created_at {ms} not null
);
create index recovery_code_account on recovery_code (account_id);
create table sign_in_step (
  token_hash text primary key, account_id text not null references account on delete cascade,
  device_name text, failures integer not null, created_at {ms} not null, expires_at {ms} not null
);
create index sign_in_step_account on sign_in_step (account_id);
create index sign_in_step_expiry on sign_in_step (expires_at)
`

const PASSKEYS_DDL = `
create table passkey (
  passkey_id text primary key, account_id text not null references account on delete cascade,
  credential_id text not null unique, public_key text not null, sign_count {ref} not null,
  transports text not null, name text not null, synced integer not null,
  created_at {ms} not null, last_used_at {ms}
);
create index passkey_account on passkey (account_id);
create table used_challenge (challenge_hash text primary key, expires_at {ms} not null);
create index used_challenge_expiry on used_challenge (expires_at)
`
