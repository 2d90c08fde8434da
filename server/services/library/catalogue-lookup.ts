/** Loads from the catalogue what is needed to match all files of the media folder, with few queries. */
import { foldSearchText } from '../../../src/lib/rules/fold-search-text.ts'
import type { Db } from '../../db/database.ts'
import type { LibraryFile } from '../../providers/library/library-index.ts'
import type { LibraryChoiceRow } from '../../queries/library-choice.ts'
import {
  AUTOMATIC_FILE_SOURCE,
  FILE_SOURCE,
  type MatchableTitle,
  selectEpisodeNumbers,
  selectTitlesByExternalIds,
  selectTitlesByFoldedNames,
  selectTitlesForChoices,
} from '../../queries/library-match.ts'

type TitleKind = LibraryFile['kind']
export interface EpisodeInSeason {
  season: number
  episode: number
}

export interface CatalogueLookup {
  findById: (titleId: number) => MatchableTitle | undefined
  findByImdbId: (kind: TitleKind, imdbId: string) => MatchableTitle | undefined
  findByTmdbId: (kind: TitleKind, tmdbId: number) => MatchableTitle | undefined
  /** Returns the titles that have this folded name in any language. */
  findByName: (kind: TitleKind, foldedName: string) => MatchableTitle[]
  /**
   * True when the series has the episode. Always true for a series that was added from a file, because such a
   * series has the episodes of its files.
   */
  hasEpisode: (titleId: number, season: number, episode: number) => boolean
  /** Returns the episodes that were broadcast on this date, such as `2024-01-15`. */
  findEpisodesByDate: (titleId: number, airDate: string) => EpisodeInSeason[]
  /** Returns the episode at this position in all seasons without specials. The first position is 1. */
  findEpisodeByPosition: (titleId: number, position: number) => EpisodeInSeason | undefined
  /** True when the catalogue does not have the episode yet. */
  isNewEpisode: (titleId: number, season: number, episode: number) => boolean
}

/** Returns a lookup for exactly these files and choices. */
export async function loadCatalogueLookup(
  db: Db,
  files: readonly LibraryFile[],
  choices: readonly LibraryChoiceRow[],
): Promise<CatalogueLookup> {
  const imdbIds = new Set<string>()
  const tmdbIds = new Set<number>()
  const names = new Set<string>()
  for (const { ids, candidates } of files) {
    if (ids.imdb) imdbIds.add(ids.imdb)
    if (ids.tmdb) tmdbIds.add(ids.tmdb)
    for (const { title } of candidates) names.add(foldSearchText(title))
  }
  names.delete('')
  const titlesById = new Map<number, MatchableTitle>()
  const keepFirst = (title: MatchableTitle) => {
    const knownTitle = titlesById.get(title.title_id) ?? title
    titlesById.set(title.title_id, knownTitle)
    return knownTitle
  }
  const byImdbId = new Map<string, MatchableTitle>()
  const byTmdbId = new Map<string, MatchableTitle>()
  const byName = new Map<string, MatchableTitle[]>()
  for (const row of await selectTitlesByExternalIds(db, { imdbIds: [...imdbIds], tmdbIds: [...tmdbIds] })) {
    const title = keepFirst(row)
    if (title.imdb_id) byImdbId.set(`${title.type} ${title.imdb_id}`, title)
    if (title.tmdb_id) byTmdbId.set(`${title.type} ${title.tmdb_id}`, title)
  }
  for (const { folded, ...row } of await selectTitlesByFoldedNames(db, [...names])) {
    const key = `${row.type} ${folded}`
    byName.set(key, [...(byName.get(key) ?? []), keepFirst(row)])
  }
  const chosenIds = choices.flatMap((choice) => choice.title_id ?? [])
  for (const row of await selectTitlesForChoices(db, chosenIds)) keepFirst(row)
  const seriesIds = [...titlesById.values()].flatMap((title) => (title.type === 'tv' ? title.title_id : []))
  const episodeRows = await selectEpisodeNumbers(db, seriesIds)
  const episodes = new Set(
    episodeRows.map(
      ({ title_id, season_number, episode_number }) => `${title_id} ${season_number} ${episode_number}`,
    ),
  )
  const byDate = Map.groupBy(episodeRows, ({ title_id, air_date }) => `${title_id} ${air_date}`)
  const regularEpisodes = Map.groupBy(
    episodeRows
      .filter(({ season_number }) => season_number > 0)
      .toSorted((a, b) => a.season_number - b.season_number || a.episode_number - b.episode_number),
    ({ title_id }) => title_id,
  )
  const toEpisodeInSeason = (row: (typeof episodeRows)[number]): EpisodeInSeason => ({
    season: row.season_number,
    episode: row.episode_number,
  })
  const isFromFile = (titleId: number) =>
    [FILE_SOURCE, AUTOMATIC_FILE_SOURCE].includes(titlesById.get(titleId)?.source ?? '')
  return {
    findById: (titleId) => titlesById.get(titleId),
    findByImdbId: (kind, imdbId) => byImdbId.get(`${kind} ${imdbId}`),
    findByTmdbId: (kind, tmdbId) => byTmdbId.get(`${kind} ${tmdbId}`),
    findByName: (kind, foldedName) => byName.get(`${kind} ${foldedName}`) ?? [],
    hasEpisode: (titleId, season, episode) =>
      episodes.has(`${titleId} ${season} ${episode}`) || isFromFile(titleId),
    findEpisodesByDate(titleId, airDate) {
      const rows = byDate.get(`${titleId} ${airDate}`)
      if (rows) return rows.map(toEpisodeInSeason)
      // A series that was added from files has one episode for each date in the names of its files.
      const [year, month, day] = airDate.split('-').map(Number) as [number, number, number]
      return isFromFile(titleId) ? [{ season: year, episode: month * 100 + day }] : []
    },
    findEpisodeByPosition(titleId, position) {
      const row = regularEpisodes.get(titleId)?.[position - 1]
      return row && toEpisodeInSeason(row)
    },
    isNewEpisode: (titleId, season, episode) =>
      isFromFile(titleId) && !episodes.has(`${titleId} ${season} ${episode}`),
  }
}
