/** Titles that have a file in the media folder or on a media server. */
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
