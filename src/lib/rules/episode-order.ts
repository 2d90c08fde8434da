/** How the episodes of a series stand to each other: their order, the line of the specials, what is out. */
import { isReleased } from './released.ts'

export interface EpisodeRef {
  /** 0 holds the specials. */
  season_number: number
  episode_number: number
}
export interface EpisodeFacts extends EpisodeRef {
  /** `YYYY-MM-DD`, the day it first aired or will. */
  air_date?: string | null
  /** Minutes. */
  runtime?: number | null
}
/** Negative when `a` comes before `b`, 0 for the same place. */
export const compare = (a: EpisodeRef, b: EpisodeRef) =>
  a.season_number - b.season_number || a.episode_number - b.episode_number
export const isSpecial = (one: EpisodeRef) => one.season_number === 0

/**
 * Whether an episode can be out. An undated one is out when an episode that comes after it is, or when the catalogue
 * knows no date of the whole series, or when anything of its season aired over a year ago; the undated end of a running
 * season is not.
 */
export function hasAired(episode: EpisodeFacts, episodes: readonly EpisodeFacts[], today: string): boolean {
  if (episode.air_date) return isReleased(episode.air_date, today)
  const line = episodes.filter((one) => isSpecial(one) === isSpecial(episode))
  if (!line.some((one) => one.air_date)) return true
  if (line.some((one) => compare(one, episode) > 0 && isReleased(one.air_date, today))) return true
  const yearAgo = `${Number(today.slice(0, 4)) - 1}${today.slice(4)}`
  return line.some(
    (one) => one.season_number === episode.season_number && one.air_date && one.air_date <= yearAgo,
  )
}

/** The next one in the line of `place`: specials after specials, numbered ones after numbered ones. */
export function following<E extends EpisodeRef>(place: EpisodeRef, episodes: readonly E[]): E | undefined {
  let next: E | undefined
  for (const one of episodes) {
    if (isSpecial(one) !== isSpecial(place) || compare(one, place) <= 0) continue
    if (!next || compare(one, next) < 0) next = one
  }
  return next
}
