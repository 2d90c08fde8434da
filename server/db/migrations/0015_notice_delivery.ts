import type { Kysely } from 'kysely'
import { executeDdl } from '../ddl.ts'

/**
 * Adds devices that show notices (Web Push), notice settings per profile, and the choice to get notices of a title only
 * when a season starts.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await executeDdl(db, NOTICE_DELIVERY_DDL)
}

const NOTICE_DELIVERY_DDL = `
create table push_subscription (
  profile_id text not null references profile on delete cascade,
  sid text not null references login on delete cascade,
  endpoint_hash text not null, subscription text not null, pin_generation integer not null,
  last_notice_id {ref} not null, failures integer not null, retry_at {ms} not null,
  created_at {ms} not null, delivered_at {ms}, failed_at {ms},
  primary key (profile_id, sid)
);
create index push_subscription_sid on push_subscription (sid);
create index push_subscription_endpoint on push_subscription (endpoint_hash);
create table notice_setting (
  profile_id text primary key references profile on delete cascade,
  time_zone text not null, quiet_from integer, quiet_until integer,
  digest integer not null, digest_day integer not null, digest_sent_at {ms}, unsubscribe_hash text unique
);
create index notice_setting_digest on notice_setting (digest, digest_sent_at);
alter table notice_mute add column new_seasons integer not null default 0
`
