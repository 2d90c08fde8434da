/**
 * Undoes an applied import in short transactions. An interrupted undo can be started again. The changes stay
 * stored, so that the import can be restored from the bin. A change whose row was modified cannot be undone
 * until the row has the imported values again. A change of a title that was deleted permanently cannot be undone.
 */
import type { Db } from '../../db/database.ts'
import {
  type HistoryChangeRow,
  selectHistoryChangesBefore,
  toggleHistoryChangesUndone,
} from '../../queries/history-change.ts'
import { type HistoryImportRun, updateHistoryImport } from '../../queries/history-import.ts'
import { deleteImportedLists } from '../../queries/named-list.ts'
import { selectExistingTitleIds } from '../../queries/title.ts'
import { serialiseTrackingRow, type TrackingRow, type TrackingRowKind } from '../../queries/tracking-row.ts'
import type { Deps } from '../deps.ts'
import { loadChangeSet, writeChangeSet } from './change-set-storage.ts'
import type { TrackingChangeSet } from './tracking-change-set.ts'
import { createEventLoopYield } from './yield-to-event-loop.ts'

/** Number of changes that are undone in one transaction. */
const UNDO_BATCH_SIZE = 300
/** Larger than the sequence number of any change. */
const MAX_SEQUENCE = 2_147_483_647

/**
 * Undoes an import, the newest changes first. Returns the number of changes that are not undone because their
 * row was modified or their title was deleted after the import.
 */
export async function undoImportChanges(deps: Deps, run: HistoryImportRun): Promise<number> {
  const keptCount = await undoChanges(deps, run)
  await deleteImportedLists(deps.database.primary, run.import_id)
  return keptCount
}

/** Undoes the changes of an import to one title, the newest first. Lists that the import created are kept. */
export async function undoTitleChanges(deps: Deps, run: HistoryImportRun, titleId: number): Promise<void> {
  await undoChanges(deps, run, titleId)
}

/** Undoes the changes, or only those to one title. Returns the number of changes that are not undone. */
async function undoChanges(deps: Deps, run: HistoryImportRun, titleId?: number): Promise<number> {
  const { primary } = deps.database
  const yieldToEventLoop = createEventLoopYield()
  let doneCount = 0
  let keptCount = 0
  let beforeSequence = MAX_SEQUENCE
  for (;;) {
    const keptInBatchCount = await primary.transaction().execute(async (trx) => {
      const changes = await selectHistoryChangesBefore(trx, run.import_id, {
        beforeSeq: beforeSequence,
        limit: UNDO_BATCH_SIZE,
        titleId,
      })
      const lastChange = changes.at(-1)
      if (!lastChange) return null
      const { changeSet, changesOfExistingTitles } = await loadChangedRows(trx, run, changes)
      await yieldToEventLoop()
      const undoneChanges = changesOfExistingTitles.filter((change) => undoChange(changeSet, change))
      await writeChangeSet(trx, run.profile_id, { changes: changeSet.listChanges(), yieldToEventLoop })
      await toggleHistoryChangesUndone(
        trx,
        run.import_id,
        undoneChanges.map(({ seq: sequence }) => sequence),
      )
      beforeSequence = lastChange.seq
      doneCount += changes.length
      await updateHistoryImport(trx, run.import_id, { done: doneCount, heartbeat_at: deps.now() })
      return changes.length - undoneChanges.length
    })
    if (keptInBatchCount === null) return keptCount
    keptCount += keptInBatchCount
    await yieldToEventLoop()
  }
}

/**
 * Returns a change set with the rows of the changed titles, and the changes whose title still exists. The rows of a
 * deleted title cannot be written again.
 */
export async function loadChangedRows(trx: Db, run: HistoryImportRun, changes: readonly HistoryChangeRow[]) {
  const titleIds = [...new Set(changes.map((change) => change.title_id))].sort((a, b) => a - b)
  const existingTitleIds = await selectExistingTitleIds(trx, titleIds)
  return {
    changeSet: await loadChangeSet(trx, run.profile_id, titleIds),
    changesOfExistingTitles: changes.filter((change) => existingTitleIds.has(change.title_id)),
  }
}

/**
 * Restores the row as it was before the import. Returns false if the row was modified after the import. The position in
 * a named list is not compared, because moving one title of the list changes the positions of all titles after it.
 */
function undoChange(changeSet: TrackingChangeSet, change: HistoryChangeRow): boolean {
  const kind = change.kind as TrackingRowKind
  const rowBefore = change.before === null ? null : parseStoredRow(kind, change.before)
  const rowAfter = change.after === '' ? null : parseStoredRow(kind, change.after)
  const rowKey = (rowAfter ?? rowBefore) as TrackingRow
  const currentRow = changeSet.get(kind, rowKey)
  if (
    (currentRow && serialiseWithoutPosition(kind, currentRow)) !==
    (rowAfter && serialiseWithoutPosition(kind, rowAfter))
  )
    return false
  if (rowBefore) changeSet.set(kind, rowBefore)
  else changeSet.delete(kind, rowKey)
  return true
}

const serialiseWithoutPosition = (kind: TrackingRowKind, row: TrackingRow): string =>
  serialiseTrackingRow(kind, kind === 'list_entry' ? { ...row, position: null } : row)

/** Parses a stored row. Viewings that older versions stored have no `marked`, so it is set to 0. */
export const parseStoredRow = (kind: TrackingRowKind, text: string): TrackingRow => ({
  ...(kind === 'play' && { marked: 0 }),
  ...(JSON.parse(text) as TrackingRow),
})
