/** Tables of viewing time and of the decisions of parents about the profiles of their account. */
import type { Generated } from 'kysely'
import type { BooleanInteger, TimestampMs } from './column-types.ts'

export interface FamilyTables {
  family_setting: {
    account_id: string
    /** IANA name of the time zone; empty while the account has none. */
    time_zone: string
    /** A key of `WEEKENDS` in rules/viewing-time.ts. */
    weekend: string
  }
  /** Viewing limits of a profile, and the exceptions for the current day. */
  viewing_limit: {
    profile_id: string
    school_day_minutes: number | null
    weekend_minutes: number | null
    /** Start and end of the quiet hours in minutes since local midnight; null without quiet hours. */
    quiet_start: number | null
    quiet_end: number | null
    /** Period in which the quiet hours have no effect, because a parent has added viewing time; null without one. */
    quiet_off_from: TimestampMs | null
    quiet_off_until: TimestampMs | null
    grace_started_at: TimestampMs | null
    /**
     * Local day, `YYYY-MM-DD`, on which the profile last chose to finish a video after the viewing time was used up.
     */
    grace_day: string | null
    /** The movie or episode that the profile may watch to its end: `title/season/episode`. */
    grace_video: string | null
    /** 1 after `grace_video` was watched to its end, or after the profile has played another video. */
    grace_ended: Generated<BooleanInteger>
  }
  /** Playing time and added viewing time (`extra_ms`) by local day, `YYYY-MM-DD`. */
  viewing_day: { profile_id: string; day: string; played_ms: Generated<number>; extra_ms: Generated<number> }
  /** Viewing time that a parent has added. A repeated request has the same key and adds nothing. */
  viewing_time_addition: {
    profile_id: string
    addition_key: string
    /** Local day of the addition, `YYYY-MM-DD`. */
    day: string
    minutes: number
    /** Part of `viewing_day.extra_ms` that comes from this addition. */
    extra_ms: number
    /** Time by which this addition has postponed the quiet hours. */
    quiet_ms: number
    created_at: TimestampMs
  }
  /** A title that a child asked to watch. `answer` is null until a parent has answered. */
  watch_request: {
    request_id: string
    profile_id: string
    title_id: number
    reason: string
    created_at: TimestampMs
    answer: string | null
    answered_at: TimestampMs | null
    /** Time at which the permission expires; null for `always` and `no`, and until a parent has answered. */
    expires_at: TimestampMs | null
    /** For the answer `once`: time at which the title was watched to its end; null before that. */
    used_at: TimestampMs | null
  }
  /** Searches of a kids profile, with the time of the last search for the same text. */
  recorded_search: { profile_id: string; query: string; searched_at: TimestampMs }
  /**
   * A player that a profile has opened. `played_ms` is the total playing time that the player has reported. Playing
   * time on the device up to `covered_until` is counted already, so that the time of two players that play at the same
   * time is not counted twice.
   */
  viewing_session: {
    profile_id: string
    session_id: string
    sid: string
    played_ms: number
    covered_until: TimestampMs
    updated_at: TimestampMs
  }
}
