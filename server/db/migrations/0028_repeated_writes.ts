import type { Kysely } from 'kysely'
import { executeDdl } from '../ddl.ts'

/**
 * Adds the viewing time that parents have added, and the times at which likes and ratings were removed. With these
 * rows, the server recognises a request that is sent again, so that the repetition has no effect.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await executeDdl(db, REPEATED_WRITES_DDL)
}

const REPEATED_WRITES_DDL = `
create table viewing_time_addition (
  profile_id text not null references profile on delete cascade,
  addition_key text not null, day text not null, minutes integer not null,
  extra_ms {ref} not null, quiet_ms {ref} not null, created_at {ms} not null,
  primary key (profile_id, addition_key)
);
create index viewing_time_addition_created on viewing_time_addition (created_at);
create table removed_reaction (
  profile_id text not null references profile on delete cascade,
  title_id {ref} not null references title on delete cascade,
  kind text not null, removed_at {ms} not null,
  primary key (profile_id, title_id, kind)
);
create index removed_reaction_title on removed_reaction (title_id);
create index removed_reaction_removed on removed_reaction (removed_at)
`
