/**
 * Finds the title that a media file name refers to. It searches all titles, because a hidden title must not be mistaken
 * for a visible one.
 */
import type { Db } from '../db/database.ts'
import type { TitleType } from './title.ts'
import { queryUndeletedTitles } from './title-scope.ts'

/** Returns all normalised names of a title. */
export async function selectFoldedNames(db: Db, titleId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('title_name')
    .select('folded')
    .distinct()
    .where('title_id', '=', titleId)
    .execute()
  return rows.map((row) => row.folded)
}

/** Returns the titles that have this normalised name in any language. */
export async function selectTitlesByFoldedName(
  db: Db,
  type: TitleType,
  folded: string,
): Promise<{ title_id: number; year: number | null }[]> {
  return queryUndeletedTitles(db)
    .innerJoin('title_name', 'title_name.title_id', 'title.title_id')
    .select(['title.title_id', 'title.year'])
    .distinct()
    .where('title.type', '=', type)
    .where('title_name.folded', '=', folded)
    .execute()
}
