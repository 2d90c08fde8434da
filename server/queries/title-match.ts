/** Finds the existing titles of a batch by IMDb id, then by TMDB id. */
import type { Db } from '../db/database.ts'
import { padToPowerOfTwo } from './insert-rows.ts'
import { selectEditedIds } from './title-edit.ts'
import type { TitleRecordIds } from './title-record.ts'

export interface KnownTitle {
  title_id: number
  type: string
  imdb_id: string | null
  tmdb_id: number | null
  tvdb_id: number | null
  source: string
  source_hash: string
  /** JSON object of the columns that an administrator had set before the table `title_edit` existed. */
  edited: string
  /** Time at which the title was put into the bin; null when it is not in the bin. */
  deleted_at: number | null
  /**
   * True when an administrator has set an id of the title. If one id of a record is that of the title and the other id
   * differs, `findMatch` then returns the title and not `clash`.
   */
  has_edited_ids: unknown
}

export interface TitleMatcher {
  /**
   * Returns the existing title of a record; undefined when there is none. Returns `clash` when the ids of the record
   * belong to two titles or to a title of the other type. Also returns `clash` when one id of the record is that of the
   * title and the other id differs, unless `has_edited_ids` is true.
   */
  findMatch: (record: TitleRecordIds) => KnownTitle | 'clash' | undefined
}

/**
 * Loads the existing titles of a batch of records. A title whose id was replaced by an administrator is also found by
 * its imported id, unless another title now has that id.
 */
export async function loadTitleMatcher(db: Db, records: readonly TitleRecordIds[]): Promise<TitleMatcher> {
  const imdbIds = records.flatMap((record) => record.imdb_id ?? [])
  const tmdbIds = records.flatMap((record) => record.tmdb_id ?? [])
  const titleQuery = db
    .selectFrom('title')
    .select([
      'title_id',
      'type',
      'imdb_id',
      'tmdb_id',
      'tvdb_id',
      'source',
      'source_hash',
      'edited',
      'deleted_at',
    ])
    .select((eb) =>
      eb
        .exists(
          eb
            .selectFrom('title_edit')
            .select('title_edit.title_id')
            .whereRef('title_edit.title_id', '=', 'title.title_id')
            .where('title_edit.field', 'in', ['imdb_id', 'tmdb_id']),
        )
        .as('has_edited_ids'),
    )
  const editedImdbIds = await selectEditedIds(db, 'imdb_id', imdbIds)
  const editedTmdbIds = await selectEditedIds(db, 'tmdb_id', tmdbIds)
  const editedTitleIds = [...editedImdbIds, ...editedTmdbIds].map(({ titleId }) => titleId)
  const editedTitles =
    editedTitleIds.length > 0 ? await titleQuery.where('title_id', 'in', editedTitleIds).execute() : []
  const editedTitleById = new Map<number, KnownTitle>(editedTitles.map((row) => [row.title_id, row]))
  const titleByImdbId = new Map<string, KnownTitle>()
  const titleByTmdbId = new Map<string, KnownTitle>()
  for (const { titleId, id } of editedImdbIds) {
    const row = editedTitleById.get(titleId)
    if (row) titleByImdbId.set(String(id), row)
  }
  for (const { titleId, id } of editedTmdbIds) {
    const row = editedTitleById.get(titleId)
    if (row) titleByTmdbId.set(`${row.type} ${id}`, row)
  }
  if (imdbIds.length > 0) {
    for (const row of await titleQuery.where('imdb_id', 'in', padToPowerOfTwo(imdbIds)).execute())
      titleByImdbId.set(row.imdb_id ?? '', row)
  }
  for (const type of tmdbIds.length > 0 ? ['movie', 'tv'] : []) {
    const rows = await titleQuery
      .where('type', '=', type)
      .where('tmdb_id', 'in', padToPowerOfTwo(tmdbIds))
      .execute()
    for (const row of rows) titleByTmdbId.set(`${type} ${row.tmdb_id}`, row)
  }
  return {
    findMatch(record) {
      const imdbMatch = record.imdb_id ? titleByImdbId.get(record.imdb_id) : undefined
      const tmdbMatch =
        record.tmdb_id === undefined ? undefined : titleByTmdbId.get(`${record.type} ${record.tmdb_id}`)
      if (imdbMatch) {
        if (imdbMatch.type !== record.type) return 'clash'
        if (tmdbMatch && tmdbMatch.title_id !== imdbMatch.title_id) return 'clash'
        const hasOtherTmdbId = imdbMatch.tmdb_id && record.tmdb_id && imdbMatch.tmdb_id !== record.tmdb_id
        return hasOtherTmdbId && !imdbMatch.has_edited_ids ? 'clash' : imdbMatch
      }
      const hasOtherImdbId = tmdbMatch?.imdb_id && record.imdb_id && tmdbMatch.imdb_id !== record.imdb_id
      return hasOtherImdbId && !tmdbMatch.has_edited_ids ? 'clash' : tmdbMatch
    },
  }
}
