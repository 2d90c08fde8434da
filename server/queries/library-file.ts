/**
 * The rows of the video files in the media folder: what the last scan found, and the titles to which the files belong.
 */
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import { insertRows, padToPowerOfTwo } from './insert-rows.ts'
import { type PageRequest, selectPage } from './page.ts'
import { containsText } from './text-match.ts'

export type LibraryFileRow = Selectable<DatabaseSchema['library_file']>
export type LibraryFileInsert = Insertable<DatabaseSchema['library_file']>

/**
 * Maximum number of rows or ids in one statement. This maximum keeps statements below SQLite's limit of 32,766
 * parameters.
 */
const MAX_ROWS_PER_STATEMENT = 500

export function* splitIntoChunks<T>(values: readonly T[]): Generator<T[]> {
  for (let startIndex = 0; startIndex < values.length; startIndex += MAX_ROWS_PER_STATEMENT)
    yield values.slice(startIndex, startIndex + MAX_ROWS_PER_STATEMENT)
}

export async function selectAllLibraryFiles(db: Db): Promise<LibraryFileRow[]> {
  return db.selectFrom('library_file').selectAll().execute()
}

export async function selectLibraryFilesByPaths(db: Db, paths: string[]): Promise<LibraryFileRow[]> {
  const rows: LibraryFileRow[] = []
  for (const chunk of splitIntoChunks(paths))
    rows.push(
      ...(await db
        .selectFrom('library_file')
        .selectAll()
        .where('path', 'in', padToPowerOfTwo(chunk))
        .execute()),
    )
  return rows
}

interface LibraryFileChanges {
  addedRows: LibraryFileInsert[]
  changedRows: LibraryFileRow[]
  removedIds: number[]
}

/** Deletes, updates and inserts the rows of files. Call this function in a transaction. */
export async function writeLibraryFiles(db: Db, { addedRows, changedRows, removedIds }: LibraryFileChanges) {
  for (const fileIds of splitIntoChunks(removedIds))
    await db.deleteFrom('library_file').where('file_id', 'in', padToPowerOfTwo(fileIds)).execute()
  for (const { file_id, ...row } of changedRows)
    await db.updateTable('library_file').set(row).where('file_id', '=', file_id).execute()
  await insertRows(db, 'library_file', addedRows)
}

/** True when the database contains files of the media folder. */
export async function hasLibraryFiles(db: Db): Promise<boolean> {
  return (await db.selectFrom('library_file').select('file_id').limit(1).executeTakeFirst()) !== undefined
}

export async function deleteAllLibraryFiles(db: Db): Promise<void> {
  await db.deleteFrom('library_file').execute()
}

/** Returns the matched files of a title, sorted by path. */
export const selectFilesOfTitle = (db: Db, titleId: number): Promise<LibraryFileRow[]> =>
  selectFilesOfTitles(db, [titleId])

/** Returns the matched files of the titles, sorted by path. */
export async function selectFilesOfTitles(db: Db, titleIds: number[]): Promise<LibraryFileRow[]> {
  if (titleIds.length === 0) return []
  return db
    .selectFrom('library_file')
    .selectAll()
    .where('title_id', 'in', padToPowerOfTwo(titleIds))
    .where('state', '=', 'matched')
    .orderBy('path')
    .execute()
}

export async function selectLibraryFile(db: Db, fileId: number): Promise<LibraryFileRow | undefined> {
  return db.selectFrom('library_file').selectAll().where('file_id', '=', fileId).executeTakeFirst()
}

export interface FileWithoutTitle {
  path: string
  named_kind: 'movie' | 'tv'
  parsed_title: string
  parsed_year: number | null
  reason: 'no_title' | 'unknown_id' | 'other_year'
}

/**
 * Scope of the choice for a file whose title was permanently deleted. A scan can still match the file to a title of the
 * catalogue, but no title is added for the file.
 */
export const DELETED_TITLE_SCOPE = 'deleted'

/**
 * Returns the unmatched files with a parsed title that the catalogue does not contain, or contains only with another
 * year. Leaves out the files whose title was permanently deleted. The files are sorted by path.
 */
export async function selectFilesWithoutTitle(db: Db): Promise<FileWithoutTitle[]> {
  return db
    .selectFrom('library_file')
    .select(['path', 'named_kind', 'parsed_title', 'parsed_year', 'reason'])
    .where('state', '=', 'unmatched')
    .where(({ or, and, eb }) =>
      or([
        and([eb('reason', 'in', ['no_title', 'unknown_id']), eb('candidates', '=', '[]')]),
        eb('reason', '=', 'other_year'),
      ]),
    )
    .where('parsed_title', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('library_choice')
            .select('choice_id')
            .whereRef('library_choice.path', '=', 'library_file.path')
            .where('scope', '=', DELETED_TITLE_SCOPE),
        ),
      ),
    )
    .orderBy('path')
    .$castTo<FileWithoutTitle>()
    .execute()
}

interface LibraryFileFilters extends PageRequest {
  state?: string | undefined
  reason?: string | undefined
  folder?: string | undefined
  search?: string | undefined
}

/** Returns a page of files, sorted by path. */
export async function selectLibraryFiles(db: Db, filters: LibraryFileFilters) {
  let query = db.selectFrom('library_file')
  if (filters.state) query = query.where('state', '=', filters.state)
  if (filters.reason) query = query.where('reason', '=', filters.reason)
  if (filters.folder !== undefined) query = query.where('folder', '=', filters.folder)
  if (filters.search) query = query.where(containsText(db, sql.ref('path'), filters.search))
  return selectPage(query.selectAll().orderBy('path'), query, filters)
}

/** Counts the files in a folder and its subfolders whose names the last scan parsed as this kind and title. */
export async function countFilesOfFolder(
  db: Db,
  {
    folderPath,
    named_kind,
    parsed_title,
  }: Pick<LibraryFileRow, 'named_kind' | 'parsed_title'> & { folderPath: string },
): Promise<number> {
  const pathPrefix = folderPath === '' ? '' : `${folderPath}/`
  const row = await db
    .selectFrom('library_file')
    .select((eb) => eb.fn.countAll<number>().as('files'))
    .where('named_kind', '=', named_kind)
    .where('parsed_title', '=', parsed_title)
    .where(sql<boolean>`substr(path, 1, length(cast(${pathPrefix} as text))) = ${pathPrefix}`)
    .executeTakeFirstOrThrow()
  return Number(row.files)
}

/** Counts files and bytes by top-level folder and state. */
export async function countLibraryFiles(db: Db) {
  const rows = await db
    .selectFrom('library_file')
    .select((eb) => [
      'folder',
      'state',
      eb.fn.countAll<number>().as('files'),
      eb.fn.sum<number>('size_bytes').as('bytes'),
    ])
    .groupBy(['folder', 'state'])
    .orderBy('folder')
    .execute()
  return rows.map((row) => ({ ...row, files: Number(row.files), bytes: Number(row.bytes) }))
}

/** Counts the titles that have a file in the media folder. */
export async function countTitlesWithFile(db: Db): Promise<number> {
  const row = await db
    .selectFrom('library_file')
    .select((eb) => eb.fn.count<number>('title_id').distinct().as('titles'))
    .where('state', '=', 'matched')
    .executeTakeFirstOrThrow()
  return Number(row.titles)
}
