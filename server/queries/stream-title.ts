/** Telling which title a file's name means: among all titles, whoever may see them, so that nothing is passed off as another. */
import type { Db } from '../db/open.ts'
import type { TitleType } from './catalogue.ts'
import { allTitles } from './scope.ts'

/** Every name of a title, folded. */
export async function foldedNames(db: Db, titleId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('title_name')
    .select('folded')
    .distinct()
    .where('title_id', '=', titleId)
    .execute()
  return rows.map((row) => row.folded)
}

/** Titles that are called so in some language. */
export async function titlesCalled(
  db: Db,
  type: TitleType,
  folded: string,
): Promise<{ title_id: number; year: number | null }[]> {
  return allTitles(db)
    .innerJoin('title_name', 'title_name.title_id', 'title.title_id')
    .select(['title.title_id', 'title.year'])
    .distinct()
    .where('title.type', '=', type)
    .where('title_name.folded', '=', folded)
    .execute()
}
