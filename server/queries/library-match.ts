/**
 * Reads the titles and episodes to which files of the media folder and items of media servers may belong. The order of
 * the titles is fixed, so that a second scan of the same files changes nothing.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { padToPowerOfTwo } from './insert-rows.ts'
import { splitIntoChunks } from './library-file.ts'
import { queryUndeletedTitles } from './title-scope.ts'

/** Value of `title.source` for titles that administrators added from a file. */
export const ADMINISTRATOR_FILE_SOURCE = 'file'
/** Value of `title.source` for titles that were added automatically from the names of files. */
export const AUTOMATIC_FILE_SOURCE = 'file_name'

export interface MatchableTitle {
  title_id: number
  type: string
  imdb_id: string | null
  tmdb_id: number | null
  tvdb_id: number | null
  source: string
  year: number | null
}
const MATCHABLE_TITLE_COLUMNS = [
  'title.title_id',
  'title.type',
  'title.imdb_id',
  'title.tmdb_id',
  'title.tvdb_id',
  'title.source',
  'title.year',
] as const

/**
 * Returns the titles with these external ids, including hidden titles but not deleted titles. Without the hidden
 * titles, the file of a hidden title could be matched to a visible title.
 */
export async function selectTitlesByExternalIds(
  db: Db,
  { imdbIds, tmdbIds, tvdbIds = [] }: { imdbIds: string[]; tmdbIds: number[]; tvdbIds?: number[] },
): Promise<MatchableTitle[]> {
  const titles: MatchableTitle[] = []
  const query = queryUndeletedTitles(db).select(MATCHABLE_TITLE_COLUMNS).orderBy('title.title_id')
  for (const imdbIdChunk of splitIntoChunks(imdbIds))
    titles.push(...(await query.where('imdb_id', 'in', padToPowerOfTwo(imdbIdChunk)).execute()))
  for (const tmdbIdChunk of splitIntoChunks(tmdbIds))
    titles.push(
      ...(await query
        .where('type', 'in', ['movie', 'tv'])
        .where('tmdb_id', 'in', padToPowerOfTwo(tmdbIdChunk))
        .execute()),
    )
  for (const tvdbIdChunk of splitIntoChunks(tvdbIds))
    titles.push(...(await query.where('tvdb_id', 'in', padToPowerOfTwo(tvdbIdChunk)).execute()))
  return titles
}

/** Returns those of the titles `titleIds` that are not deleted. */
export async function selectMatchableTitlesByIds(db: Db, titleIds: number[]): Promise<MatchableTitle[]> {
  const titles: MatchableTitle[] = []
  for (const titleIdChunk of splitIntoChunks(titleIds))
    titles.push(
      ...(await queryUndeletedTitles(db)
        .select(MATCHABLE_TITLE_COLUMNS)
        .where('title_id', 'in', padToPowerOfTwo(titleIdChunk))
        .orderBy('title.title_id')
        .execute()),
    )
  return titles
}

/** A title with the name by which it was found. */
export type TitleFoundByName = MatchableTitle & { found_name: string }

async function selectTitlesByNames(
  db: Db,
  nameSql: RawBuilder<string>,
  names: string[],
): Promise<TitleFoundByName[]> {
  const titles: TitleFoundByName[] = []
  for (const nameChunk of splitIntoChunks(names))
    titles.push(
      ...(await queryUndeletedTitles(db)
        .innerJoin('title_name', 'title_name.title_id', 'title.title_id')
        .select([...MATCHABLE_TITLE_COLUMNS, nameSql.as('found_name')])
        .distinct()
        .where(nameSql, 'in', padToPowerOfTwo(nameChunk))
        .orderBy('title.title_id')
        .execute()),
    )
  return titles
}

/** Returns the titles that have one of these folded names in any language, except deleted titles. */
export const selectTitlesByFoldedNames = (db: Db, foldedNames: string[]): Promise<TitleFoundByName[]> =>
  selectTitlesByNames(db, sql.ref('title_name.folded'), foldedNames)

/** The folded name without spaces, `+`, `%` and `#`. The index `title_name_joined` contains the same expression. */
const JOINED_NAME_EXPRESSION = sql<string>`replace(replace(replace(replace(title_name.folded, ' ', ''), '+', ''), '%', ''), '#', '')`

/** Removes from a folded name the characters that `JOINED_NAME_EXPRESSION` removes. */
export const joinFoldedName = (foldedName: string) => foldedName.replace(/[ +%#]/g, '')

/**
 * Returns the titles that have one of these joined names in any language, except deleted titles. The name of a file may
 * lack characters that its title contains but file systems forbid: `FaceOff` for `Face/Off`.
 */
export const selectTitlesByJoinedNames = (db: Db, joinedNames: string[]): Promise<TitleFoundByName[]> =>
  selectTitlesByNames(db, JOINED_NAME_EXPRESSION, joinedNames)

/**
 * True when a title and a file may belong together: their years differ by at most one, or one of the years is not
 * known.
 */
export const isYearCompatible = (titleYear: number | null, fileYear: number | null) =>
  fileYear === null || titleYear === null || Math.abs(titleYear - fileYear) <= 1

/** Returns the titles of this type that are marked as deleted and have this folded name in any language. */
export async function selectDeletedTitlesByFoldedName(
  db: Db,
  type: string,
  foldedName: string,
): Promise<MatchableTitle[]> {
  return db
    .selectFrom('title')
    .innerJoin('title_name', 'title_name.title_id', 'title.title_id')
    .select(MATCHABLE_TITLE_COLUMNS)
    .distinct()
    .where('title.type', '=', type)
    .where('title.deleted_at', 'is not', null)
    .where('title_name.folded', '=', foldedName)
    .execute()
}

/** Returns a row for each folded name of these titles, including hidden and deleted titles. */
export async function selectNamesOfTitles(
  db: Db,
  titleIds: number[],
): Promise<(MatchableTitle & { folded: string })[]> {
  return db
    .selectFrom('title')
    .innerJoin('title_name', 'title_name.title_id', 'title.title_id')
    .select([...MATCHABLE_TITLE_COLUMNS, 'title_name.folded'])
    .distinct()
    .where('title.title_id', 'in', padToPowerOfTwo(titleIds))
    .execute()
}

/** Returns the season and episode numbers of these series, with the IMDb ids and the dates of the episodes. */
export async function selectEpisodeNumbers(db: Db, titleIds: number[]) {
  const episodes: {
    title_id: number
    season_number: number
    episode_number: number
    imdb_id: string | null
    air_date: string | null
  }[] = []
  for (const titleIdChunk of splitIntoChunks(titleIds))
    episodes.push(
      ...(await db
        .selectFrom('episode')
        .select(['title_id', 'season_number', 'episode_number', 'imdb_id', 'air_date'])
        .where('title_id', 'in', padToPowerOfTwo(titleIdChunk))
        .execute()),
    )
  return episodes
}

export type TitleNamedByFile = MatchableTitle & { original_title: string }

/**
 * Returns the titles that were added automatically from the names of files, and that no other source has updated since.
 */
export async function selectTitlesNamedByFiles(db: Db): Promise<TitleNamedByFile[]> {
  return queryUndeletedTitles(db)
    .select([...MATCHABLE_TITLE_COLUMNS, 'title.original_title'])
    .where('title.source', '=', AUTOMATIC_FILE_SOURCE)
    .orderBy('title.title_id')
    .execute()
}

/** Sets the TMDB id of a title that has none. Does nothing when another title of the same type has this id. */
export async function setMissingTmdbId(db: Db, titleId: number, tmdbId: number): Promise<void> {
  await db
    .updateTable('title')
    .set({ tmdb_id: tmdbId })
    .where('title_id', '=', titleId)
    .where('tmdb_id', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('title as other')
            .select('other.title_id')
            .whereRef('other.type', '=', 'title.type')
            .where('other.tmdb_id', '=', tmdbId),
        ),
      ),
    )
    .execute()
}
