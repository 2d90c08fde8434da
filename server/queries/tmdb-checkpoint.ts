/**
 * Stores in the database how many batches of a TMDB checkpoint were written to this database. The checkpoint itself is
 * a file outside the database, and contains its own count of batches. If a backup was restored, or another database is
 * used, the checkpoint can list titles as imported that this database does not have. The count in the database is then
 * lower than the count in the checkpoint (importers/tmdb/checkpoint-batches.ts).
 */
import type { Db } from '../db/database.ts'
import { deleteSetting, selectSetting, upsertSetting } from './setting.ts'

const getCheckpointSettingKey = (checkpointId: string) => `tmdb_checkpoint_${checkpointId}`

/** Returns how many batches of the checkpoint were written to this database; null when there are none. */
export async function selectWrittenBatchCount(db: Db, checkpointId: string): Promise<number | null> {
  const row = await selectSetting(db, getCheckpointSettingKey(checkpointId))
  return row ? Number(JSON.parse(row.value)) : null
}

export async function upsertWrittenBatchCount(
  db: Db,
  { checkpointId, batchCount }: { checkpointId: string; batchCount: number },
  nowMs: number,
): Promise<void> {
  await upsertSetting(db, {
    key: getCheckpointSettingKey(checkpointId),
    value: JSON.stringify(batchCount),
    updated_at: nowMs,
    updated_by: null,
  })
}

export async function deleteWrittenBatchCount(db: Db, checkpointId: string): Promise<void> {
  await deleteSetting(db, getCheckpointSettingKey(checkpointId))
}

export async function hasTmdbTitles(db: Db): Promise<boolean> {
  const titleQuery = db.selectFrom('title').select('title_id').where('source', '=', 'tmdb')
  return (await titleQuery.limit(1).executeTakeFirst()) !== undefined
}
