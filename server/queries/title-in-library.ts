/** Titles that have a file in the media folder or on a media server. */
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { padToPowerOfTwo } from './insert-rows.ts'
import { splitIntoChunks } from './library-file.ts'

const queryMatchedTitleIds = (db: Db) =>
  db
    .selectFrom('library_file')
    .select('title_id')
    .where('state', '=', 'matched')
    .where('title_id', 'is not', null)
    .union(
      db
        .selectFrom('media_server_item')
        .select('title_id')
        .where('state', '=', 'matched')
        .where('title_id', 'is not', null),
    )
    .$castTo<{ title_id: number }>()

/**
 * Updates `in_library` of all titles. Returns the ids of the titles that became available, and the number of titles
 * that are no longer available.
 */
export async function updateTitlesInLibrary(db: Db): Promise<{ addedIds: number[]; removedCount: number }> {
  const rows = await db
    .selectFrom('title')
    .innerJoin(queryMatchedTitleIds(db).as('matched'), 'matched.title_id', 'title.title_id')
    .select('title.title_id')
    .where('title.in_library', '=', 0)
    .execute()
  const addedIds = rows.map((row) => row.title_id)
  for (const titleIds of splitIntoChunks(addedIds))
    await db
      .updateTable('title')
      .set({ in_library: 1 })
      .where('title_id', 'in', padToPowerOfTwo(titleIds))
      .execute()
  const removalResult = await db
    .updateTable('title')
    .set({ in_library: 0 })
    .where('in_library', '=', 1)
    .where('title_id', 'not in', queryMatchedTitleIds(db))
    .executeTakeFirst()
  return { addedIds, removedCount: Number(removalResult.numUpdatedRows) }
}

/**
 * Time at which a file or an item was added, in whole hours since 1970. Must be the same expression as in the index of
 * migration 0029, so that the database uses this index.
 */
const ADDED_HOUR_EXPRESSION = sql<number>`added_at / 3600000`

/**
 * Returns the ids of the titles with the newest files and media server items, newest first, without duplicates. At most
 * `maxSources` files and as many items are considered. Files that were found in the same hour, for example in the first
 * scan, are ordered by their modification time.
 */
export async function selectNewestTitleIds(db: Db, maxSources: number): Promise<number[]> {
  const [files, items] = await Promise.all([
    db
      .selectFrom('library_file')
      .select(['title_id', ADDED_HOUR_EXPRESSION.as('added_hour'), 'modified_at'])
      .where('state', '=', 'matched')
      .orderBy(ADDED_HOUR_EXPRESSION, 'desc')
      .orderBy('modified_at', 'desc')
      .limit(maxSources)
      .execute(),
    db
      .selectFrom('media_server_item')
      .select(['title_id', ADDED_HOUR_EXPRESSION.as('added_hour'), 'added_at as modified_at'])
      .where('state', '=', 'matched')
      .orderBy('added_at', 'desc')
      .limit(maxSources)
      .execute(),
  ])
  const sources = [...files, ...items].sort(
    (a, b) => Number(b.added_hour) - Number(a.added_hour) || Number(b.modified_at) - Number(a.modified_at),
  )
  return [...new Set(sources.flatMap(({ title_id }) => title_id ?? []))]
}
