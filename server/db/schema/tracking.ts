/**
 * Tables of a profile: watchlist, progress, viewings, feedback, ratings, lists, interactions, notices with their
 * delivery, and calendar address.
 */
import type { Generated } from 'kysely'
import type { BooleanInteger, TimestampMs } from './column-types.ts'

export interface TrackingTables {
  watchlist_entry: {
    profile_id: string
    title_id: number
    in_watchlist: BooleanInteger
    state: string | null
    favorite: BooleanInteger
    added_at: TimestampMs | null
    updated_at: TimestampMs
  }
  /** A movie has season 0 and episode 0. A special has season 0 and an episode from 1. */
  progress: {
    profile_id: string
    title_id: number
    season_number: number
    episode_number: number
    /** Position in the video in seconds. */
    progress: number
    /** Duration of the video in seconds. */
    duration: number
    finished: BooleanInteger
    plays: number
    updated_at: TimestampMs
  }
  /**
   * Viewings. `watched_at` is 0 when the time is unknown. A movie has season 0 and episode 0. An imported episode with
   * an unknown number has season -1 and episode -1; `name` is then its name in the imported file.
   */
  play: {
    profile_id: string
    title_id: number
    season_number: number
    episode_number: number
    name: string
    watched_at: TimestampMs
    /** 1 when only the day is known: `watched_at` is then noon of that day in UTC. */
    by_day: BooleanInteger
    /** 1 when the user marked the title as seen; 0 when it was played or imported. */
    marked: Generated<BooleanInteger>
    /** Note of the profile about this viewing; null when there is none. */
    note: string | null
  }
  /**
   * Rows of `progress` and `play` that the user removed. They are stored until they can no longer be restored from the
   * bin. A row of `progress_removed` with season -1 is a marker for Undo (queries/progress-removal.ts).
   */
  progress_removed: TrackingTables['progress'] & { removed_at: TimestampMs }
  play_removed: TrackingTables['play'] & { removed_at: TimestampMs }
  /**
   * Viewing edits: changes of viewings, which can be undone. `kind` is `mark`, `remove`, `date` or `note`. The client
   * chooses `edit_key`.
   */
  viewing_edit: {
    edit_id: Generated<number>
    profile_id: string
    edit_key: string
    kind: string
    /** Number of viewings that were added, removed or changed. */
    viewings: number
    created_at: TimestampMs
    undone_at: TimestampMs | null
    /**
     * Hash by which a repeated request is recognised (`hashEditRequest` in services/viewings/viewing-edits.ts); null
     * for edits of earlier versions.
     */
    request_hash: string | null
  }
  /**
   * The rows that a viewing edit changed, as JSON: `before` is null for an inserted row, and `after` is empty for a
   * deleted row.
   */
  viewing_edit_change: {
    edit_id: number
    seq: number
    /** Kind of the changed row, such as `progress` or `play` (`TrackingRowKind`). */
    kind: string
    title_id: number
    /** Identifies the changed row among the rows of the profile. */
    row_key: string
    before: string | null
    after: string
  }
  feedback: { profile_id: string; title_id: number; feedback: string; updated_at: TimestampMs }
  /** Ratings from 1 to 10. */
  rating: { profile_id: string; title_id: number; rating: number; updated_at: TimestampMs }
  /** Removed likes, dislikes and ratings. An older write that is sent again must not restore them. */
  removed_reaction: {
    profile_id: string
    title_id: number
    kind: 'feedback' | 'rating'
    removed_at: TimestampMs
  }
  /** Named lists of profiles. `filter_type` and `filter_query` are set for a smart list, which has no entries. */
  named_list: {
    list_id: string
    profile_id: string
    name: string
    description: string
    shared: BooleanInteger
    on_home: BooleanInteger
    filter_type: string | null
    filter_query: string | null
    /** The import that created the list. */
    import_id: string | null
    created_at: TimestampMs
    updated_at: TimestampMs
    /** Set while the list is deleted and can be restored. */
    deleted_at: TimestampMs | null
  }
  /** `profile_id` is the owner of the list. Positions increase along the list and may have gaps. */
  named_list_entry: {
    profile_id: string
    list_id: string
    title_id: number
    position: number
    added_at: TimestampMs | null
  }
  /** Signals that the profile excluded from its recommendations, such as `liked:12` or `genre:35`. */
  signal_off: { profile_id: string; signal: string; updated_at: TimestampMs }
  interaction: {
    profile_id: string
    title_id: number
    impressions: number
    opens: number
    plays: number
    dismissed_at: TimestampMs | null
    updated_at: TimestampMs
  }
  /** The calendar address: the secret URL under which calendar programs read the calendar of a profile. */
  calendar_feed: {
    profile_id: string
    /** SHA-256 of the token in the address. */
    token_hash: string
    /**
     * `pin_generation` of the profile when the address was created. If the profile has another value now, its PIN has
     * changed since.
     */
    pin_generation: number
    created_at: TimestampMs
    /** Time of the last read by a calendar program, updated at most once an hour; null before the first read. */
    read_at: TimestampMs | null
  }
  /** Titles for which a profile wants no notices or, with `new_seasons`, only a notice when a season starts. */
  notice_mute: {
    profile_id: string
    title_id: number
    new_seasons: Generated<BooleanInteger>
    created_at: TimestampMs
  }
  /** Devices that show the notices of a profile (Web Push, RFC 8030). */
  push_subscription: {
    profile_id: string
    sid: string
    /** SHA-256 of the push service URL, which is the same for all profiles of a browser. */
    endpoint_hash: string
    /** JSON of `PushSubscriptionData`, encrypted with a key outside the database. */
    subscription: string
    /**
     * `pin_generation` of the profile when it subscribed. If the profile has another value now, its PIN has changed
     * since.
     */
    pin_generation: number
    /** Id of the last notice that was sent to the device, or that existed when it subscribed. */
    last_notice_id: number
    /** Number of deliveries that failed since the last success. */
    failures: number
    retry_at: TimestampMs
    created_at: TimestampMs
    delivered_at: TimestampMs | null
    failed_at: TimestampMs | null
  }
  /** Settings of notices of a profile. Without a row, the defaults apply. */
  notice_setting: {
    profile_id: string
    /** IANA name, such as `Europe/Paris`. */
    time_zone: string
    /**
     * Start and end of the quiet hours for notices, in minutes since midnight in `time_zone`; null without quiet hours.
     */
    quiet_from: number | null
    quiet_until: number | null
    /** 1 when the profile gets a weekly email. */
    digest: BooleanInteger
    /** Day of the week of the email: 0 is Sunday. */
    digest_day: number
    digest_sent_at: TimestampMs | null
    /** SHA-256 of the token with which a person can turn off the weekly email without signing in. */
    unsubscribe_hash: string | null
  }
  notice: {
    notice_id: Generated<number>
    profile_id: string
    title_id: number
    kind: string
    season_number: number
    episode_number: number
    created_at: TimestampMs
    seen_at: TimestampMs | null
  }
}
