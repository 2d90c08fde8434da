/**
 * Detects a checkpoint that does not belong to the state of the database, for example after a backup was restored. The
 * database and the checkpoint both count the batches that were written to the database. The count in the database must
 * never be lower than the count in the checkpoint.
 */
import {
  deleteWrittenBatchCount,
  hasTmdbTitles,
  selectWrittenBatchCount,
  upsertWrittenBatchCount,
} from '../../queries/tmdb-checkpoint.ts'
import type { ImporterDeps } from '../importer.ts'
import type { TmdbCheckpoint, TmdbItem } from './checkpoint.ts'

export interface CheckpointBatches {
  /**
   * Records a committed batch and its items as done. `hasChanges` is false if the batch wrote nothing to the database.
   */
  markDone: (items: TmdbItem[], hasChanges: boolean) => Promise<void>
}

/**
 * Empties the checkpoint if the database does not contain all batches of the checkpoint, so that all items are fetched
 * again. Returns an object that records further batches in the database and the checkpoint.
 */
export async function openCheckpointBatches(
  { database, now }: ImporterDeps,
  checkpoint: TmdbCheckpoint,
): Promise<CheckpointBatches> {
  const db = database.primary
  const identity = checkpoint.readIdentity()
  const writtenBatchCount = identity && (await selectWrittenBatchCount(db, identity.checkpointId))
  const isCheckpointValid =
    identity !== null && writtenBatchCount !== null && writtenBatchCount >= identity.batchCount
  let checkpointId = identity?.checkpointId ?? ''
  let batchCount = writtenBatchCount ?? 0
  if (!isCheckpointValid) {
    if (identity) await deleteWrittenBatchCount(db, identity.checkpointId)
    // A checkpoint of an earlier version of the server has no id. It counts as a checkpoint of this database if the
    // database has titles of TMDB.
    const isOfEarlierVersion = !identity && checkpoint.readSourceProgress() !== undefined
    checkpointId =
      isOfEarlierVersion && (await hasTmdbTitles(db))
        ? checkpoint.assignCheckpointId()
        : checkpoint.startNewCheckpoint()
    batchCount = 0
    await upsertWrittenBatchCount(db, { checkpointId, batchCount }, now())
  }
  return {
    async markDone(items, hasChanges) {
      // The count in the database is written before the count in the checkpoint. After a crash between both writes, the
      // count in the database is higher, which is allowed.
      if (hasChanges) {
        batchCount += 1
        await upsertWrittenBatchCount(db, { checkpointId, batchCount }, now())
      }
      checkpoint.markDone(items, batchCount)
    },
  }
}
