/** What pressing Play on a title does: where it begins, and how far it is (Spec §7). */

interface Watched {
  season?: number | undefined
  episode?: number | undefined
  /** Seconds. */
  progress: number
  data: { video_duration: number }
  percentage: number
  finished: boolean
}
interface Next {
  season_number: number
  episode_number: number
}
export interface NextPress {
  /** Null for a movie, and for a show nobody has begun. */
  place: { season: number; episode: number } | null
  /** Of what was begun and not finished; null otherwise. */
  begun: { percentage: number; minutesLeft: number } | null
}

/** `latest`: what was watched last of the title; `next`: the episode that follows, where it is known. */
export function nextPress(latest: Watched | null, next: Next | null): NextPress {
  const going = latest !== null && !latest.finished && latest.progress > 0
  const left = going ? latest.data.video_duration - latest.progress : 0
  const place = next
    ? { season: next.season_number, episode: next.episode_number }
    : going && latest.season !== undefined && latest.episode !== undefined
      ? { season: latest.season, episode: latest.episode }
      : null
  return {
    place,
    begun: going ? { percentage: latest.percentage, minutesLeft: Math.max(1, Math.round(left / 60)) } : null,
  }
}
