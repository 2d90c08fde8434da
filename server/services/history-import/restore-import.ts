/**
 * Restores an undone import from the bin, in short transactions, by redoing its stored changes. If a title was
 * changed after the undo, the rows of the import for this title are merged again instead.
 * An interrupted restoration can be started again.
 */
import type { Db } from '../../db/database.ts'
import {
  deleteUndoneHistoryChangesThrough,
  type HistoryChangeRow,
  selectUndoneHistoryChanges,
  toggleHistoryChangesUndone,
} from '../../queries/history-change.ts'
import { type HistoryImportRun, updateHistoryImport } from '../../queries/history-import.ts'
import { selectOwnList } from '../../queries/named-list.ts'
import { serialiseTrackingRow, type TrackingRow, type TrackingRowKind } from '../../queries/tracking-row.ts'
import type { Deps } from '../deps.ts'
import { type ApplyImportRequest, applyImportRows } from './apply-import.ts'
import { writeChangeSet } from './change-set-storage.ts'
import { createImportedLists } from './import-lists.ts'
import type { TrackingChangeSet } from './tracking-change-set.ts'
import { loadChangedRows, parseStoredRow } from './undo-import.ts'
import { createEventLoopYield } from './yield-to-event-loop.ts'

/** Number of changes that are redone in one transaction. */
const RESTORE_BATCH_SIZE = 300

export async function restoreImportChanges(deps: Deps, request: ApplyImportRequest): Promise<void> {
  const { run, owners } = request
  const { primary } = deps.database
  // An import that was undone by an older version has no stored changes, so its rows are merged again.
  if ((await selectUndoneHistoryChanges(primary, run.import_id, 1)).length === 0)
    return applyImportRows(deps, request)
  // The lists are created first, because entries of a list refer to the list.
  await createImportedLists(primary, { run, owners })
  const yieldToEventLoop = createEventLoopYield()
  const changedTitleIds = new Set<number>()
  for (;;) {
    const hasRestoredBatch = await primary.transaction().execute(async (trx) => {
      const changes = await selectUndoneHistoryChanges(trx, run.import_id, RESTORE_BATCH_SIZE)
      const lastChange = changes.at(-1)
      if (!lastChange) return false
      const restoredChanges = await redoChanges(trx, run, changes)
      const restoredSequences = restoredChanges.map(({ seq: sequence }) => sequence)
      for (const { seq: sequence, title_id } of changes)
        if (!restoredSequences.includes(sequence)) changedTitleIds.add(title_id)
      await toggleHistoryChangesUndone(trx, run.import_id, restoredSequences)
      await deleteUndoneHistoryChangesThrough(trx, run.import_id, lastChange.seq)
      await updateHistoryImport(trx, run.import_id, { heartbeat_at: deps.now() })
      return true
    })
    if (!hasRestoredBatch) break
    await yieldToEventLoop()
  }
  if (changedTitleIds.size > 0) await applyImportRows(deps, { ...request, titleIds: changedTitleIds })
}

/**
 * Redoes each change whose title and list still exist and whose row is still as it was before the import. Returns the
 * redone changes.
 */
async function redoChanges(
  trx: Db,
  run: HistoryImportRun,
  changes: readonly HistoryChangeRow[],
): Promise<HistoryChangeRow[]> {
  const existingListIds = await selectExistingListIds(trx, run.profile_id, changes)
  const { changeSet, changesOfExistingTitles } = await loadChangedRows(trx, run, changes)
  const restoredChanges = changesOfExistingTitles.filter((change) =>
    redoChange(changeSet, change, existingListIds),
  )
  await writeChangeSet(trx, run.profile_id, {
    changes: changeSet.listChanges(),
    yieldToEventLoop: createEventLoopYield(),
  })
  return restoredChanges
}

/** Returns the ids of the existing lists that the changes refer to. Lists in the bin are included. */
async function selectExistingListIds(
  trx: Db,
  profileId: string,
  changes: readonly HistoryChangeRow[],
): Promise<ReadonlySet<string>> {
  const rows = changes
    .filter(({ kind }) => kind === 'list_entry')
    .map(
      ({ before: beforeJson, after: afterJson }) =>
        JSON.parse(afterJson || (beforeJson ?? '{}')) as TrackingRow,
    )
  const existingListIds = new Set<string>()
  for (const listId of new Set(rows.map((row) => String(row['list_id']))))
    if (await selectOwnList(trx, profileId, listId)) existingListIds.add(listId)
  return existingListIds
}

/**
 * Redoes a change. Returns false if the row was changed after the undo, or if the row refers to a list that no
 * longer exists.
 */
function redoChange(
  changeSet: TrackingChangeSet,
  change: HistoryChangeRow,
  existingListIds: ReadonlySet<string>,
): boolean {
  const kind = change.kind as TrackingRowKind
  const rowBefore = change.before === null ? null : parseStoredRow(kind, change.before)
  const rowAfter = change.after === '' ? null : parseStoredRow(kind, change.after)
  const rowKey = (rowAfter ?? rowBefore) as TrackingRow
  if (kind === 'list_entry' && !existingListIds.has(String(rowKey['list_id']))) return false
  const currentRow = changeSet.get(kind, rowKey)
  if (
    (currentRow && serialiseTrackingRow(kind, currentRow)) !==
    (rowBefore && serialiseTrackingRow(kind, rowBefore))
  )
    return false
  if (rowAfter) changeSet.set(kind, rowAfter)
  else changeSet.delete(kind, rowKey)
  return true
}
