import type { Kysely } from 'kysely'
import { executeDdl } from '../ddl.ts'

/**
 * Adds calendar addresses (secret URLs under which calendar programs read the calendar of a profile), and an index for
 * release dates.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await executeDdl(db, CALENDAR_FEEDS_DDL)
}

const CALENDAR_FEEDS_DDL = `
create table calendar_feed (
  profile_id text primary key references profile on delete cascade, token_hash text not null unique,
  pin_generation integer not null, created_at {ms} not null, read_at {ms}
);
create index episode_release on episode (title_id, air_date, season_number)
`
