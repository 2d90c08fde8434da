/** The order of the episodes of a series, and whether an episode has aired. Specials are ordered separately. */
import { isReleased } from './release-date.ts'

export interface EpisodeRef {
  /** Season 0 contains the specials. */
  season_number: number
  episode_number: number
}
export interface EpisodeFacts extends EpisodeRef {
  /** Date of the first broadcast, `YYYY-MM-DD`; may be in the future. */
  air_date?: string | null
  runtime_seconds?: number | null
  /**
   * Result of `hasAired` on the server, which knows all episodes and the correct time. Overrides the computed value.
   */
  released?: boolean
}
/** Comparator for sorting: negative when `a` comes before `b`, 0 when both are the same episode. */
export const compareEpisodes = (a: EpisodeRef, b: EpisodeRef) =>
  a.season_number - b.season_number || a.episode_number - b.episode_number
export const isSpecial = (episode: EpisodeRef) => episode.season_number === 0

/**
 * Returns whether an episode has aired. An episode without a date counts as aired in three cases:
 * - a later episode has aired
 * - no episode has a date
 * - an episode of its season aired at least a year ago
 * In all three cases, only episodes of the same kind count: regular episodes or specials. Undated episodes at the end
 * of a running season match no case, so they do not count as aired. The browser uses the result of the server
 * (`released`).
 */
export function hasAired(episode: EpisodeFacts, episodes: readonly EpisodeFacts[], today: string): boolean {
  if (episode.released !== undefined) return episode.released
  if (episode.air_date) return isReleased(episode.air_date, today)
  const episodesOfSameKind = episodes.filter((candidate) => isSpecial(candidate) === isSpecial(episode))
  if (!episodesOfSameKind.some((candidate) => candidate.air_date)) return true
  if (
    episodesOfSameKind.some(
      (candidate) => compareEpisodes(candidate, episode) > 0 && isReleased(candidate.air_date, today),
    )
  )
    return true
  const oneYearAgo = `${Number(today.slice(0, 4)) - 1}${today.slice(4)}`
  return episodesOfSameKind.some(
    (candidate) =>
      candidate.season_number === episode.season_number &&
      candidate.air_date &&
      candidate.air_date <= oneYearAgo,
  )
}

/**
 * Returns the episode after `currentEpisode`. After a special, that is the next special; otherwise, it is the next
 * regular episode. Returns undefined when there is none.
 */
export function findFollowingEpisode<E extends EpisodeRef>(
  currentEpisode: EpisodeRef,
  episodes: readonly E[],
): E | undefined {
  let nextEpisode: E | undefined
  for (const episode of episodes) {
    if (isSpecial(episode) !== isSpecial(currentEpisode) || compareEpisodes(episode, currentEpisode) <= 0)
      continue
    if (!nextEpisode || compareEpisodes(episode, nextEpisode) < 0) nextEpisode = episode
  }
  return nextEpisode
}
