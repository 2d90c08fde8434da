/**
 * Changes of titles by administrators. A deletion unpublishes the title immediately, so that no viewer sees it, and
 * stores whether it was published. The row is deleted when the time of the title in the bin is over (`purgeTitle`).
 */
import { sql, type Updateable } from 'kysely'
import { foldSearchText } from '../../src/lib/rules/fold-search-text.ts'
import { TITLE_FIELDS } from '../../src/lib/rules/title-fields.ts'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import { padToPowerOfTwo } from './insert-rows.ts'
import { splitIntoChunks } from './library-file.ts'
import { type PageOfRows, type PageRequest, selectPage } from './page.ts'
import { containsFoldedText, containsText } from './text-match.ts'
import type { TitleRow } from './title.ts'
import { selectProfileIdsWithRule, updateAudienceVersion } from './title-rule.ts'

/** Returns a title in any state, even if it is marked as deleted; undefined when it does not exist. */
export async function selectTitleForAdmin(db: Db, titleId: number): Promise<TitleRow | undefined> {
  return db.selectFrom('title').selectAll().where('title_id', '=', titleId).executeTakeFirst()
}

/**
 * Returns the title that the import of a record has written, even if the title is hidden or deleted. Finds the title by
 * its TMDB id, then by its IMDb id. If the record has no IMDb id, falls back to the newest title with the original
 * title and source of the record.
 */
export async function selectImportedTitle(
  db: Db,
  record: Pick<TitleRow, 'type' | 'original_title' | 'source'> & {
    names: readonly { text: string }[]
    imdb_id?: string | undefined
    tmdb_id?: number | undefined
  },
): Promise<TitleRow | undefined> {
  const { type, tmdb_id, imdb_id, original_title, source, names } = record
  const titleQuery = db.selectFrom('title').selectAll().where('type', '=', type).orderBy('title_id', 'desc')
  const titleByTmdbId = tmdb_id && (await titleQuery.where('tmdb_id', '=', tmdb_id).executeTakeFirst())
  if (titleByTmdbId) return titleByTmdbId
  if (imdb_id) return titleQuery.where('imdb_id', '=', imdb_id).executeTakeFirst()
  const titles = await selectTitlesByAnyName(db, [original_title, ...names.map(({ text }) => text)])
  return titles
    .filter(
      (title) => title.type === type && title.source === source && title.original_title === original_title,
    )
    .sort((a, b) => b.title_id - a.title_id)[0]
}

const EDITABLE_NAME_FIELDS = TITLE_FIELDS.filter((field) => field.startsWith('title_'))

/**
 * Returns the titles that have one of these names, and all titles with an edited name, because the edit may have
 * removed one of these names. The names are looked up in `title_name`, because the column `original_title` has no
 * index. An index would be large, and no other query would use it.
 */
async function selectTitlesByAnyName(db: Db, names: string[]): Promise<TitleRow[]> {
  const foldedNames = [...new Set(names.map((name) => foldSearchText(name)))]
  const namedRows = await db
    .selectFrom('title_name')
    .select('title_id')
    .where('folded', 'in', padToPowerOfTwo(foldedNames))
    .execute()
  const editedRows = await db
    .selectFrom('title_edit')
    .select('title_id')
    .where('field', 'in', EDITABLE_NAME_FIELDS)
    .execute()
  const titles: TitleRow[] = []
  for (const titleIds of splitIntoChunks([...new Set(listTitleIds([...namedRows, ...editedRows]))]))
    titles.push(
      ...(await db
        .selectFrom('title')
        .selectAll()
        .where('title_id', 'in', padToPowerOfTwo(titleIds))
        .execute()),
    )
  return titles
}

const listTitleIds = (rows: { title_id: number }[]) => rows.map((row) => row.title_id)

/**
 * Sets `published` of the given titles. Returns `changedIds`, the ids of the titles whose value has changed, and
 * `existingIds`, the ids of the given titles that exist and are not deleted.
 */
export async function setTitlesPublished(
  db: Db,
  titleIds: number[],
  isPublished: boolean,
  nowMs: number,
): Promise<{ changedIds: number[]; existingIds: number[] }> {
  const existingRows = await db
    .selectFrom('title')
    .select('title_id')
    .where('title_id', 'in', titleIds)
    .where('deleted_at', 'is', null)
    .execute()
  const changedRows = await db
    .updateTable('title')
    .set({ published: isPublished ? 1 : 0, updated_at: nowMs })
    .where('title_id', 'in', titleIds)
    .where('deleted_at', 'is', null)
    .where('published', '!=', isPublished ? 1 : 0)
    .returning('title_id')
    .execute()
  return { changedIds: listTitleIds(changedRows), existingIds: listTitleIds(existingRows) }
}

/** Marks titles as deleted. Returns the ids of the titles that were not deleted before. */
export async function markTitlesDeleted(db: Db, titleIds: number[], nowMs: number): Promise<number[]> {
  const rows = await db
    .updateTable('title')
    .set((eb) => ({
      deleted_at: nowMs,
      deleted_published: eb.ref('published'),
      published: 0,
      updated_at: nowMs,
    }))
    .where('title_id', 'in', titleIds)
    .where('deleted_at', 'is', null)
    .returning('title_id')
    .execute()
  return listTitleIds(rows)
}

/** Restores titles that are marked as deleted and returns their ids. */
export async function restoreDeletedTitles(db: Db, titleIds: number[], nowMs: number): Promise<number[]> {
  const rows = await db
    .updateTable('title')
    .set({
      deleted_at: null,
      published: sql<number>`coalesce(deleted_published, 0)`,
      deleted_published: null,
      updated_at: nowMs,
    })
    .where('title_id', 'in', titleIds)
    .where('deleted_at', 'is not', null)
    .returning('title_id')
    .execute()
  return listTitleIds(rows)
}

interface DeletedTitleFilters extends PageRequest {
  search?: string | undefined
}

/** Returns a page of the titles that are marked as deleted, latest first. The search ignores case and accents. */
export async function selectDeletedTitles(
  db: Db,
  { search, ...pageRequest }: DeletedTitleFilters,
): Promise<PageOfRows<TitleRow>> {
  let query = db.selectFrom('title').where('deleted_at', 'is not', null)
  const foldedSearch = foldSearchText(search ?? '')
  if (foldedSearch !== '')
    query = query.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('title_name')
          .select('title_name.title_id')
          .whereRef('title_name.title_id', '=', 'title.title_id')
          .where(containsFoldedText(sql.ref('title_name.folded'), foldedSearch)),
      ),
    )
  else if (search) query = query.where(containsText(db, sql.ref('original_title'), search))
  const rowsQuery = query.selectAll().orderBy('deleted_at', 'desc').orderBy('title_id')
  return selectPage(rowsQuery, query, pageRequest)
}

/**
 * True for a title that was marked as deleted at or before `beforeMs` and that no block rule names. A title with a rule
 * stays in the bin. If it were deleted, a later import would add it again with another id, to which the rule does not
 * apply.
 */
const buildPurgeableCondition = (beforeMs: number) =>
  sql<boolean>`title.deleted_at <= ${beforeMs} and (title.type, title.title_id) not in (
    select type, media_id from block_rule where media_id is not null)`

/** Returns those of the titles that a block rule names. They stay in the bin (see `buildPurgeableCondition`). */
export async function selectTitleIdsWithBlockRule(db: Db, titleIds: number[]): Promise<Set<number>> {
  if (titleIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('block_rule')
    .select('media_id')
    .where('type', 'in', ['movie', 'tv'])
    .where('media_id', 'in', padToPowerOfTwo(titleIds))
    .execute()
  return new Set(rows.map((row) => Number(row.media_id)))
}

/** Returns the ids of up to `maxRows` titles that can be purged (`buildPurgeableCondition`), longest deleted first. */
export async function selectTitleIdsToPurge(db: Db, beforeMs: number, maxRows: number): Promise<number[]> {
  const rows = await db
    .selectFrom('title')
    .select('title_id')
    .where('deleted_at', 'is not', null)
    .where(buildPurgeableCondition(beforeMs))
    .orderBy('deleted_at')
    .limit(maxRows)
    .execute()
  return listTitleIds(rows)
}

/**
 * Permanently deletes a title and its dependent rows, if it can be purged (`buildPurgeableCondition`). Returns whether
 * the title was deleted. Call it in a transaction.
 */
export async function purgeTitle(
  db: Db,
  titleId: number,
  { beforeMs, nowMs }: { beforeMs: number; nowMs: number },
): Promise<boolean> {
  const profileIdsWithRule = await selectProfileIdsWithRule(db, titleId)
  const deleteResult = await db
    .deleteFrom('title')
    .where('title_id', '=', titleId)
    .where(buildPurgeableCondition(beforeMs))
    .executeTakeFirst()
  if (deleteResult.numDeletedRows !== 1n) return false
  for (const profileId of profileIdsWithRule) await updateAudienceVersion(db, profileId, nowMs)
  return true
}

export async function updateTitle(
  db: Db,
  titleId: number,
  changes: Updateable<DatabaseSchema['title']>,
): Promise<void> {
  await db.updateTable('title').set(changes).where('title_id', '=', titleId).execute()
}
