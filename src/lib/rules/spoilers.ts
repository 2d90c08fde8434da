/** Decides which episodes are spoilers for a profile. */
import { compareEpisodes, type EpisodeRef, isSpecial } from './episode-order.ts'

interface EpisodeProgress {
  season?: number | undefined
  episode?: number | undefined
  finished: boolean
}
interface SeasonSize {
  season_number: number
  episode_count: number
}

/**
 * Returns whether the text of an episode may reveal what the profile has not seen. That is the case when the episode
 * has no progress and comes after the next episode to watch. Specials have no fixed place in the story, so every
 * special without progress is a spoiler.
 */
export function isSpoiler(
  episode: EpisodeRef,
  progress: readonly EpisodeProgress[],
  seasons: readonly SeasonSize[],
): boolean {
  const records = progress.map(({ season = 0, episode: episodeNumber = 0, finished }) => ({
    season_number: season,
    episode_number: episodeNumber,
    finished,
  }))
  if (records.some((record) => compareEpisodes(record, episode) === 0)) return false
  return isSpecial(episode) || compareEpisodes(episode, findNextEpisodeRef(records, seasons)) > 0
}

/** Returns the next episode to watch: the furthest episode if it is unfinished, else the episode after it. */
function findNextEpisodeRef(
  records: readonly (EpisodeRef & { finished: boolean })[],
  seasons: readonly SeasonSize[],
): EpisodeRef {
  const regularSeasons = seasons.filter((season) => season.season_number > 0)
  const findFirstSeasonNumber = (afterSeasonNumber: number) =>
    Math.min(
      ...regularSeasons
        .map((season) => season.season_number)
        .filter((seasonNumber) => seasonNumber > afterSeasonNumber),
    )
  const furthestRecord = records.reduce((a, b) => (compareEpisodes(b, a) > 0 ? b : a), {
    season_number: findFirstSeasonNumber(0),
    episode_number: 0,
    finished: true,
  })
  if (!furthestRecord.finished) return furthestRecord
  const season = regularSeasons.find((candidate) => candidate.season_number === furthestRecord.season_number)
  return furthestRecord.episode_number < (season?.episode_count ?? 0)
    ? { season_number: furthestRecord.season_number, episode_number: furthestRecord.episode_number + 1 }
    : { season_number: findFirstSeasonNumber(furthestRecord.season_number), episode_number: 1 }
}
