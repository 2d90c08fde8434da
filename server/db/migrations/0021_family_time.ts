import type { Kysely } from 'kysely'
import { executeDdl } from '../ddl.ts'

/**
 * Adds viewing time of profiles, watch requests and recorded searches of children, and the PIN for leaving a kids
 * profile.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await executeDdl(db, VIEWING_TIME_DDL)
  await executeDdl(db, EXIT_PIN_DDL)
  await executeDdl(db, WATCH_REQUESTS_DDL)
}

const VIEWING_TIME_DDL = `
create table family_setting (
  account_id text primary key references account on delete cascade,
  time_zone text not null, weekend text not null
);
create table viewing_limit (
  profile_id text primary key references profile on delete cascade,
  school_day_minutes integer, weekend_minutes integer, quiet_start integer, quiet_end integer,
  quiet_off_from {ms}, quiet_off_until {ms},
  grace_started_at {ms}, grace_day text, grace_video text, grace_ended integer not null default 0
);
create table viewing_day (
  profile_id text not null references profile on delete cascade,
  day text not null, played_ms {ref} not null default 0, extra_ms {ref} not null default 0,
  primary key (profile_id, day)
);
create table viewing_session (
  profile_id text not null references profile on delete cascade,
  session_id text not null, sid text not null, played_ms {ref} not null,
  covered_until {ms} not null, updated_at {ms} not null,
  primary key (profile_id, session_id)
);
create index viewing_session_update on viewing_session (updated_at)
`

const WATCH_REQUESTS_DDL = `
alter table profile add column may_ask integer not null default 0;
alter table profile add column spoken_labels integer not null default 0;
create table watch_request (
  request_id text primary key, profile_id text not null references profile on delete cascade,
  title_id {ref} not null references title on delete cascade, reason text not null,
  created_at {ms} not null, answer text, answered_at {ms}, expires_at {ms}, used_at {ms}
);
create index watch_request_profile on watch_request (profile_id, created_at);
create index watch_request_title on watch_request (title_id);
create table recorded_search (
  profile_id text not null references profile on delete cascade,
  query text not null, searched_at {ms} not null,
  primary key (profile_id, query)
)
`

const EXIT_PIN_DDL = `
alter table account add column exit_pin_hash text;
alter table login add column kids_profile_id text
`
