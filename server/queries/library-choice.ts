/** Reads and writes the titles that administrators chose for files. */
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'

export type LibraryChoiceRow = Selectable<DatabaseSchema['library_choice']>
type LibraryChoiceKey = Pick<LibraryChoiceRow, 'path' | 'scope' | 'kind' | 'parsed_title'>

export async function selectLibraryChoices(db: Db): Promise<LibraryChoiceRow[]> {
  return db.selectFrom('library_choice').selectAll().execute()
}

/** Adds a choice, or replaces the choice for the same files. */
export async function upsertLibraryChoice(
  db: Db,
  row: Insertable<DatabaseSchema['library_choice']>,
): Promise<void> {
  await deleteLibraryChoice(db, row)
  await db.insertInto('library_choice').values(row).execute()
}

export async function deleteLibraryChoice(db: Db, choiceKey: LibraryChoiceKey): Promise<boolean> {
  const deleteResult = await db
    .deleteFrom('library_choice')
    .where('path', '=', choiceKey.path)
    .where('scope', '=', choiceKey.scope)
    .where('kind', '=', choiceKey.kind)
    .where('parsed_title', '=', choiceKey.parsed_title)
    .executeTakeFirst()
  return deleteResult.numDeletedRows > 0n
}
