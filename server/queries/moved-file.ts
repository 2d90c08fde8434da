/**
 * Keeps what is stored about files of the media folder when the files are moved or renamed, including the titles that
 * administrators have chosen for files and folders.
 */
import type { Db } from '../db/database.ts'
import type { LibraryChoiceRow } from './library-choice.ts'

export interface FileMove {
  oldPath: string
  newPath: string
}
export interface LibraryChoiceMoves {
  removedIds: number[]
  addedRows: Omit<LibraryChoiceRow, 'choice_id'>[]
}

/** Changes the path of the stored media information and thumbnails of moved files. Call it in a transaction. */
export async function updateMediaFilePaths(db: Db, moves: readonly FileMove[]): Promise<void> {
  for (const { oldPath, newPath } of moves)
    for (const table of ['media_file', 'seek_thumbnails'] as const) {
      await db.deleteFrom(table).where('path', '=', newPath).execute()
      await db.updateTable(table).set({ path: newPath }).where('path', '=', oldPath).execute()
    }
}

/** Moves the choices of administrators for moved files and folders. Call it in a transaction. */
export async function moveLibraryChoices(
  db: Db,
  { removedIds, addedRows }: LibraryChoiceMoves,
): Promise<void> {
  for (const choiceId of removedIds)
    await db.deleteFrom('library_choice').where('choice_id', '=', choiceId).execute()
  for (const row of addedRows)
    await db
      .insertInto('library_choice')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}
