import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'

type MediaFileRow = DatabaseSchema['media_file']

/** Returns the row of a file with this path, size and modification time; undefined when no row has these values. */
export async function selectMediaFile(
  db: Db,
  { path, sizeBytes, modifiedAtMs }: { path: string; sizeBytes: number; modifiedAtMs: number },
): Promise<Pick<MediaFileRow, 'information' | 'keyframes'> | undefined> {
  return db
    .selectFrom('media_file')
    .select(['information', 'keyframes'])
    .where('path', '=', path)
    .where('size_bytes', '=', sizeBytes)
    .where('modified_at', '=', modifiedAtMs)
    .executeTakeFirst()
}

export async function upsertMediaFile(db: Db, row: MediaFileRow): Promise<void> {
  const { path: _path, ...otherColumns } = row
  await db
    .insertInto('media_file')
    .values(row)
    .onConflict((conflict) => conflict.column('path').doUpdateSet(otherColumns))
    .execute()
}
