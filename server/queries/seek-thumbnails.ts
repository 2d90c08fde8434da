/** Thumbnails of the seek bar for files of the media folder. */
import { type Selectable, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'

export type SeekThumbnailsRow = Selectable<DatabaseSchema['seek_thumbnails']>

/**
 * Pairs each matched file of the media folder with its thumbnails. Thumbnails of an older version of the file are
 * ignored.
 */
const joinFilesAndThumbnails = (db: Db) =>
  db
    .selectFrom('library_file')
    .leftJoin('seek_thumbnails', (join) =>
      join
        .onRef('seek_thumbnails.path', '=', 'library_file.path')
        .onRef('seek_thumbnails.size_bytes', '=', 'library_file.size_bytes')
        .onRef('seek_thumbnails.modified_at', '=', 'library_file.modified_at'),
    )
    .where('library_file.state', '=', 'matched')

export type FileVersion = Pick<SeekThumbnailsRow, 'path' | 'size_bytes' | 'modified_at'>

/**
 * Returns the newest matched file whose current version has no row in `seek_thumbnails` and whose path is not in
 * `skippedPaths`; undefined when there is none.
 */
export async function selectFileWithoutThumbnails(
  db: Db,
  skippedPaths: readonly string[] = [],
): Promise<FileVersion | undefined> {
  return joinFilesAndThumbnails(db)
    .$if(skippedPaths.length > 0, (query) => query.where('library_file.path', 'not in', skippedPaths))
    .select(['library_file.path', 'library_file.size_bytes', 'library_file.modified_at'])
    .where('seek_thumbnails.path', 'is', null)
    .orderBy('library_file.added_at', 'desc')
    .orderBy('library_file.path')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Returns the number of matched files, how many of them are handled, and the size of their thumbnail sheets in bytes. A
 * file is handled when it has a row in `seek_thumbnails`, even if no thumbnails could be made from the file.
 */
export async function countSeekThumbnails(
  db: Db,
): Promise<{ files: number; handled: number; storedBytes: number }> {
  const row = await joinFilesAndThumbnails(db)
    .select(({ fn }) => [
      fn.countAll().as('files'),
      fn.count('seek_thumbnails.path').as('handled'),
      fn.sum('seek_thumbnails.stored_bytes').as('bytes'),
    ])
    .executeTakeFirstOrThrow()
  return {
    files: Number(row.files),
    handled: Number(row.handled),
    storedBytes: Number(row.bytes ?? 0),
  }
}

/** Returns the thumbnails of files that were removed or replaced, or are no longer matched. */
export async function selectOutdatedThumbnails(
  db: Db,
  maxRows: number,
): Promise<Pick<SeekThumbnailsRow, 'path' | 'folder'>[]> {
  return db
    .selectFrom('seek_thumbnails')
    .select(['path', 'folder'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('library_file')
            .select(sql<number>`1`.as('found'))
            .whereRef('library_file.path', '=', 'seek_thumbnails.path')
            .whereRef('library_file.size_bytes', '=', 'seek_thumbnails.size_bytes')
            .whereRef('library_file.modified_at', '=', 'seek_thumbnails.modified_at')
            .where('library_file.state', '=', 'matched'),
        ),
      ),
    )
    .limit(maxRows)
    .execute()
}

export async function selectThumbnailsOfFiles(db: Db, paths: string[]): Promise<SeekThumbnailsRow[]> {
  if (paths.length === 0) return []
  return db
    .selectFrom('seek_thumbnails')
    .selectAll()
    .where('path', 'in', paths)
    .where('frame_count', '>', 0)
    .execute()
}

export const selectThumbnailFolders = (db: Db) =>
  db.selectFrom('seek_thumbnails').select('folder').where('frame_count', '>', 0).execute()

export async function upsertSeekThumbnails(db: Db, row: SeekThumbnailsRow): Promise<void> {
  const { path: _path, ...otherColumns } = row
  await db
    .insertInto('seek_thumbnails')
    .values(row)
    .onConflict((conflict) => conflict.column('path').doUpdateSet(otherColumns))
    .execute()
}

export async function deleteSeekThumbnails(db: Db, path: string): Promise<void> {
  await db.deleteFrom('seek_thumbnails').where('path', '=', path).execute()
}

/**
 * Deletes the rows of all thumbnails, so that the thumbnails are made again, for example after their folder was
 * deleted. The rows of files from which no thumbnails could be made stay.
 */
export async function deleteMadeSeekThumbnails(db: Db): Promise<void> {
  await db.deleteFrom('seek_thumbnails').where('frame_count', '>', 0).execute()
}
