/** Undoes an applied import in short transactions. It can be interrupted and started again. */
import {
  deleteHistoryChangesFrom,
  type HistoryChangeRow,
  selectLatestHistoryChanges,
} from '../../queries/history-change.ts'
import { type HistoryImportRun, updateHistoryImport } from '../../queries/history-import.ts'
import { deleteImportedLists } from '../../queries/named-list.ts'
import { serialiseTrackingRow, type TrackingRow, type TrackingRowKind } from '../../queries/tracking-row.ts'
import type { Deps } from '../deps.ts'
import { loadChangeSet, writeChangeSet } from './change-set-storage.ts'
import { createEventLoopYield } from './yield-to-event-loop.ts'

/** Number of changes that are undone in one transaction. */
const UNDO_BATCH_SIZE = 300

/**
 * Undoes an import, the newest changes first. Returns the number of changes that are not undone because their row was modified after
 * the import.
 */
export async function undoImportChanges(deps: Deps, run: HistoryImportRun): Promise<number> {
  const { primary } = deps.database
  const yieldToEventLoop = createEventLoopYield()
  let doneCount = 0
  let keptCount = 0
  for (;;) {
    const keptInBatch = await primary.transaction().execute(async (trx) => {
      const changes = await selectLatestHistoryChanges(trx, run.import_id, UNDO_BATCH_SIZE)
      const last = changes.at(-1)
      if (!last) return null
      const titleIds = [...new Set(changes.map((change) => change.title_id))].sort((a, b) => a - b)
      const changeSet = await loadChangeSet(trx, run.profile_id, titleIds)
      await yieldToEventLoop()
      const keptCountInBatch = changes.filter((change) => !undoChange(changeSet, change)).length
      await writeChangeSet(trx, run.profile_id, { changes: changeSet.changes(), yieldToEventLoop })
      await deleteHistoryChangesFrom(trx, run.import_id, last.seq)
      doneCount += changes.length
      await updateHistoryImport(trx, run.import_id, { done: doneCount, heartbeat_at: deps.now() })
      return keptCountInBatch
    })
    if (keptInBatch === null) {
      await deleteImportedLists(primary, run.import_id)
      return keptCount
    }
    keptCount += keptInBatch
    await yieldToEventLoop()
  }
}

/** Restores the row as it was before the import. Returns false if the row was modified after the import. */
function undoChange(changeSet: Awaited<ReturnType<typeof loadChangeSet>>, change: HistoryChangeRow): boolean {
  const kind = change.kind as TrackingRowKind
  const before = change.before === null ? null : parseStoredRow(kind, change.before)
  const after = change.after === '' ? null : parseStoredRow(kind, change.after)
  const key = (after ?? before) as TrackingRow
  const current = changeSet.get(kind, key)
  if ((current && serialiseTrackingRow(kind, current)) !== (after && serialiseTrackingRow(kind, after)))
    return false
  if (before) changeSet.set(kind, before)
  else changeSet.delete(kind, key)
  return true
}

/** Viewings that were stored before they could be marked by hand have no `marked`. */
const parseStoredRow = (kind: TrackingRowKind, text: string): TrackingRow => ({
  ...(kind === 'play' && { marked: 0 }),
  ...(JSON.parse(text) as TrackingRow),
})
