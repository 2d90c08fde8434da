/** Reads titles for the browse index (server/browse/), which filters and sorts lists of titles. */

import { sql } from 'kysely'
import { foldSearchText } from '../../src/lib/rules/fold-search-text.ts'
import { getTitleSortKey, removeArticle } from '../../src/lib/rules/slug.ts'
import { ORIGINAL_LANGUAGE } from '../../src/lib/rules/title-options.ts'
import type { SortName } from '../browse/title-order.ts'
import type { BrowseTitle } from '../browse/types.ts'
import type { Db } from '../db/database.ts'
import { padToPowerOfTwo } from './insert-rows.ts'
import { containsFoldedText, containsText } from './text-match.ts'
import type { TitleRow, TitleType } from './title.ts'
import { type Audience, queryUndeletedTitles, queryVisibleTitles } from './title-scope.ts'

const BROWSE_COLUMNS = [
  'title_id',
  'type',
  'published',
  'blocked',
  'safe_for_kids',
  'guide_levels',
  'runtime',
  'high_quality',
  'year',
  'release_date',
  'newest_season',
  'language',
  'rated',
  'rating',
  'rating_votes',
  'score',
  'popularity',
  'sort_title',
  'source',
  'in_library',
  'resolver_found',
] as const

/**
 * Returns up to `limit` titles with an id above `afterTitleId`, or the titles in `ids`. Includes titles that are not
 * visible, but not deleted titles. With `hasDemoClips`, the titles of the demo catalogue count as available.
 */
export async function selectBrowseTitles(
  db: Db,
  selection: { afterTitleId: number; limit: number } | { ids: number[] },
  { hasDemoClips = false } = {},
): Promise<BrowseTitle[]> {
  if ('ids' in selection && selection.ids.length === 0) return []
  const titleQuery = queryUndeletedTitles(db).select(BROWSE_COLUMNS).orderBy('title_id')
  const rows = await ('ids' in selection
    ? titleQuery.where('title_id', 'in', selection.ids)
    : titleQuery.where('title_id', '>', selection.afterTitleId).limit(selection.limit)
  ).execute()
  const [firstId, lastId] = [rows[0]?.title_id ?? 0, rows.at(-1)?.title_id ?? 0]
  const [genres, networks] = await Promise.all([
    db
      .selectFrom('title_genre')
      .selectAll()
      .where('title_id', '>=', firstId)
      .where('title_id', '<=', lastId)
      .$if('ids' in selection, (query) =>
        query.where('title_id', 'in', 'ids' in selection ? selection.ids : []),
      )
      .execute(),
    db
      .selectFrom('title_network')
      .selectAll()
      .where('title_id', '>=', firstId)
      .where('title_id', '<=', lastId)
      .$if('ids' in selection, (query) =>
        query.where('title_id', 'in', 'ids' in selection ? selection.ids : []),
      )
      .execute(),
  ])
  const genreRowsByTitleId = Map.groupBy(genres, (row) => row.title_id)
  const networkRowsByTitleId = Map.groupBy(networks, (row) => row.title_id)
  return rows.map(({ safe_for_kids, rating_votes, source, in_library, resolver_found, ...row }) => ({
    ...row,
    available: in_library === 1 || resolver_found === 1 || (hasDemoClips && source === 'demo'),
    type: row.type as TitleType,
    published: row.published === 1,
    blocked: row.blocked === 1,
    safe_for_kids: safe_for_kids === 1,
    high_quality: row.high_quality === 1,
    votes: rating_votes,
    genres: (genreRowsByTitleId.get(row.title_id) ?? []).map((genre) => genre.genre_id),
    networks: (networkRowsByTitleId.get(row.title_id) ?? []).map((network) => network.network),
  }))
}

/** Returns up to `limit` titles in alphabetical order (`sort_title`), starting after the title `after`. */
export async function selectTitlesAlphabetically(
  db: Db,
  type: TitleType,
  { after, limit }: { after: { sort_title: string; title_id: number } | null; limit: number },
) {
  return queryUndeletedTitles(db)
    .select(['title_id', 'sort_title'])
    .where('type', '=', type)
    .$if(after !== null, (query) =>
      query.where(
        sql<boolean>`(sort_title, title_id) > (${after?.sort_title ?? ''}, ${after?.title_id ?? 0})`,
      ),
    )
    .orderBy('sort_title')
    .orderBy('title_id')
    .limit(limit)
    .execute()
}

/**
 * Returns the id of the title of this type that precedes the given title in alphabetical order; null for the first
 * title.
 */
export async function selectPreviousTitleId(
  db: Db,
  { type, sort_title, title_id }: Pick<BrowseTitle, 'type' | 'sort_title' | 'title_id'>,
): Promise<number | null> {
  const row = await queryUndeletedTitles(db)
    .select('title_id')
    .where('type', '=', type)
    .where(sql<boolean>`(sort_title, title_id) < (${sort_title}, ${title_id})`)
    .orderBy('sort_title', 'desc')
    .orderBy('title_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.title_id ?? null
}

/**
 * Returns the names by which titles are sorted in a language, without articles: the name in the language, or the sort
 * title of a title without such a name. For the language `original`, the names are the original titles. The result
 * covers up to `limit` titles of a type with an id above `afterTitleId`, or the titles in `ids`, which may be deleted.
 */
export async function selectSortNames(
  db: Db,
  language: string,
  selection: { type: TitleType; afterTitleId: number; limit: number } | { ids: readonly number[] },
): Promise<SortName[]> {
  if ('ids' in selection && selection.ids.length === 0) return []
  const rows = await ('ids' in selection
    ? db.selectFrom('title').where('title_id', 'in', padToPowerOfTwo([...selection.ids]))
    : queryUndeletedTitles(db)
        .where('type', '=', selection.type)
        .where('title_id', '>', selection.afterTitleId)
        .limit(selection.limit)
  )
    .select(['title_id', 'sort_title', 'original_title'])
    .orderBy('title_id')
    .execute()
  if (language === ORIGINAL_LANGUAGE)
    return rows.map(({ title_id, original_title }) => ({ title_id, name: getTitleSortKey(original_title) }))
  const nameQuery = db
    .selectFrom('title_name')
    .select(['title_id', 'text'])
    .where('lang', '=', language)
    .where('role', '!=', 'aka')
  const names = await ('ids' in selection
    ? nameQuery.where('title_id', 'in', padToPowerOfTwo([...selection.ids]))
    : nameQuery
        .where('title_id', '>=', rows[0]?.title_id ?? 0)
        .where('title_id', '<=', rows.at(-1)?.title_id ?? 0)
  ).execute()
  const namesById = new Map(names.map(({ title_id, text }) => [title_id, removeArticle(text, language)]))
  return rows.map(({ title_id, sort_title }) => ({ title_id, name: namesById.get(title_id) ?? sort_title }))
}

/** Returns a number that increases with every committed change of the catalogue. */
export async function selectCatalogueVersion(db: Db): Promise<number> {
  const row = await db.selectFrom('catalogue_version').select('version').executeTakeFirstOrThrow()
  return Number(row.version)
}

/** Returns a text that changes with every committed change of the catalogue and with every restored backup. */
export async function selectCatalogueStateTag(db: Db): Promise<string> {
  const row = await db.selectFrom('catalogue_version').select(['version', 'changed_at']).executeTakeFirst()
  return row ? `${row.version}.${row.changed_at}` : ''
}

/**
 * Returns up to `maxRows` changes of titles (not people) after a version of the catalogue, in the order of their
 * commits.
 */
export async function selectTitleChanges(db: Db, afterVersion: number, maxRows: number) {
  return queryCatalogueChanges(db, afterVersion, maxRows).where(sql<boolean>`doc_id % 2 = 0`).execute()
}

/**
 * Returns up to `maxRows` changes of titles and people after a version of the catalogue, in the order of their commits.
 */
export async function selectCatalogueChanges(db: Db, afterVersion: number, maxRows: number) {
  return queryCatalogueChanges(db, afterVersion, maxRows).execute()
}

/**
 * Selects up to `maxRows` changes after a version. The changes are sorted by version and not by time, because the clock
 * can be set back. Versions become visible in ascending order, because each transaction locks the row of
 * `catalogue_version` until its commit.
 */
const queryCatalogueChanges = (db: Db, afterVersion: number, maxRows: number) =>
  db
    .selectFrom('catalogue_change')
    .select(['doc_id', 'version'])
    .where('version', '>', afterVersion)
    .orderBy('version')
    .orderBy('doc_id')
    .limit(maxRows)

/**
 * Returns the titles in the order of `titleIds`, without titles that the audience may not see. A null audience stands
 * for an administrator, who sees all titles that are not deleted.
 */
export async function selectTitlesInOrder(
  db: Db,
  audience: Audience | null,
  titleIds: number[],
): Promise<TitleRow[]> {
  if (titleIds.length === 0) return []
  const titleQuery = audience ? queryVisibleTitles(db, audience) : queryUndeletedTitles(db)
  const rows = await titleQuery.selectAll('title').where('title_id', 'in', titleIds).execute()
  const rowsById = new Map(rows.map((row) => [row.title_id, row]))
  return titleIds.flatMap((id) => rowsById.get(id) ?? [])
}

/** Returns the largest id of a title; 0 without titles. */
export async function selectMaxTitleId(db: Db): Promise<number> {
  const row = await db
    .selectFrom('title')
    .select((eb) => eb.fn.max('title_id').as('max_id'))
    .executeTakeFirst()
  return Number(row?.max_id ?? 0)
}

/**
 * For administrators: returns the ids of titles with a name, in any language, that contains a text. Case, accents and
 * punctuation are ignored. A text without letters and digits is searched in the original title only. Searches the
 * titles with an id above `afterTitleId`, up to and including `untilTitleId`.
 */
export async function selectTitleIdsByName(
  db: Db,
  type: TitleType,
  text: string,
  { afterTitleId, untilTitleId }: { afterTitleId: number; untilTitleId: number },
): Promise<number[]> {
  const foldedText = foldSearchText(text)
  const nameQuery = db
    .selectFrom('title_name')
    .select('title_id')
    .where('title_id', '>', afterTitleId)
    .where('title_id', '<=', untilTitleId)
    .where(containsFoldedText(sql.ref('folded'), foldedText))
  const rows = await queryUndeletedTitles(db)
    .select('title_id')
    .where('title_id', '>', afterTitleId)
    .where('title_id', '<=', untilTitleId)
    .where('type', '=', type)
    .where((eb) =>
      eb.or([
        containsText(db, sql.ref('original_title'), text.trim()),
        ...(foldedText === '' ? [] : [eb('title_id', 'in', nameQuery)]),
      ]),
    )
    .orderBy('title_id')
    .execute()
  return rows.map((row) => row.title_id)
}
