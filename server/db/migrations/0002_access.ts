import type { Kysely } from 'kysely'
import { executeDdl } from '../ddl.ts'

/**
 * Moves the unlock of a profile into the login. A device can then have at most one unlock, and only for its acting
 * profile. Existing unlocks end. Also adds the time until which a rate limit rejects attempts, and `audit_anchor`,
 * which shows whether events of the audit log are missing.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await executeDdl(db, UNLOCKS_DDL)
  await executeDdl(db, RATE_LIMITS_DDL)
  await executeDdl(db, AUDIT_ANCHOR_DDL)
}

const UNLOCKS_DDL = `
drop table device_profile;
alter table login add column unlocked_until {ms};
alter table login add column unlock_generation integer;
alter table profile add column pin_generation integer not null default 0
`

const RATE_LIMITS_DDL = `
alter table rate_limit add column blocked_until {ms} not null default 0
`

/** An existing audit log gets its row of `audit_anchor` here. A new log gets the row with its first event. */
const AUDIT_ANCHOR_DDL = `
create table audit_anchor (
  anchor_id integer primary key check (anchor_id = 1), appended_count {ref} not null, last_hash text not null,
  removed_count {ref} not null, removed_hash text not null
);
insert into audit_anchor (anchor_id, appended_count, last_hash, removed_count, removed_hash)
select 1, (select count(*) from audit_event), last_event.hash, 0, first_event.previous_hash
from audit_event last_event, audit_event first_event
where last_event.audit_id = (select max(audit_id) from audit_event)
  and first_event.audit_id = (select min(audit_id) from audit_event)
`
