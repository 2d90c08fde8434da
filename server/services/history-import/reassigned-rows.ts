/**
 * Rows of an applied import that the user assigned to another title, or chose to leave out. The next application first
 * undoes what the import has written to their former titles.
 */
import type { HistoryRow } from '../../importers/history/history-row.ts'
import { deleteUndoneHistoryChanges } from '../../queries/history-change.ts'
import { selectReassignedRows, updateHistoryFileRow } from '../../queries/history-import-row.ts'
import type { Deps } from '../deps.ts'
import { type ApplyRequest, applyImportRows } from './apply-import.ts'
import { listAppliedOwners } from './import-owners.ts'
import { undoTitleChanges } from './undo-import.ts'
import { createEventLoopYield } from './yield-to-event-loop.ts'

const ROWS_PER_PAGE = 1_000

/**
 * Returns the data of a row of an applied import, with the id of the title to which the row was applied. The next
 * application undoes the changes of the import to this title.
 */
export function markReassignedRow({ data, title_id }: { data: string; title_id: number | null }): string {
  const row = JSON.parse(data) as HistoryRow
  // After several decisions, the first title is the one to which the row was applied.
  return title_id === null || row.appliedTitleId !== undefined
    ? data
    : JSON.stringify({ ...row, appliedTitleId: title_id })
}

/**
 * Applies the rows of an import, and undoes its changes to the former titles of reassigned rows. Other rows of these
 * titles are merged again. Returns the number of changed database rows, less the undone changes.
 */
export async function applyReassignedRows(deps: Deps, request: ApplyRequest): Promise<number> {
  const { run } = request
  const { primary } = deps.database
  const reassignedRows = await readReassignedRows(deps, run.import_id)
  const formerTitleIds = new Set(reassignedRows.flatMap(({ row }) => row.appliedTitleId ?? []))
  if (formerTitleIds.size === 0) return applyImportRows(deps, request)
  let undoneCount = 0
  for (const titleId of formerTitleIds) undoneCount += await undoTitleChanges(deps, run, titleId)
  await deleteUndoneHistoryChanges(primary, run.import_id)
  // The undone changes may belong to owners whose rows were applied earlier. The rows of all these owners are
  // therefore merged again, those of the former titles as well as the reassigned rows.
  const titleIds = formerTitleIds.union(new Set(reassignedRows.flatMap(({ titleId }) => titleId ?? [])))
  const mergedAgainCount = await applyImportRows(deps, {
    ...request,
    owners: listAppliedOwners(run),
    titleIds,
  })
  const changedCount = await applyImportRows(deps, request)
  const yieldToEventLoop = createEventLoopYield()
  for (const { n: rowNumber, row } of reassignedRows) {
    await yieldToEventLoop()
    const { appliedTitleId: _, ...unmarkedRow } = row
    await updateHistoryFileRow(primary, run.import_id, rowNumber, { data: JSON.stringify(unmarkedRow) })
  }
  return changedCount + mergedAgainCount - undoneCount
}

async function readReassignedRows({ database }: Deps, importId: string) {
  const reassignedRows: { n: number; row: HistoryRow; titleId: number | null }[] = []
  for (let afterRowNumber = -1; ; ) {
    const rows = await selectReassignedRows(database.primary, importId, {
      after: afterRowNumber,
      limit: ROWS_PER_PAGE,
    })
    reassignedRows.push(
      ...rows.map(({ n, data, title_id }) => ({ n, row: JSON.parse(data) as HistoryRow, titleId: title_id })),
    )
    if (rows.length < ROWS_PER_PAGE) return reassignedRows
    afterRowNumber = rows.at(-1)?.n ?? afterRowNumber
  }
}
