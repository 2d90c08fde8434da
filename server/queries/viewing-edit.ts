/** Changes of viewings that can be undone, with the tracking rows before and after each change. */
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'

type ViewingEditRow = Selectable<DatabaseSchema['viewing_edit']>
type ViewingEditChangeRow = Selectable<DatabaseSchema['viewing_edit_change']>
const ROWS_PER_STATEMENT = 100

interface ViewingEditKey {
  profileId: string
  key: string
}

export async function selectViewingEdit(
  db: Db,
  { profileId, key }: ViewingEditKey,
): Promise<ViewingEditRow | undefined> {
  return db
    .selectFrom('viewing_edit')
    .selectAll()
    .where('profile_id', '=', profileId)
    .where('edit_key', '=', key)
    .executeTakeFirst()
}

export async function insertViewingEdit(
  db: Db,
  edit: Insertable<DatabaseSchema['viewing_edit']>,
  changes: Omit<ViewingEditChangeRow, 'edit_id'>[],
): Promise<void> {
  const { edit_id } = await db
    .insertInto('viewing_edit')
    .values(edit)
    .returning('edit_id')
    .executeTakeFirstOrThrow()
  for (let startIndex = 0; startIndex < changes.length; startIndex += ROWS_PER_STATEMENT) {
    const rows = changes.slice(startIndex, startIndex + ROWS_PER_STATEMENT)
    await db
      .insertInto('viewing_edit_change')
      .values(rows.map((row) => ({ edit_id, ...row })))
      .execute()
  }
}

/** Returns the changed rows of an edit, last change first. */
export async function selectViewingEditChanges(db: Db, editId: number): Promise<ViewingEditChangeRow[]> {
  return db
    .selectFrom('viewing_edit_change')
    .selectAll()
    .where('edit_id', '=', editId)
    .orderBy('seq', 'desc')
    .execute()
}

/**
 * Returns true when a later edit of the profile changed a row of this edit and was not undone. An undone edit has no
 * rows in `viewing_edit_change`.
 */
export async function hasLaterViewingEdit(db: Db, { edit_id, profile_id }: ViewingEditRow): Promise<boolean> {
  const row = await db
    .selectFrom('viewing_edit_change as change')
    .innerJoin('viewing_edit_change as later', (join) =>
      join
        .onRef('later.title_id', '=', 'change.title_id')
        .onRef('later.row_key', '=', 'change.row_key')
        .onRef('later.edit_id', '>', 'change.edit_id'),
    )
    .innerJoin('viewing_edit', 'viewing_edit.edit_id', 'later.edit_id')
    .select('later.edit_id')
    .where('change.edit_id', '=', edit_id)
    .where('viewing_edit.profile_id', '=', profile_id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Marks the edit as undone, and deletes its entries in `viewing_edit_change`, which only an undo needs. */
export async function markViewingEditUndone(db: Db, editId: number, nowMs: number): Promise<void> {
  await db.updateTable('viewing_edit').set({ undone_at: nowMs }).where('edit_id', '=', editId).execute()
  await db.deleteFrom('viewing_edit_change').where('edit_id', '=', editId).execute()
}
