/** Determines the season and episode of a row, and the keys under which the user's decisions about it are stored. */

import { foldTitle } from '../../../src/lib/rules/fold-title.ts'
import { findEpisodeByTitle, type SeasonEpisode } from '../../importers/history/find-episode-by-title.ts'
import type { HistoryRow, TitleReading } from '../../importers/history/history-row.ts'
import type { TitleMatch } from '../../importers/history/title-match.ts'
import type { CatalogueTitle } from './catalogue-candidates.ts'

/** Season or episode number of a viewing whose number is unknown. */
export const UNKNOWN_NUMBER = -1
/**
 * Minimum number of different texts with the same series name. From this number on, one decision of the user applies
 * to all of these texts, such as `Show: Pilot` and `Show: Finale`.
 */
const MIN_SIBLING_COUNT = 2

/**
 * Returns the season and the episode of a reading. Both are 0 for a movie. An episode is found by its number,
 * otherwise by its title. If the series has only one season, the reading need not name the season. An unknown
 * number is `UNKNOWN_NUMBER`: the viewing is stored, but no episode is marked as watched.
 */
export function findSeasonEpisode(title: CatalogueTitle, reading: TitleReading): SeasonEpisode {
  if (title.type === 'movie') return { season: 0, episode: 0 }
  const episodeByTitle = findEpisodeByTitle(title, reading)
  if (reading.episode === undefined && episodeByTitle) return episodeByTitle
  const seasons = new Set(
    title.episodes.map((episode) => episode.season_number).filter((season) => season > 0),
  )
  const onlySeason = seasons.size === 1 ? [...seasons][0] : undefined
  const hasEpisode = reading.episode !== undefined || reading.episodeTitle !== undefined
  const season = reading.season ?? episodeByTitle?.season ?? (hasEpisode ? onlySeason : undefined)
  if (season === undefined && reading.isCounted) return findAbsoluteEpisode(title, reading.episode ?? 0)
  if (season === undefined) return { season: UNKNOWN_NUMBER, episode: UNKNOWN_NUMBER }
  return { season, episode: reading.episode ?? UNKNOWN_NUMBER }
}

/**
 * The sorted episodes of each series. A file can contain a row for each episode, so the episodes are sorted only once.
 */
const sortedEpisodesByTitle = new WeakMap<CatalogueTitle, CatalogueTitle['episodes']>()

/**
 * Returns the episode with this number, counted over all seasons without the specials. If the series has fewer
 * episodes, both numbers are `UNKNOWN_NUMBER`.
 */
function findAbsoluteEpisode(title: CatalogueTitle, episodeNumber: number): SeasonEpisode {
  const sortedEpisodes =
    sortedEpisodesByTitle.get(title) ??
    title.episodes
      .filter((episode) => episode.season_number > 0)
      .sort((a, b) => a.season_number - b.season_number || a.episode_number - b.episode_number)
  sortedEpisodesByTitle.set(title, sortedEpisodes)
  const absoluteEpisode = sortedEpisodes[episodeNumber - 1]
  return {
    season: absoluteEpisode?.season_number ?? UNKNOWN_NUMBER,
    episode: absoluteEpisode?.episode_number ?? UNKNOWN_NUMBER,
  }
}

/**
 * Returns the interpretation of a row (`TitleReading`) that fits the title. For a movie, returns the row itself. For a
 * series, returns the first series reading whose name is a name of the title, else the first series reading, else the
 * row.
 */
export function selectReading(row: HistoryRow, title: CatalogueTitle): TitleReading {
  if (title.type === 'movie') return row
  const seriesReadings = [row as TitleReading, ...(row.readings ?? [])].filter(({ type }) => type === 'tv')
  const foldedTitles = new Set(title.titles.map(foldTitle))
  return (
    seriesReadings.find((reading) => foldedTitles.has(foldTitle(reading.title))) ?? seriesReadings[0] ?? row
  )
}

export interface ChoiceKeys {
  /** Key of the title text in the file. */
  textKey: string
  /** Key of all rows that one decision applies to: for `Show: Episode`, the key of the show. */
  rowKey: string
}

/** Returns the keys under which a decision about this row will be stored. */
export function buildChoiceKeys(row: HistoryRow, match: TitleMatch): ChoiceKeys {
  const textKey = buildChoiceKey(row, row)
  const reading = selectSeriesReading(row, match)
  return { textKey, rowKey: reading ? buildChoiceKey(row, reading) : textKey }
}

/** Returns all keys under which a decision about this row may be stored, the most specific first. */
export function listChoiceKeys(row: HistoryRow): string[] {
  const seriesReadings = (row.readings ?? []).filter(isSharedReading)
  return [buildChoiceKey(row, row), ...seriesReadings.map((reading) => buildChoiceKey(row, reading))]
}

/** True if the reading is an episode of a series to which at least MIN_SIBLING_COUNT texts of the file belong. */
const isSharedReading = ({ type, siblings: siblingCount = 0 }: TitleReading) =>
  type === 'tv' && siblingCount >= MIN_SIBLING_COUNT

/**
 * Returns the reading of the row as an episode, if one decision of the user should apply to all rows of the series.
 * Otherwise returns undefined.
 */
function selectSeriesReading(row: HistoryRow, match: TitleMatch): TitleReading | undefined {
  const likelyTitle = match.title ?? match.candidates[0]
  if (likelyTitle?.type === 'tv' && match.reading?.type === 'tv') {
    return (match.reading.siblings ?? MIN_SIBLING_COUNT) >= MIN_SIBLING_COUNT ? match.reading : undefined
  }
  if (likelyTitle) return undefined
  return row.readings?.find(isSharedReading)
}

/**
 * Returns the key under which a decision about a title text is stored. The format of the keys must not change, because
 * the database contains keys of earlier decisions.
 */
function buildChoiceKey({ ids, year }: HistoryRow, { title, type }: TitleReading): string {
  const externalId = ids.imdb ?? ids.tmdb ?? ids.tvdb ?? ids.trakt ?? ''
  return [type ?? '', foldTitle(title).slice(0, 300), year ?? '', externalId].join('|')
}
