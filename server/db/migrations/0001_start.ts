import type { Kysely } from 'kysely'
import { createChangeTriggers, executeDdl } from '../ddl.ts'

/** Creates the first schema. ddl.ts defines the placeholders in braces. The files of schema/ describe the columns. */
export async function up(db: Kysely<never>): Promise<void> {
  await executeDdl(db, PEOPLE_DDL)
  await executeDdl(db, CATALOGUE_DDL)
  await executeDdl(db, TRACKING_DDL)
  await executeDdl(db, TRANSFER_DDL)
  await executeDdl(db, OPERATION_DDL)
  await createChangeTracking(db)
}

/**
 * Creates triggers that record each change of a title or person in the same transaction. The triggers store the time of
 * the change (for server/services/catalogue/browse.ts) and a pending document of the search index. Migration 0026 drops
 * the pending documents. The document id of a title is 2 x title_id. The document id of a person is 2 x person_id + 1.
 */
async function createChangeTracking(db: Kysely<never>): Promise<void> {
  await executeDdl(db, CHANGES_DDL)
  const buildChangeStatements = (docId: string) => [
    `insert into catalogue_change (doc_id, revision, changed_at) values (${docId}, 1, {now})
    on conflict (doc_id) do update set revision = catalogue_change.revision + 1, changed_at = {now}`,
    `insert into search_pending (doc_id, revision)
    select doc_id, revision from catalogue_change where doc_id = ${docId}
    on conflict (doc_id) do update set revision = excluded.revision`,
    // This statement changes the row only once per transaction on PostgreSQL. The row stays locked until the commit, so
    // that a reader that sees a version also sees the titles of all earlier versions.
    'update catalogue_version set version = version + 1, writer = {tx}, changed_at = {now} where writer <> {tx}',
  ]
  const events = ['insert', 'update', 'delete'] as const
  await createChangeTriggers(db, {
    table: 'title',
    events: [...events],
    statements: buildChangeStatements('row.title_id * 2'),
  })
  await createChangeTriggers(db, {
    table: 'person',
    events: [...events],
    statements: buildChangeStatements('row.person_id * 2 + 1'),
  })
  await createChangeTriggers(db, {
    table: 'credit',
    events: ['delete'],
    statements: buildChangeStatements('row.person_id * 2 + 1'),
  })
}

const CHANGES_DDL = `
create table catalogue_change (doc_id {ref} primary key, revision integer not null, changed_at {ms} not null);
create index catalogue_change_at on catalogue_change (changed_at);
create table search_pending (doc_id {ref} primary key, revision integer not null);
create table catalogue_version (
  id integer primary key check (id = 1), version {ref} not null, writer {ref} not null, changed_at {ms} not null
);
insert into catalogue_version (id, version, writer, changed_at) values (1, 0, 0, {now})
`

const PEOPLE_DDL = `
create table account (
  account_id text primary key, email text not null unique, password_hash text not null, role text not null,
  onboarded integer not null default 0, blocked integer not null default 0,
  interface_language text not null, title_language text not null, media_quality text not null, created_at {ms} not null
);
create index account_created on account (created_at, account_id);
create index account_role on account (role);
create table login (
  sid text primary key, account_id text not null references account on delete cascade,
  device_name text not null, user_agent text not null, ip text,
  created_at {ms} not null, last_active_at {ms} not null, expires_at {ms} not null, active_profile_id text,
  generation integer not null, token_hash text not null unique, previous_hash text, rotated_at {ms} not null,
  successor_used integer not null default 0
);
create index login_account on login (account_id, last_active_at);
create index login_active on login (last_active_at, account_id);
create index login_previous on login (previous_hash);
create table invitation (
  invitation_id text primary key, token_hash text not null unique, email text, role text not null, language text,
  created_by text references account on delete set null, created_at {ms} not null, expires_at {ms} not null,
  used_at {ms}, used_by text references account on delete set null, revoked_at {ms}
);
create index invitation_created on invitation (created_at);
create table profile (
  profile_id text primary key, account_id text not null references account on delete cascade,
  name text not null, avatar integer not null, main integer not null, kids integer not null, language text not null,
  content_genres text not null, autoplay_next integer not null default 1, autoplay_previews integer not null default 1,
  hide_spoilers integer not null default 0, home_rows text not null default '[]', text_size integer not null default 100,
  high_contrast integer not null default 0, less_motion integer not null default 0, captions integer not null default 0,
  simple_home integer not null default 0, pin_hash text, created_at {ms} not null
);
create index profile_account on profile (account_id, created_at);
create unique index profile_main on profile (account_id) where main = 1;
create table pin_attempt (
  profile_id text primary key references profile on delete cascade,
  failures integer not null, blocked_until {ms} not null
);
create table device_profile (
  sid text not null references login on delete cascade, profile_id text not null references profile on delete cascade,
  unlocked_until {ms} not null, primary key (sid, profile_id)
);
create index device_profile_profile on device_profile (profile_id);
create table rate_limit (bucket text primary key, count integer not null, window_ends_at {ms} not null);
create index rate_limit_ends on rate_limit (window_ends_at);
create table audit_subject (
  account_id text primary key references account on delete cascade, subject text not null unique
);
create table audit_event (
  audit_id {id}, at {ms} not null, request_id text not null, subject text, action text not null, target text,
  outcome text not null, details text, details_hash text not null, previous_hash text not null, hash text not null
);
create index audit_event_subject on audit_event (subject, audit_id);
create index audit_event_action on audit_event (action, audit_id);
create index audit_event_outcome on audit_event (outcome, audit_id);
create index audit_event_at on audit_event (at)
`

const CATALOGUE_DDL = `
create table title (
  title_id {id}, type text not null, slug text not null, imdb_id text unique, tmdb_id integer,
  original_title text not null, sort_title text not null, language text, release_date text, year integer, runtime integer, rated text,
  rating {real} not null default 0, rating_votes integer not null default 0, score {real} not null default 0,
  popularity {real} not null default 0, safe_for_kids integer not null default 0, high_quality integer not null default 0,
  published integer not null default 1, blocked integer not null default 0, status text,
  season_count integer not null default 0, episode_count integer not null default 0, newest_season text,
  poster_path text, backdrop_path text, color text, trailer text, parental_guide text not null default '[]',
  credits_at integer, source text not null, source_hash text not null, created_at {ms} not null, updated_at {ms} not null,
  edited text not null default '{}', deleted_at {ms}, deleted_published integer
);
create unique index title_slug on title (type, slug);
create unique index title_tmdb on title (type, tmdb_id);
create index title_popularity on title (type, popularity desc, title_id);
create index title_release on title (type, release_date desc, title_id);
create index title_score on title (type, score desc, title_id);
create index title_votes on title (type, rating_votes desc, title_id);
create index title_season on title (type, newest_season desc, title_id);
create index title_sort on title (type, sort_title, title_id);
create index title_year on title (type, year);
create index title_shown on title (type, published, blocked, episode_count) where deleted_at is null;
create index title_deleted on title (deleted_at) where deleted_at is not null;
create table title_name (
  title_id {ref} not null references title on delete cascade, lang text not null, text text not null, role text not null,
  folded text not null, match_key text not null default '', primary key (title_id, lang, text)
);
create index title_name_folded on title_name (folded);
create index title_name_match on title_name (match_key);
create table title_text (
  title_id {ref} not null references title on delete cascade, lang text not null, overview text, tagline text,
  primary key (title_id, lang)
);
create table title_genre (
  title_id {ref} not null references title on delete cascade, genre_id integer not null, primary key (title_id, genre_id)
);
create index title_genre_genre on title_genre (genre_id, title_id);
create table title_network (
  title_id {ref} not null references title on delete cascade, network text not null, primary key (title_id, network)
);
create index title_network_network on title_network (network, title_id);
create table title_keyword (
  title_id {ref} not null references title on delete cascade, keyword text not null, primary key (title_id, keyword)
);
create index title_keyword_keyword on title_keyword (keyword, title_id);
create table season (
  season_id {id}, title_id {ref} not null references title on delete cascade, season_number integer not null,
  name text, air_date text, poster_path text, episode_count integer not null default 0
);
create unique index season_number on season (title_id, season_number);
create table episode (
  episode_id {id}, season_id {ref} not null references season on delete cascade,
  title_id {ref} not null references title on delete cascade, season_number integer not null,
  episode_number integer not null, name text, overview text, air_date text, runtime integer, still_path text, imdb_id text
);
create unique index episode_number on episode (title_id, season_number, episode_number);
create index episode_season on episode (season_id);
create index episode_air on episode (air_date);
create table person (
  person_id {id}, slug text not null unique, name text not null, imdb_id text unique, tmdb_id integer unique,
  birthday text, deathday text, place_of_birth text, biography text, profile_path text,
  popularity {real} not null default 0, blocked integer not null default 0
);
create index person_name_index on person (name);
create table person_name (
  person_id {ref} not null references person on delete cascade, lang text not null, text text not null,
  folded text not null, primary key (person_id, lang, text)
);
create index person_name_folded on person_name (folded);
create table credit (
  title_id {ref} not null references title on delete cascade, person_id {ref} not null references person on delete cascade,
  kind text not null, job text not null, character text, position integer not null,
  primary key (title_id, kind, position)
);
create index credit_person on credit (person_id, kind);
create table block_rule (
  block_id {id}, type text not null, media_id {ref}, value text, reason text, created_by text, created_at {ms} not null
);
create index block_rule_type on block_rule (type, created_at)
`

const TRACKING_DDL = `
create table watchlist_entry (
  profile_id text not null references profile on delete cascade, title_id {ref} not null references title on delete cascade,
  in_watchlist integer not null, state text, favorite integer not null default 0, added_at {ms}, updated_at {ms} not null,
  primary key (profile_id, title_id)
);
create index watchlist_added on watchlist_entry (profile_id, in_watchlist, added_at);
create index watchlist_title on watchlist_entry (title_id);
create table progress (
  profile_id text not null references profile on delete cascade, title_id {ref} not null references title on delete cascade,
  season_number integer not null default 0, episode_number integer not null default 0,
  progress {real} not null, duration {real} not null, finished integer not null default 0, plays integer not null default 0,
  updated_at {ms} not null, primary key (profile_id, title_id, season_number, episode_number)
);
create index progress_recent on progress (profile_id, updated_at);
create index progress_title on progress (title_id);
create table play (
  profile_id text not null references profile on delete cascade, title_id {ref} not null references title on delete cascade,
  season_number integer not null default 0, episode_number integer not null default 0, name text not null default '',
  watched_at {ms} not null, by_day integer not null default 0,
  primary key (profile_id, title_id, season_number, episode_number, name, watched_at)
);
create index play_recent on play (profile_id, watched_at);
create index play_title on play (title_id);
create table progress_removed (
  profile_id text not null references profile on delete cascade, title_id {ref} not null references title on delete cascade,
  season_number integer not null, episode_number integer not null,
  progress {real} not null, duration {real} not null, finished integer not null, plays integer not null,
  updated_at {ms} not null, removed_at {ms} not null, primary key (profile_id, title_id, season_number, episode_number)
);
create index progress_removed_title on progress_removed (title_id);
create table play_removed (
  profile_id text not null references profile on delete cascade, title_id {ref} not null references title on delete cascade,
  season_number integer not null, episode_number integer not null, name text not null,
  watched_at {ms} not null, by_day integer not null, removed_at {ms} not null,
  primary key (profile_id, title_id, season_number, episode_number, name, watched_at)
);
create index play_removed_title on play_removed (title_id);
create table feedback (
  profile_id text not null references profile on delete cascade, title_id {ref} not null references title on delete cascade,
  feedback text not null, updated_at {ms} not null, primary key (profile_id, title_id)
);
create index feedback_title on feedback (title_id);
create table signal_off (
  profile_id text not null references profile on delete cascade, signal text not null, updated_at {ms} not null,
  primary key (profile_id, signal)
);
create table interaction (
  profile_id text not null references profile on delete cascade, title_id {ref} not null references title on delete cascade,
  impressions integer not null default 0, opens integer not null default 0, plays integer not null default 0,
  dismissed_at {ms}, updated_at {ms} not null, primary key (profile_id, title_id)
);
create index interaction_title on interaction (title_id);
create table notice (
  notice_id {id}, profile_id text not null references profile on delete cascade,
  title_id {ref} not null references title on delete cascade, kind text not null, season_number integer not null default 0,
  episode_number integer not null default 0, created_at {ms} not null, seen_at {ms}
);
create unique index notice_once on notice (profile_id, title_id, kind, season_number, episode_number);
create index notice_recent on notice (profile_id, created_at);
create index notice_title on notice (title_id);
create table notice_mute (
  profile_id text not null references profile on delete cascade,
  title_id {ref} not null references title on delete cascade, created_at {ms} not null,
  primary key (profile_id, title_id)
);
create index notice_mute_title on notice_mute (title_id)
`

const TRANSFER_DDL = `
create table history_import (
  import_id text primary key, profile_id text not null references profile on delete cascade, file_name text not null,
  file_hash text not null default '', source text, status text not null, done {ms} not null default 0,
  total {ms} not null default 0, changed integer not null default 0, message text, created_at {ms} not null,
  counts text not null default '{}', owners text not null default '[]', files text not null default '[]',
  heartbeat_at {ms} not null, applied_at {ms}, undone_at {ms}
);
create index history_import_profile on history_import (profile_id, created_at);
create table history_import_row (
  import_id text not null references history_import on delete cascade, n integer not null,
  file integer not null default 0, line integer not null,
  owner text not null, outcome text not null, why text not null, score {real} not null, row_key text not null,
  text_key text not null, title_id {ref}, season_number integer not null, episode_number integer not null,
  data text not null, primary key (import_id, n)
);
create index history_import_row_key on history_import_row (import_id, row_key);
create index history_import_row_place on history_import_row (import_id, title_id, season_number, episode_number, n);
create table history_import_group (
  import_id text not null references history_import on delete cascade, outcome text not null, row_key text not null,
  title_id {ref} not null, first integer not null, count integer not null,
  primary key (import_id, row_key, outcome, title_id)
);
create index history_import_group_size on history_import_group (import_id, outcome, count desc, first);
create table history_choice (
  profile_id text not null references profile on delete cascade, text_key text not null,
  title_id {ref} references title on delete cascade, updated_at {ms} not null, primary key (profile_id, text_key)
);
create index history_choice_title on history_choice (title_id);
create table history_change (
  import_id text not null references history_import on delete cascade, seq integer not null, kind text not null,
  title_id {ref} not null, before text, after text not null, primary key (import_id, seq)
)
`

const OPERATION_DDL = `
create table setting (key text primary key, value text not null, updated_at {ms} not null, updated_by text);
create table lease (name text primary key, holder text not null, until {ms} not null);
create table job (
  job_id text primary key, kind text not null, status text not null, done integer not null default 0, total integer,
  message text, input text not null default '{}', report text, checkpoint text, worker text,
  attempts integer not null default 0, cancel_at {ms}, created_by text, created_at {ms} not null, started_at {ms},
  heartbeat_at {ms}, finished_at {ms}
);
create index job_created on job (created_at);
create index job_kind on job (kind, created_at);
create index job_status on job (status, created_at);
create unique index job_one_of_a_kind on job (kind) where status in ('queued', 'running');
create table play_day (day text primary key, plays integer not null);
create table backup_link (
  token_hash text primary key, backup_id text not null, sid text not null references login on delete cascade,
  expires_at {ms} not null
)
`
