import type { Kysely } from 'kysely'
import { executeDdl } from '../ddl.ts'

/** Adds marks (viewings that the user enters by hand), and viewing edits, which can be undone. */
export async function up(db: Kysely<never>): Promise<void> {
  await executeDdl(db, MARKED_VIEWINGS_DDL)
  await executeDdl(db, VIEWING_EDITS_DDL)
}

const MARKED_VIEWINGS_DDL = `
alter table play add column marked integer not null default 0;
alter table play_removed add column marked integer not null default 0;
drop index play_recent;
create index play_history on play (profile_id, watched_at, title_id, season_number, episode_number, name)
`

const VIEWING_EDITS_DDL = `
create table viewing_edit (
  edit_id {id}, profile_id text not null references profile on delete cascade, edit_key text not null, kind text not null,
  viewings integer not null, created_at {ms} not null, undone_at {ms}
);
create unique index viewing_edit_once on viewing_edit (profile_id, edit_key);
create index viewing_edit_created on viewing_edit (created_at);
create table viewing_edit_change (
  edit_id {ref} not null references viewing_edit on delete cascade, seq integer not null, kind text not null,
  title_id {ref} not null references title on delete cascade, row_key text not null, before text, after text not null,
  primary key (edit_id, seq)
);
create index viewing_edit_change_title on viewing_edit_change (title_id)
`
