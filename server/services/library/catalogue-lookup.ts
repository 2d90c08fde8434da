/** Loads from the catalogue what is needed to match all files of the media folder, with few queries. */
import { foldSearchText } from '../../../src/lib/rules/fold-search-text.ts'
import type { Db } from '../../db/database.ts'
import type { LibraryFile } from '../../providers/library/library-index.ts'
import type { LibraryChoiceRow } from '../../queries/library-choice.ts'
import {
  ADMINISTRATOR_FILE_SOURCE,
  AUTOMATIC_FILE_SOURCE,
  joinFoldedName,
  type MatchableTitle,
  selectEpisodeNumbers,
  selectMatchableTitlesByIds,
  selectTitlesByExternalIds,
  selectTitlesByFoldedNames,
  selectTitlesByJoinedNames,
  type TitleFoundByName,
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
  findByTvdbId: (kind: TitleKind, tvdbId: number) => MatchableTitle | undefined
  /** Returns the titles that have this folded name in any language. */
  findByName: (kind: TitleKind, foldedName: string) => MatchableTitle[]
  /**
   * Returns the titles that have this folded name in any language if spaces and symbols are ignored. Titles are loaded
   * only for the names of files for which `findByName` finds no title (`listUnknownJoinedNames`).
   */
  findByJoinedName: (kind: TitleKind, foldedName: string) => MatchableTitle[]
  /**
   * True when the series has the episode. Always true for a series that was added from a file, because such a
   * series has the episodes of its files.
   */
  hasEpisode: (titleId: number, season: number, episode: number) => boolean
  /** Returns the episodes that were broadcast on this date, such as `2024-01-15`. */
  findEpisodesByDate: (titleId: number, airDate: string) => EpisodeInSeason[]
  /** Returns the episode at this position in the series, without specials. The first episode has position 1. */
  findEpisodeByPosition: (titleId: number, positionInSeries: number) => EpisodeInSeason | undefined
  /** True when the series was added from a file and the catalogue does not have the episode yet. */
  isNewEpisode: (titleId: number, season: number, episode: number) => boolean
}

/** Returns a lookup that contains only what these files and choices need. */
export async function loadCatalogueLookup(
  db: Db,
  files: readonly LibraryFile[],
  choices: readonly LibraryChoiceRow[],
): Promise<CatalogueLookup> {
  const imdbIds = new Set<string>()
  const tmdbIds = new Set<number>()
  const tvdbIds = new Set<number>()
  for (const { ids } of files) {
    if (ids.imdb) imdbIds.add(ids.imdb)
    if (ids.tmdb) tmdbIds.add(ids.tmdb)
    if (ids.tvdb) tvdbIds.add(ids.tvdb)
  }
  const namedFiles = files.map(({ kind, candidates }) => ({
    kind,
    foldedNames: candidates.map(({ title }) => foldSearchText(title)),
  }))
  const foldedNames = new Set(namedFiles.flatMap((file) => file.foldedNames))
  foldedNames.delete('')
  const titlesById = new Map<number, MatchableTitle>()
  const getOrAddTitle = (title: MatchableTitle) => {
    const knownTitle = titlesById.get(title.title_id) ?? title
    titlesById.set(title.title_id, knownTitle)
    return knownTitle
  }
  const titlesByImdbId = new Map<string, MatchableTitle>()
  const titlesByTmdbId = new Map<string, MatchableTitle>()
  const titlesByTvdbId = new Map<string, MatchableTitle>()
  for (const row of await selectTitlesByExternalIds(db, {
    imdbIds: [...imdbIds],
    tmdbIds: [...tmdbIds],
    tvdbIds: [...tvdbIds],
  })) {
    const title = getOrAddTitle(row)
    if (title.imdb_id) titlesByImdbId.set(`${title.type} ${title.imdb_id}`, title)
    if (title.tmdb_id) titlesByTmdbId.set(`${title.type} ${title.tmdb_id}`, title)
    if (title.tvdb_id) titlesByTvdbId.set(`${title.type} ${title.tvdb_id}`, title)
  }
  const groupByName = (rows: TitleFoundByName[]) => {
    const titlesByNameKey = new Map<string, MatchableTitle[]>()
    for (const { found_name, ...row } of rows) {
      const nameKey = `${row.type} ${found_name}`
      titlesByNameKey.set(nameKey, [...(titlesByNameKey.get(nameKey) ?? []), getOrAddTitle(row)])
    }
    return titlesByNameKey
  }
  const titlesByName = groupByName(await selectTitlesByFoldedNames(db, [...foldedNames]))
  const joinedNames = listUnknownJoinedNames(namedFiles, titlesByName)
  const titlesByJoinedName = groupByName(await selectTitlesByJoinedNames(db, [...joinedNames]))
  const chosenTitleIds = choices.flatMap((choice) => choice.title_id ?? [])
  for (const row of await selectMatchableTitlesByIds(db, chosenTitleIds)) getOrAddTitle(row)
  const seriesIds = [...titlesById.values()].flatMap((title) => (title.type === 'tv' ? title.title_id : []))
  const episodeRows = await selectEpisodeNumbers(db, seriesIds)
  const episodeKeys = new Set(
    episodeRows.map(
      ({ title_id, season_number, episode_number }) => `${title_id} ${season_number} ${episode_number}`,
    ),
  )
  const episodesByDate = Map.groupBy(episodeRows, ({ title_id, air_date }) => `${title_id} ${air_date}`)
  const regularEpisodesByTitleId = Map.groupBy(
    episodeRows
      .filter(({ season_number }) => season_number > 0)
      .toSorted((a, b) => a.season_number - b.season_number || a.episode_number - b.episode_number),
    ({ title_id }) => title_id,
  )
  const toEpisodeInSeason = (row: (typeof episodeRows)[number]): EpisodeInSeason => ({
    season: row.season_number,
    episode: row.episode_number,
  })
  const isTitleFromFile = (titleId: number) =>
    [ADMINISTRATOR_FILE_SOURCE, AUTOMATIC_FILE_SOURCE].includes(titlesById.get(titleId)?.source ?? '')
  return {
    findById: (titleId) => titlesById.get(titleId),
    findByImdbId: (kind, imdbId) => titlesByImdbId.get(`${kind} ${imdbId}`),
    findByTmdbId: (kind, tmdbId) => titlesByTmdbId.get(`${kind} ${tmdbId}`),
    findByTvdbId: (kind, tvdbId) => titlesByTvdbId.get(`${kind} ${tvdbId}`),
    findByName: (kind, foldedName) => titlesByName.get(`${kind} ${foldedName}`) ?? [],
    findByJoinedName: (kind, foldedName) =>
      titlesByJoinedName.get(`${kind} ${joinFoldedName(foldedName)}`) ?? [],
    hasEpisode: (titleId, season, episode) =>
      episodeKeys.has(`${titleId} ${season} ${episode}`) || isTitleFromFile(titleId),
    findEpisodesByDate(titleId, airDate) {
      const rows = episodesByDate.get(`${titleId} ${airDate}`)
      if (rows) return rows.map(toEpisodeInSeason)
      // A series that was added from files has one episode for each date in the names of its files. For example,
      // 2024-01-15 is episode 115 of season 2024.
      const [year, month, day] = airDate.split('-').map(Number) as [number, number, number]
      return isTitleFromFile(titleId) ? [{ season: year, episode: month * 100 + day }] : []
    },
    findEpisodeByPosition(titleId, positionInSeries) {
      const row = regularEpisodesByTitleId.get(titleId)?.[positionInSeries - 1]
      return row && toEpisodeInSeason(row)
    },
    isNewEpisode: (titleId, season, episode) =>
      isTitleFromFile(titleId) && !episodeKeys.has(`${titleId} ${season} ${episode}`),
  }
}

/** Returns the joined names of the files whose names are all unknown to the catalogue. */
function listUnknownJoinedNames(
  files: readonly { kind: TitleKind; foldedNames: string[] }[],
  titlesByName: ReadonlyMap<string, MatchableTitle[]>,
): Set<string> {
  const joinedNames = new Set<string>()
  for (const { kind, foldedNames } of files) {
    if (foldedNames.some((foldedName) => titlesByName.has(`${kind} ${foldedName}`))) continue
    for (const foldedName of foldedNames) joinedNames.add(joinFoldedName(foldedName))
  }
  joinedNames.delete('')
  return joinedNames
}
