/** The operations on stored imports: list, apply, restore and undo. */
import type { ImportRun } from '../../../src/lib/contract/history-transfer.ts'
import { Problem } from '../../core/problem.ts'
import { countHistoryChanges, deleteUndoneHistoryChanges } from '../../queries/history-change.ts'
import {
  type HistoryImportRun,
  selectHistoryImport,
  selectHistoryImports,
  transitionHistoryImport,
} from '../../queries/history-import.ts'
import type { PageRequest } from '../../queries/page.ts'
import type { ProfileContext } from '../context.ts'
import type { Deps } from '../deps.ts'
import { publishAccountEvent } from '../events/account-events.ts'
import { toPage } from '../page.ts'
import type { ApplyImportRequest } from './apply-import.ts'
import { listAppliedOwners, markAppliedOwners } from './import-owners.ts'
import { enqueueImport } from './import-queue.ts'
import { BUSY_STATUSES, isRunBusy, toImportRun } from './import-run-state.ts'
import { applyReassignedRows } from './reassigned-rows.ts'
import { restoreImportChanges } from './restore-import.ts'
import { undoImportChanges } from './undo-import.ts'

/** Returns an import of the acting profile. Throws 404 if the import does not exist or belongs to another profile. */
export async function loadImportRun(
  { deps, caller }: ProfileContext,
  importId: string,
): Promise<HistoryImportRun> {
  const row = await selectHistoryImport(deps.database.primary, caller.profile.profile_id, importId)
  if (!row) throw new Problem('not_found')
  return row
}

/** Returns a page of the imports of the profile, the newest first. */
export async function listImportRuns(context: ProfileContext, query: PageRequest) {
  const { rows, total } = await selectHistoryImports(
    context.deps.database.primary,
    context.caller.profile.profile_id,
    query,
  )
  const importRuns = rows.map((row) => toImportRun(context, row))
  return toPage(query, total, importRuns)
}

/**
 * Starts to apply the rows of `owners` (import-owners.ts), or all rows if `owners` is undefined. Throws 404 if the
 * profile has no import with this id, and 409 if an import with this status cannot be applied.
 */
export async function startApplyingImport(
  context: ProfileContext,
  importId: string,
  owners: readonly string[] | undefined,
): Promise<ImportRun> {
  const run = await beginRun(context, importId, 'applying', (previousRun) => ({
    owners: markAppliedOwners(previousRun, owners),
  }))
  await deleteUndoneHistoryChanges(context.deps.database.primary, importId)
  return startApplyingRows(context, { run, audience: context.caller.audience, owners }, applyReassignedRows)
}

/**
 * Starts to restore the changes of an undone import, or continues an interrupted restoration. Throws 404 if the profile
 * has no such import, and 409 while the import is busy.
 */
export async function startRestoringImport(context: ProfileContext, importId: string): Promise<ImportRun> {
  const { status } = await loadImportRun(context, importId)
  // The status is `applying` if an earlier restoration was interrupted. That restoration is continued now.
  if (status !== 'undone' && status !== 'applying') throw new Problem('not_found')
  const run = await beginRun(context, importId, 'applying')
  const owners = listAppliedOwners(run)
  return startApplyingRows(context, { run, audience: context.caller.audience, owners }, restoreImportChanges)
}

function startApplyingRows(
  context: ProfileContext,
  request: ApplyImportRequest,
  applyRows: (deps: Deps, request: ApplyImportRequest) => Promise<void>,
): ImportRun {
  const { deps } = context
  const { run } = request
  const { import_id: importId } = run
  void enqueueImport(deps, run, async () => {
    await applyRows(deps, request)
    await transitionHistoryImport(deps.database.primary, importId, ['applying'], {
      status: 'applied',
      done: run.total,
      // An earlier run of this import may have been interrupted. This number includes the changes of that run.
      changed: await countHistoryChanges(deps.database.primary, importId),
      applied_at: deps.now(),
      undone_at: null,
      message: null,
    })
    publishChanges(context)
  })
  return toImportRun(context, run)
}

/** Notifies the open tabs of the account about everything that an import may have changed. */
function publishChanges(context: ProfileContext): void {
  for (const kind of ['list', 'progress', 'feedback', 'ratings', 'lists'] as const)
    publishAccountEvent(context, kind)
}

/**
 * Starts to undo an import. Throws 404 if the profile has no import with this id, and 409 if an import with this
 * status cannot be undone.
 */
export async function startUndoingImport(context: ProfileContext, importId: string): Promise<ImportRun> {
  const { deps } = context
  const run = await beginRun(context, importId, 'undoing')
  void enqueueImport(deps, run, async () => {
    const keptCount = await undoImportChanges(deps, run)
    await transitionHistoryImport(deps.database.primary, importId, ['undoing'], {
      status: 'undone',
      changed: keptCount,
      undone_at: deps.now(),
      message: null,
    })
    publishChanges(context)
  })
  return toImportRun(context, run)
}

/**
 * Sets the status of an import, and the columns that `createColumns` returns. `createColumns` receives the
 * import before this change. Throws 404 if the profile has no import with this id, and 409 if its previous
 * status does not allow the new status.
 */
async function beginRun(
  context: ProfileContext,
  importId: string,
  status: 'applying' | 'undoing',
  createColumns?: (previousRun: HistoryImportRun) => Pick<HistoryImportRun, 'owners'>,
): Promise<HistoryImportRun> {
  const { deps } = context
  const row = await loadImportRun(context, importId)
  const nowMs = deps.now()
  const canStartRun =
    !BUSY_STATUSES.includes(row.status) || (row.status !== 'reading' && !isRunBusy(row, nowMs))
  const allowedStatuses = status === 'applying' ? ['ready', 'applied', 'undone'] : ['applied']
  if (!canStartRun || !(allowedStatuses.includes(row.status) || BUSY_STATUSES.includes(row.status))) {
    throw new Problem('conflict', { errors: { import: [row.status] } })
  }
  const { rows: rowCounts } = toImportRun(context, row)
  const totalCount = status === 'applying' ? rowCounts.matched : row.changed
  const changedColumns = {
    status,
    done: 0,
    total: totalCount,
    heartbeat_at: nowMs,
    message: null,
    ...createColumns?.(row),
  }
  // If another request continues an interrupted run meanwhile, the status can stay the same, but the heartbeat changes.
  // For an interrupted run, the heartbeat is therefore compared too.
  const lastHeartbeatMs = BUSY_STATUSES.includes(row.status) ? row.heartbeat_at : undefined
  const { primary } = deps.database
  if (!(await transitionHistoryImport(primary, importId, [row.status], changedColumns, lastHeartbeatMs))) {
    throw new Problem('conflict', { errors: { import: ['running'] } })
  }
  return { ...row, ...changedColumns }
}
