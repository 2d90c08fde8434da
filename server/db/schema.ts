/**
 * Row types, one per table; they stop at server/queries/. Flags are 0 or 1, instants are milliseconds since 1970,
 * durations are seconds, dates are `YYYY-MM-DD`, `json` columns hold text: the same on SQLite and PostgreSQL.
 */
import type { Generated } from 'kysely'

export type Flag = number
type Ms = number

export interface Schema {
  account: {
    account_id: string
    email: string
    password_hash: string
    role: string
    onboarded: Flag
    blocked: Flag
    interface_language: string
    title_language: string
    media_quality: string
    created_at: Ms
  }
  /** One signed-in device: a refresh-token family. Deleted when it ends. */
  login: {
    sid: string
    account_id: string
    device_name: string
    user_agent: string
    ip: string | null
    created_at: Ms
    last_active_at: Ms
    expires_at: Ms
    active_profile_id: string | null
    generation: number
    token_hash: string
    previous_hash: string | null
    rotated_at: Ms
    /** 1 once the current token has been presented, i.e. the last answer arrived. */
    successor_used: Flag
  }
  invitation: {
    invitation_id: string
    token_hash: string
    email: string | null
    role: string
    language: string | null
    created_by: string | null
    created_at: Ms
    expires_at: Ms
    used_at: Ms | null
    used_by: string | null
    revoked_at: Ms | null
  }
  profile: {
    profile_id: string
    account_id: string
    name: string
    avatar: number
    main: Flag
    kids: Flag
    language: string
    content_genres: string
    autoplay_next: Flag
    autoplay_previews: Flag
    hide_spoilers: Flag
    /** JSON: the rows of home in the profile's order, `[{ row, hidden }]`; empty as the house has them. */
    home_rows: Generated<string>
    /** Percent. */
    text_size: Generated<number>
    high_contrast: Generated<Flag>
    less_motion: Generated<Flag>
    captions: Generated<Flag>
    simple_home: Generated<Flag>
    pin_hash: string | null
    created_at: Ms
  }
  /** Guesses of a profile's PIN; survives restarts (security.md, decision 4). */
  pin_attempt: { profile_id: string; failures: number; blocked_until: Ms }
  device_profile: { sid: string; profile_id: string; unlocked_until: Ms }
  rate_limit: { bucket: string; count: number; window_ends_at: Ms }
  /** The random name that an account has in the audit log. It goes with the account: what it did can no longer be told. */
  audit_subject: { account_id: string; subject: string }
  audit_event: {
    audit_id: Generated<number>
    at: Ms
    request_id: string
    subject: string | null
    action: string
    target: string | null
    outcome: string
    /** JSON: salt, sid, profile, device, address. Emptied when the account goes; the chain covers its hash alone. */
    details: string | null
    details_hash: string
    previous_hash: string
    hash: string
  }
  title: {
    title_id: Generated<number>
    type: string
    slug: string
    imdb_id: string | null
    tmdb_id: number | null
    original_title: string
    /** The English title folded for ordering: no case, accents or leading article. */
    sort_title: string
    language: string | null
    release_date: string | null
    year: number | null
    runtime: number | null
    rated: string | null
    rating: number
    rating_votes: number
    /** Rating weighted by votes: what Top Rated sorts by. */
    score: number
    popularity: number
    safe_for_kids: Flag
    high_quality: Flag
    published: Flag
    /** 1 while an entry of the block list hits it. */
    blocked: Flag
    status: string | null
    season_count: number
    episode_count: number
    /** Air date of the newest released season. */
    newest_season: string | null
    poster_path: string | null
    backdrop_path: string | null
    color: string | null
    trailer: string | null
    parental_guide: string
    credits_at: number | null
    source: string
    /** Of the normalised record, so that a second import changes nothing. */
    source_hash: string
    created_at: Ms
    updated_at: Ms
    /** JSON: columns that an administrator has set; imports leave them alone. */
    edited: Generated<string>
    /** Set while a deletion can be undone; it is unpublished then, and was `deleted_published` before. */
    deleted_at: Generated<Ms | null>
    deleted_published: Generated<Flag | null>
  }
  /** `folded` is the text as search compares it (rules/fold.ts), `match_key` as imports do (rules/fold-title.ts). */
  title_name: {
    title_id: number
    lang: string
    text: string
    role: string
    folded: string
    match_key: string
  }
  title_text: { title_id: number; lang: string; overview: string | null; tagline: string | null }
  title_genre: { title_id: number; genre_id: number }
  title_network: { title_id: number; network: string }
  title_keyword: { title_id: number; keyword: string }
  season: {
    season_id: Generated<number>
    title_id: number
    season_number: number
    name: string | null
    air_date: string | null
    poster_path: string | null
    episode_count: number
  }
  episode: {
    episode_id: Generated<number>
    season_id: number
    title_id: number
    season_number: number
    episode_number: number
    name: string | null
    overview: string | null
    air_date: string | null
    runtime: number | null
    still_path: string | null
    imdb_id: string | null
  }
  person: {
    person_id: Generated<number>
    slug: string
    name: string
    imdb_id: string | null
    tmdb_id: number | null
    birthday: string | null
    deathday: string | null
    place_of_birth: string | null
    biography: string | null
    profile_path: string | null
    popularity: number
    blocked: Flag
  }
  person_name: { person_id: number; lang: string; text: string; folded: string }
  credit: {
    title_id: number
    person_id: number
    kind: string
    job: string
    character: string | null
    position: number
  }
  block_rule: {
    block_id: Generated<number>
    type: string
    media_id: number | null
    value: string | null
    reason: string | null
    created_by: string | null
    created_at: Ms
  }
  watchlist_entry: {
    profile_id: string
    title_id: number
    in_watchlist: Flag
    state: string | null
    favorite: Flag
    added_at: Ms | null
    updated_at: Ms
  }
  /** Movies have season 0, episode 0; specials season 0 and an episode from 1. */
  progress: {
    profile_id: string
    title_id: number
    season_number: number
    episode_number: number
    progress: number
    duration: number
    finished: Flag
    plays: number
    updated_at: Ms
  }
  /**
   * Viewings at their times, 0 where nobody knows when. Movies have season 0, episode 0. An episode whose number is not
   * known has -1, and so has its season; `name` then says what the file called it.
   */
  play: {
    profile_id: string
    title_id: number
    season_number: number
    episode_number: number
    name: string
    watched_at: Ms
    /** 1 when only the day is known: `watched_at` is its noon in UTC. */
    by_day: Flag
  }
  /** What was last reset or cleared, as long as that can be undone. */
  progress_removed: Schema['progress'] & { removed_at: Ms }
  play_removed: Schema['play'] & { removed_at: Ms }
  feedback: { profile_id: string; title_id: number; feedback: string; updated_at: Ms }
  /** What must not count for recommendations ("not because of this"): `liked:12`, `genre:35`. */
  signal_off: { profile_id: string; signal: string; updated_at: Ms }
  interaction: {
    profile_id: string
    title_id: number
    impressions: number
    opens: number
    plays: number
    dismissed_at: Ms | null
    updated_at: Ms
  }
  /** Titles that a profile wants no notices of. */
  notice_mute: { profile_id: string; title_id: number; created_at: Ms }
  notice: {
    notice_id: Generated<number>
    profile_id: string
    title_id: number
    kind: string
    season_number: number
    episode_number: number
    created_at: Ms
    seen_at: Ms | null
  }
  /** What changed in the catalogue, and when. */
  catalogue_change: { doc_id: number; revision: number; changed_at: Ms }
  /** What of it the search index has yet to read. */
  search_pending: { doc_id: number; revision: number }
  /** One row: which state the catalogue is in; `writer` is the transaction that changed it last. */
  catalogue_version: { id: number; version: number; writer: number; changed_at: Ms }
  /** Work that one process does at a time (services/lease.ts). */
  lease: { name: string; holder: string; until: Ms }
  /** One history file that a profile brought along; its file is gone once it was read. */
  history_import: {
    import_id: string
    profile_id: string
    file_name: string
    /** Of the content, SHA-256. */
    file_hash: string
    source: string | null
    status: string
    /** Bytes while it is read, rows while they are applied or taken back. */
    done: number
    total: number
    /** Rows written in the end. */
    changed: number
    message: string | null
    /** JSON: rows by outcome; and names in the file with their rows. */
    counts: string
    owners: string
    /** JSON: of an archive, its files and what became of them. */
    files: string
    created_at: Ms
    heartbeat_at: Ms
    applied_at: Ms | null
    undone_at: Ms | null
  }
  /** `row_key` is what one decision holds for, `text_key` the title as the file has it. -1: no season, no episode. */
  history_import_row: {
    import_id: string
    n: number
    /** Which of its files, from 0. */
    file: number
    line: number
    owner: string
    outcome: string
    why: string
    score: number
    row_key: string
    text_key: string
    title_id: number | null
    season_number: number
    episode_number: number
    data: string
  }
  /** Rows that one decision holds for, counted; `title_id` is 0 where there is none. */
  history_import_group: {
    import_id: string
    outcome: string
    row_key: string
    title_id: number
    first: number
    count: number
  }
  /** What a profile said a text means; null: nothing that it wants. Holds for all its later imports. */
  history_choice: { profile_id: string; text_key: string; title_id: number | null; updated_at: Ms }
  /** What an import changed, so that it can be taken back: rows as JSON; null before, or empty after, where there is none. */
  history_change: {
    import_id: string
    seq: number
    kind: string
    title_id: number
    before: string | null
    after: string
  }
  setting: { key: string; value: string; updated_at: Ms; updated_by: string | null }
  job: {
    job_id: string
    kind: string
    status: string
    done: Generated<number>
    total: number | null
    message: string | null
    /** JSON objects: what it was started with, what came of it, where it goes on after a crash. */
    input: string
    report: string | null
    checkpoint: string | null
    /** Who runs it: `host:pid:random`. */
    worker: string | null
    attempts: Generated<number>
    /** When somebody asked it to stop. */
    cancel_at: Ms | null
    created_by: string | null
    created_at: Ms
    started_at: Ms | null
    heartbeat_at: Ms | null
    finished_at: Ms | null
  }
  /** Plays begun per day (UTC, `YYYY-MM-DD`), of everybody together. */
  play_day: { day: string; plays: number }
  /** Addresses that download a backup once. */
  backup_link: { token_hash: string; backup_id: string; sid: string; expires_at: Ms }
}
