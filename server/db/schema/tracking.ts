/** Tables of a profile's watchlist, progress, viewings, feedback, interactions and notices. */
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
   * Viewings. `watched_at` is 0 when the time is unknown. Movies have season 0, episode 0. An imported episode whose
   * number is unknown has season -1 and episode -1; `name` is then its name in the imported file.
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
  /** Rows of the last removal, stored as long as it can be undone. */
  progress_removed: Tracking['progress'] & { removed_at: Ms }
  play_removed: Tracking['play'] & { removed_at: Ms }
  feedback: { profile_id: string; title_id: number; feedback: string; updated_at: Ms }
  /** Signals that the profile excluded from its recommendations, such as `liked:12` or `genre:35`. */
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
  /** Titles that a profile has muted for notices. */
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
