/** Changes of viewings that can be undone, with the tracking rows before and after each of them. */
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'

export type ViewingEditRow = Selectable<DatabaseSchema['viewing_edit']>
type ViewingEditChangeRow = Selectable<DatabaseSchema['viewing_edit_change']>
const ROWS_PER_STATEMENT = 100

interface EditKey {
  profileId: string
  key: string
}

export async function selectViewingEdit(
  db: Db,
  { profileId, key }: EditKey,
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
  changes: Omit<ViewingEditChangeRow, 'profile_id' | 'edit_key'>[],
): Promise<void> {
  await db.insertInto('viewing_edit').values(edit).execute()
  const { profile_id, edit_key } = edit
  for (let from = 0; from < changes.length; from += ROWS_PER_STATEMENT) {
    const rows = changes.slice(from, from + ROWS_PER_STATEMENT)
    await db
      .insertInto('viewing_edit_change')
      .values(rows.map((row) => ({ profile_id, edit_key, ...row })))
      .execute()
  }
}

/** Returns the changed rows, the last first. */
export async function selectViewingEditChanges(
  db: Db,
  { profileId, key }: EditKey,
): Promise<ViewingEditChangeRow[]> {
  return db
    .selectFrom('viewing_edit_change')
    .selectAll()
    .where('profile_id', '=', profileId)
    .where('edit_key', '=', key)
    .orderBy('seq', 'desc')
    .execute()
}

/** Marks the edit as undone and deletes its changed rows, which are no longer needed. */
export async function finishViewingEditUndo(
  db: Db,
  { profileId, key }: EditKey,
  nowMs: number,
): Promise<void> {
  await db
    .updateTable('viewing_edit')
    .set({ undone_at: nowMs })
    .where('profile_id', '=', profileId)
    .where('edit_key', '=', key)
    .execute()
  await db
    .deleteFrom('viewing_edit_change')
    .where('profile_id', '=', profileId)
    .where('edit_key', '=', key)
    .execute()
}
