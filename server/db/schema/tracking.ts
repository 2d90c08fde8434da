/** Rows: what a profile keeps, watched and thinks. */
import type { Generated } from 'kysely'
import type { Flag, Ms } from './units.ts'

export interface Tracking {
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
  progress_removed: Tracking['progress'] & { removed_at: Ms }
  play_removed: Tracking['play'] & { removed_at: Ms }
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
}
