import type { Kysely } from 'kysely'
import { executeDdl } from '../ddl.ts'

/** Adds ratings from 1 to 10, and named lists. */
export async function up(db: Kysely<never>): Promise<void> {
  await executeDdl(db, RATINGS_DDL)
  await executeDdl(db, NAMED_LISTS_DDL)
}

const RATINGS_DDL = `
create table rating (
  profile_id text not null references profile on delete cascade, title_id {ref} not null references title on delete cascade,
  rating integer not null, updated_at {ms} not null, primary key (profile_id, title_id)
);
create index rating_title on rating (title_id)
`

const NAMED_LISTS_DDL = `
create table named_list (
  list_id text primary key, profile_id text not null references profile on delete cascade, name text not null,
  description text not null default '', shared integer not null default 0, on_home integer not null default 0,
  filter_type text, filter_query text, import_id text references history_import on delete set null,
  created_at {ms} not null, updated_at {ms} not null, deleted_at {ms}
);
create unique index named_list_name on named_list (profile_id, name) where deleted_at is null;
create index named_list_profile on named_list (profile_id, deleted_at);
create index named_list_import on named_list (import_id);
create index named_list_deleted on named_list (deleted_at);
create table named_list_entry (
  profile_id text not null references profile on delete cascade, list_id text not null references named_list on delete cascade,
  title_id {ref} not null references title on delete cascade, position integer not null, added_at {ms},
  primary key (profile_id, list_id, title_id)
);
create index named_list_entry_position on named_list_entry (list_id, position, title_id);
create index named_list_entry_title on named_list_entry (title_id)
`
