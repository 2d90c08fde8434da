/** Reads and writes the titles that administrators chose for files. */
import type { Insertable, Selectable } from 'kysely'
import { foldSearchText } from '../../src/lib/rules/fold-search-text.ts'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import { selectFilesWithoutTitle } from './library-file.ts'
import { isYearCompatible } from './library-match.ts'

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

/**
 * Stores that the files of a deleted title belong to no title, so that the title is not added again after its row is
 * gone. Call it before the row is deleted, in the same transaction.
 */
export async function dismissFilesOfDeletedTitle(db: Db, titleId: number, nowMs: number): Promise<void> {
  const title = await db
    .selectFrom('title')
    .select(['type', 'year'])
    .where('title_id', '=', titleId)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst()
  if (!title) return
  await db
    .updateTable('library_choice')
    .set({ title_id: null, season_number: null, episode_number: null })
    .where('title_id', '=', titleId)
    .execute()
  const nameRows = await db
    .selectFrom('title_name')
    .select('folded')
    .where('title_id', '=', titleId)
    .execute()
  const foldedNames = new Set(nameRows.map(({ folded }) => folded))
  for (const { path, named_kind, parsed_title, parsed_year } of await selectFilesWithoutTitle(db))
    if (
      named_kind === title.type &&
      isYearCompatible(title.year, parsed_year) &&
      foldedNames.has(foldSearchText(parsed_title))
    )
      await upsertLibraryChoice(db, {
        ...{ path, scope: 'file', kind: named_kind, parsed_title: '' },
        title_id: null,
        season_number: null,
        episode_number: null,
        created_at: nowMs,
      })
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
