/**
 * Rows of an applied import that the user assigned to another title or chose to ignore. When the import is applied
 * again, its changes to the former titles of these rows are undone first.
 */
import type { HistoryRow } from '../../importers/history/history-row.ts'
import { deleteUndoneHistoryChanges } from '../../queries/history-change.ts'
import { selectReassignedRows, updateHistoryFileRow } from '../../queries/history-import-row.ts'
import type { Deps } from '../deps.ts'
import { type ApplyImportRequest, applyImportRows } from './apply-import.ts'
import { listAppliedOwners } from './import-owners.ts'
import { listRowWindows } from './row-windows.ts'
import { undoTitleChanges } from './undo-import.ts'
import { createEventLoopYield } from './yield-to-event-loop.ts'

/**
 * Returns the data of a row of an applied import, with the id of the title to which the row was applied. When the
 * import is applied again, its changes to this title are undone.
 */
export function markReassignedRow({ data, title_id }: { data: string; title_id: number | null }): string {
  const row = JSON.parse(data) as HistoryRow
  // If the row was reassigned several times, it was applied only to the first title.
  return title_id === null || row.appliedTitleId !== undefined
    ? data
    : JSON.stringify({ ...row, appliedTitleId: title_id })
}

/**
 * Applies the rows of an import, and undoes its changes to the former titles of reassigned rows. Other rows of these
 * titles are merged again.
 */
export async function applyReassignedRows(deps: Deps, request: ApplyImportRequest): Promise<void> {
  const { run } = request
  const { primary } = deps.database
  const reassignedRows = await readReassignedRows(deps, run.import_id)
  const formerTitleIds = new Set(reassignedRows.flatMap(({ row }) => row.appliedTitleId ?? []))
  if (formerTitleIds.size === 0) return applyImportRows(deps, request)
  for (const titleId of formerTitleIds) await undoTitleChanges(deps, run, titleId)
  await deleteUndoneHistoryChanges(primary, run.import_id)
  // The undone changes may come from rows of other owners (profiles in the file) that were applied before this request.
  // Therefore the rows of every applied owner are merged again, for the former titles and for the new titles.
  const titleIds = formerTitleIds.union(new Set(reassignedRows.flatMap(({ titleId }) => titleId ?? [])))
  await applyImportRows(deps, {
    ...request,
    owners: listAppliedOwners(run),
    titleIds,
  })
  await applyImportRows(deps, request)
  const yieldToEventLoop = createEventLoopYield()
  for (const { n: rowNumber, row } of reassignedRows) {
    await yieldToEventLoop()
    const { appliedTitleId: _, ...unmarkedRow } = row
    await updateHistoryFileRow(primary, run.import_id, rowNumber, { data: JSON.stringify(unmarkedRow) })
  }
}

async function readReassignedRows({ database }: Deps, importId: string) {
  const reassignedRows: { n: number; row: HistoryRow; titleId: number | null }[] = []
  for await (const window of listRowWindows(database.primary, importId)) {
    for (const { n, data, title_id } of await selectReassignedRows(database.primary, importId, window))
      reassignedRows.push({ n, row: JSON.parse(data) as HistoryRow, titleId: title_id })
  }
  return reassignedRows
}
