import type { Kysely } from 'kysely'
import { executeDdl } from '../ddl.ts'

/** Adds API keys and pending changes of email addresses. */
export async function up(db: Kysely<never>): Promise<void> {
  await executeDdl(db, API_KEYS_DDL)
  await executeDdl(db, EMAIL_CHANGES_DDL)
}

const API_KEYS_DDL = `
create table api_key (
  key_id text primary key, account_id text not null references account on delete cascade,
  profile_id text references profile on delete cascade,
  name text not null, token_hash text not null unique, scopes text not null,
  created_at {ms} not null, expires_at {ms}, last_used_at {ms}
);
create index api_key_account on api_key (account_id);
create index api_key_profile on api_key (profile_id)
`

const EMAIL_CHANGES_DDL = `
create table email_change (
  token_hash text primary key, account_id text not null references account on delete cascade,
  old_email text not null, new_email text not null,
  confirmed_at {ms}, created_at {ms} not null, expires_at {ms} not null
);
create index email_change_account on email_change (account_id);
create index email_change_expiry on email_change (expires_at)
`
