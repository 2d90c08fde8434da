/** Decides which episodes are spoilers for a profile. */
import { compareEpisodes, type EpisodeRef, findFollowingEpisode, isSpecial } from './episode-order.ts'

interface EpisodeProgress {
  season?: number | undefined
  episode?: number | undefined
  finished: boolean
}
interface SeasonRange {
  season_number: number
  first_episode: number | null
  last_episode: number | null
}

/**
 * Returns whether the title, text or picture of an episode may reveal what the profile has not seen. That is the case
 * when the episode has no progress and comes after the next episode to watch. Specials have no fixed place in the
 * story, so every special without progress is a spoiler.
 */
export function isSpoiler(
  episode: EpisodeRef,
  progress: readonly EpisodeProgress[],
  seasons: readonly SeasonRange[],
): boolean {
  const records = progress.map(({ season = 0, episode: episodeNumber = 0, finished }) => ({
    season_number: season,
    episode_number: episodeNumber,
    finished,
  }))
  if (records.some((record) => compareEpisodes(record, episode) === 0)) return false
  return isSpecial(episode) || compareEpisodes(episode, findNextEpisodeRef(records, seasons)) > 0
}

/** Returns the episode without the facts that can reveal the story: its title, its overview and its picture. */
export const removeSpoilers = <E extends object>(episode: E) => ({
  ...episode,
  title: null,
  overview: null,
  still_path: null,
})

/**
 * Returns the next episode to watch: the furthest episode with progress if it is unfinished, else the episode after it.
 * The function knows only the first and the last episode of each season, and assumes that every number between them has
 * an episode.
 */
function findNextEpisodeRef(
  records: readonly (EpisodeRef & { finished: boolean })[],
  seasons: readonly SeasonRange[],
): EpisodeRef {
  const furthestRecord = records.reduce((a, b) => (compareEpisodes(b, a) > 0 ? b : a), {
    season_number: 1,
    episode_number: -1,
    finished: true,
  })
  if (!furthestRecord.finished) return furthestRecord
  const { season_number, episode_number } = furthestRecord
  const boundaryEpisodes = seasons.flatMap((season) =>
    [season.first_episode, season.last_episode].flatMap((boundaryNumber) =>
      // If an earlier version of the site has cached the reply, the reply lacks these numbers.
      typeof boundaryNumber === 'number'
        ? { season_number: season.season_number, episode_number: boundaryNumber }
        : [],
    ),
  )
  const nextBoundary = findFollowingEpisode(furthestRecord, boundaryEpisodes)
  if (!nextBoundary) return { season_number: Number.POSITIVE_INFINITY, episode_number: 1 }
  if (nextBoundary.season_number > season_number) return nextBoundary
  const firstEpisodeNumber =
    seasons.find((season) => season.season_number === season_number)?.first_episode ?? 1
  return { season_number, episode_number: Math.max(episode_number + 1, firstEpisodeNumber) }
}
