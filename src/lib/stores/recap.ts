/** The recap of a series. It contains only overviews of episodes that the profile has seen, to avoid spoilers. */
import { callApi } from '../client/call.ts'
import * as catalogue from '../contract/catalogue.ts'
import type { Episode, Season } from '../contract/media.ts'
import type { PlaybackProgress } from '../contract/progress.ts'

export interface Recap {
  /** Episodes with an overview, in the order of the series. */
  episodes: Episode[]
  /** True when the profile has seen earlier episodes with an overview, or any episodes of an earlier season. */
  hasEarlierEpisodes: boolean
}

/**
 * Returns the last `episodeCount` seen episodes that have an overview. Requests only the seasons that are needed,
 * newest first.
 */
export async function loadRecap(
  seasons: readonly Season[],
  progressRecords: readonly PlaybackProgress[],
  episodeCount: number,
): Promise<Recap> {
  const finishedRecords = progressRecords.filter((record) => record.finished)
  const seenSeasons = seasons
    .filter((season) => finishedRecords.some((record) => record.season === season.season_number))
    .sort((a, b) => b.season_number - a.season_number)
  let episodes: Episode[] = []
  for (const [index, season] of seenSeasons.entries()) {
    const { results } = await callApi(catalogue.listEpisodes, { params: { id: season.id } })
    const seenEpisodes = results.filter(
      (episode) =>
        episode.overview &&
        finishedRecords.some(
          (record) => record.season === episode.season_number && record.episode === episode.episode_number,
        ),
    )
    episodes = [...seenEpisodes, ...episodes]
    if (episodes.length >= episodeCount) {
      const hasEarlierEpisodes = episodes.length > episodeCount || index < seenSeasons.length - 1
      return { episodes: episodes.slice(-episodeCount), hasEarlierEpisodes }
    }
  }
  return { episodes, hasEarlierEpisodes: false }
}
