/** Reads and writes the titles that administrators chose for files. */
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import { DELETED_TITLE_SCOPE } from './library-file.ts'

export type LibraryChoiceRow = Selectable<DatabaseSchema['library_choice']>
export type LibraryChoiceKey = Pick<LibraryChoiceRow, 'path' | 'scope' | 'kind' | 'parsed_title'>

export async function selectLibraryChoices(db: Db): Promise<LibraryChoiceRow[]> {
  return db.selectFrom('library_choice').selectAll().execute()
}

/**
 * Adds a choice, or replaces the choice for the same files. Returns the replaced choice; an empty array if there was
 * none.
 */
export async function upsertLibraryChoice(
  db: Db,
  row: Insertable<DatabaseSchema['library_choice']>,
): Promise<LibraryChoiceRow[]> {
  const replacedRows = await deleteLibraryChoice(db, row)
  await db.insertInto('library_choice').values(row).execute()
  return replacedRows
}

/**
 * Changes the choices of a title so that their files belong to no title. Does nothing unless the title was deleted at
 * or before `beforeMs`. Call it before the row of the title is deleted, in the same transaction.
 */
export async function clearTitleOfLibraryChoices(db: Db, titleId: number, beforeMs: number): Promise<void> {
  await db
    .updateTable('library_choice')
    .set({ title_id: null, season_number: null, episode_number: null })
    .where('title_id', 'in', (eb) =>
      eb
        .selectFrom('title')
        .select('title_id')
        .where('title_id', '=', titleId)
        .where('deleted_at', '<=', beforeMs),
    )
    .execute()
}

/** Stores that the title of these files was permanently deleted, so that no title is added for them again. */
export async function markFilesOfDeletedTitle(db: Db, paths: Iterable<string>, nowMs: number): Promise<void> {
  for (const path of paths)
    await upsertLibraryChoice(db, {
      ...{ path, scope: DELETED_TITLE_SCOPE, kind: '', parsed_title: '' },
      title_id: null,
      season_number: null,
      episode_number: null,
      created_at: nowMs,
    })
}

/** Deletes a choice and returns it. Returns an empty array if there is none. */
export async function deleteLibraryChoice(db: Db, choiceKey: LibraryChoiceKey): Promise<LibraryChoiceRow[]> {
  return db
    .deleteFrom('library_choice')
    .where('path', '=', choiceKey.path)
    .where('scope', '=', choiceKey.scope)
    .where('kind', '=', choiceKey.kind)
    .where('parsed_title', '=', choiceKey.parsed_title)
    .returningAll()
    .execute()
}
