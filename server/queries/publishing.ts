import type { Db } from '../db/open.ts'
import type { TitleType } from './catalogue.ts'

interface Which {
  type: TitleType
  id: number
}

/** False when there is no such title. */
export async function setPublished(
  db: Db,
  { type, id }: Which,
  published: boolean,
  now: number,
): Promise<boolean> {
  const result = await db
    .updateTable('title')
    .set({ published: published ? 1 : 0, updated_at: now })
    .where('title_id', '=', id)
    .where('type', '=', type)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function deleteTitle(db: Db, { type, id }: Which): Promise<boolean> {
  const result = await db
    .deleteFrom('title')
    .where('title_id', '=', id)
    .where('type', '=', type)
    .executeTakeFirst()
  return result.numDeletedRows === 1n
}
