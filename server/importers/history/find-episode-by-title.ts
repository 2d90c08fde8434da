/** Finds an episode by its title. Many history files contain the titles of episodes, but not their numbers. */
import { foldTitle } from '../../../src/lib/rules/fold-title.ts'
import type { TitleReading } from './history-row.ts'

export interface SeriesEpisodes {
  episodes?: readonly { season_number: number; episode_number: number; titles: readonly string[] }[]
}

/** Episodes by folded title. They are cached per series, because every row of the series needs them. */
const episodesByTitleCache = new WeakMap<SeriesEpisodes, Map<string, SeasonEpisode[]>>()

function indexEpisodes(series: SeriesEpisodes): Map<string, SeasonEpisode[]> {
  const cachedEpisodes = episodesByTitleCache.get(series)
  if (cachedEpisodes) return cachedEpisodes
  const episodesByTitle = new Map<string, SeasonEpisode[]>()
  for (const { season_number: season, episode_number: episode, titles } of series.episodes ?? []) {
    for (const foldedTitle of new Set(titles.map(foldTitle))) {
      episodesByTitle.set(foldedTitle, [...(episodesByTitle.get(foldedTitle) ?? []), { season, episode }])
    }
  }
  episodesByTitleCache.set(series, episodesByTitle)
  return episodesByTitle
}

export interface SeasonEpisode {
  season: number
  episode: number
}

/**
 * Returns the episode with the episode title of the reading. If the reading also has a season or an episode number,
 * the episode must have the same numbers. Returns null if no episode or several episodes match.
 */
export function findEpisodeByTitle(
  series: SeriesEpisodes,
  { season, episode, episodeTitle }: TitleReading,
): SeasonEpisode | null {
  if (!episodeTitle) return null
  const episodesWithTitle = indexEpisodes(series).get(foldTitle(episodeTitle)) ?? []
  const matches = episodesWithTitle.filter(
    (seasonEpisode) =>
      (season === undefined || seasonEpisode.season === season) &&
      (episode === undefined || seasonEpisode.episode === episode),
  )
  return matches.length === 1 ? (matches[0] ?? null) : null
}
