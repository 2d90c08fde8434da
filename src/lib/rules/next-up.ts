/** Which episode comes next (Spec §4), with guards for what has not aired. Pure; docs/next-up.md explains it. */
import { isReleased } from './released.ts'

export interface EpisodeRef {
  season_number: number
  episode_number: number
}
export interface EpisodeFacts extends EpisodeRef {
  air_date: string | null
}
export interface Watched extends EpisodeRef {
  finished: boolean
  /** Milliseconds since 1970. */
  updated_at: number
}

const compare = (a: EpisodeRef, b: EpisodeRef) =>
  a.season_number - b.season_number || a.episode_number - b.episode_number

/**
 * The released episode after `current`: the next number of the season, else the first of the next season that has
 * episodes. Gaps in the numbering are stepped over; specials (season 0) lead only to specials. `today` is `YYYY-MM-DD`.
 */
export function nextEpisode<E extends EpisodeFacts>(
  current: EpisodeRef,
  episodes: readonly E[],
  today: string,
): E | null {
  const special = current.season_number === 0
  const later = episodes
    .filter((one) => (one.season_number === 0) === special && compare(one, current) > 0)
    .sort(compare)
  const next = later[0]
  return next && isReleased(next.air_date, today) ? next : null
}

/** The last episode of the highest-numbered season. */
export function latestEpisode<E extends EpisodeRef>(episodes: readonly E[]): E | null {
  return [...episodes].sort(compare).at(-1) ?? null
}

/** The first episode that can be played: of season 1 where there is one. */
export function firstEpisode<E extends EpisodeFacts>(episodes: readonly E[], today: string): E | null {
  const sorted = [...episodes].sort(compare)
  const numbered = sorted.filter((one) => one.season_number > 0)
  const first = (numbered.length > 0 ? numbered : sorted)[0]
  return first && isReleased(first.air_date, today) ? first : null
}

export interface Continuation<E> {
  kind: 'resume' | 'next'
  episode: E
}

/**
 * What Continue Watching offers of a series: the last episode played if unfinished, else the next one. Null when the
 * viewer is caught up. An episode that was renumbered away counts as the place where it stood.
 */
export function continueSeries<E extends EpisodeFacts>(
  watched: readonly Watched[],
  episodes: readonly E[],
  today: string,
): Continuation<E> | null {
  const last = [...watched].sort((a, b) => b.updated_at - a.updated_at || compare(b, a))[0]
  if (!last) return null
  const here = episodes.find((one) => compare(one, last) === 0)
  if (!last.finished && here) return { kind: 'resume', episode: here }
  let place: EpisodeRef = last
  for (;;) {
    const next = nextEpisode(place, episodes, today)
    if (!next) return null
    const seen = watched.find((one) => compare(one, next) === 0)
    if (!seen) return { kind: 'next', episode: next }
    if (!seen.finished) return { kind: 'resume', episode: next }
    if (seen.updated_at < last.updated_at && isRewatch(watched, last)) return { kind: 'next', episode: next }
    place = next
  }
}

/** Somebody who finished an episode before others that were finished earlier is watching the series again. */
function isRewatch(watched: readonly Watched[], last: Watched): boolean {
  const later = watched.filter((one) => one.season_number > 0 && compare(one, last) > 0)
  return later.length > 0 && later.every((one) => one.finished && one.updated_at < last.updated_at)
}
