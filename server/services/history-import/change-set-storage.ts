/** Loads the tracking rows of some titles of a profile into a change set, and writes the changes of a change set. */
import type { Db } from '../../db/database.ts'
import { lockProgress } from '../../queries/progress.ts'
import {
  deleteTrackingRows,
  selectTrackingRows,
  TRACKING_ROW_KINDS,
  upsertTrackingRows,
} from '../../queries/tracking-row.ts'
import { lockWatchlist } from '../../queries/watchlist.ts'
import { TrackingChangeSet, type TrackingRowChange } from './tracking-change-set.ts'

const ROWS_PER_STATEMENT = 100

/**
 * Returns a change set with the tracking rows of the titles. Locks the progress and the watchlist of the profile until
 * the end of the transaction.
 */
export async function loadChangeSet(
  db: Db,
  profileId: string,
  titleIds: number[],
): Promise<TrackingChangeSet> {
  await lockProgress(db, profileId)
  await lockWatchlist(db, profileId)
  const changeSet = new TrackingChangeSet()
  for (const kind of TRACKING_ROW_KINDS) {
    for (const row of await selectTrackingRows(db, kind, profileId, titleIds))
      changeSet.addStoredRow(kind, row)
  }
  return changeSet
}

interface ChangeSetWriteRequest {
  changes: readonly TrackingRowChange[]
  yieldToEventLoop: () => Promise<void> | undefined
}

/**
 * Writes the changes. Each statement writes only a few rows, so that other requests are handled between the statements.
 */
export async function writeChangeSet(
  db: Db,
  profileId: string,
  { changes, yieldToEventLoop }: ChangeSetWriteRequest,
): Promise<void> {
  for (const kind of TRACKING_ROW_KINDS) {
    const changesOfKind = changes.filter((change) => change.kind === kind)
    const rows = changesOfKind.flatMap(({ after }) => (after ? [after] : []))
    for (let startIndex = 0; startIndex < rows.length; startIndex += ROWS_PER_STATEMENT) {
      await upsertTrackingRows(db, kind, profileId, rows.slice(startIndex, startIndex + ROWS_PER_STATEMENT))
      await yieldToEventLoop()
    }
    const deletedRows = changesOfKind.flatMap(({ before, after }) => (before && !after ? [before] : []))
    await deleteTrackingRows(db, kind, profileId, { rows: deletedRows, onStatementEnd: yieldToEventLoop })
  }
}
