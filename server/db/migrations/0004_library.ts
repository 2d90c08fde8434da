import type { Kysely } from 'kysely'
import { executeDdl } from '../ddl.ts'

/**
 * Adds the files of the media folder with their titles, the matches that administrators chose, and the known
 * availability of titles. Also adds availability requests: profiles that get a notice when a title becomes available.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await executeDdl(db, FILES_DDL)
  await executeDdl(db, AVAILABILITY_DDL)
}

/** A row of `library_choice` without `title_id` means that the files belong to no title. */
const FILES_DDL = `
create table library_file (
  file_id {id}, path text not null unique, folder text not null, size_bytes {ref} not null, modified_at {ms} not null,
  kind text not null, named_kind text not null, parsed_title text, parsed_year integer, season_number integer not null default 0,
  episodes text not null default '[]', quality text, state text not null, reason text, matched_by text,
  title_id {ref} references title on delete set null, candidates text not null default '[]', added_at {ms} not null
);
create index library_file_title on library_file (title_id);
create index library_file_state on library_file (state, path);
create table library_choice (
  choice_id {id}, path text not null, scope text not null, kind text not null, parsed_title text not null,
  title_id {ref} references title on delete cascade, season_number integer, episode_number integer,
  created_at {ms} not null
);
create unique index library_choice_path on library_choice (path, scope, kind, parsed_title);
create index library_choice_title on library_choice (title_id)
`

const AVAILABILITY_DDL = `
alter table title add column in_library integer not null default 0;
alter table title add column resolver_found integer;
alter table title add column resolver_asked_at {ms};
create index title_in_library on title (title_id) where in_library = 1;
create table availability_request (
  profile_id text not null references profile on delete cascade,
  title_id {ref} not null references title on delete cascade, created_at {ms} not null,
  primary key (profile_id, title_id)
);
create index availability_request_title on availability_request (title_id)
`
