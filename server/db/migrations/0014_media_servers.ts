import type { Kysely } from 'kysely'
import { executeDdl } from '../ddl.ts'

/**
 * Adds the movies and episodes of Jellyfin and Plex servers, the catalogue titles that they are matched to, and the
 * last known state of each server. The addresses and tokens of the servers are stored encrypted in `setting`. Also adds
 * the TVDB id of titles, by which series of these servers are matched.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await executeDdl(
    db,
    `
create table media_server_item (
  item_id {id}, server_id text not null, remote_id text not null, kind text not null, name text not null,
  series_remote_id text, series_name text, year integer, season_number integer not null default 0,
  episodes text not null default '[]', imdb_id text, tmdb_id integer, tvdb_id integer, episode_imdb_id text,
  state text not null, reason text, title_id {ref} references title on delete set null,
  title_season integer not null default 0, title_episodes text not null default '[]', added_at {ms} not null
);
create unique index media_server_item_remote on media_server_item (server_id, remote_id);
create index media_server_item_title on media_server_item (title_id);
create index media_server_item_state on media_server_item (state, name);
create table media_server_state (
  server_id text primary key, contacted_at {ms}, failed_at {ms}, failure text, listed_at {ms}, fully_listed_at {ms}
);
alter table title add column tvdb_id integer;
create index title_tvdb on title (tvdb_id) where tvdb_id is not null
`,
  )
}
