/** The operations on imports: start, list, apply and undo. */

import { rm } from 'node:fs/promises'
import { type ImportRun, MAX_HISTORY_IMPORTS } from '../../../src/lib/contract/history-transfer.ts'
import { isHeartbeatExpired, toIsoTime, toIsoTimeOrNull } from '../../core/dates.ts'
import { createFieldProblem, Problem } from '../../core/problem.ts'
import type { Db } from '../../db/database.ts'
import { lockUntilCommit } from '../../db/lock.ts'
import { UnknownFormatError } from '../../importers/history/parse-history-file.ts'
import { BIN_RETENTION_MS } from '../../queries/bin.ts'
import { deleteUndoneHistoryChanges } from '../../queries/history-change.ts'
import {
  countHistoryImports,
  deleteOldHistoryImports,
  type HistoryImportRun,
  insertHistoryImport,
  selectHistoryImport,
  selectHistoryImports,
  selectHistoryImportsByStatus,
  transitionHistoryImport,
} from '../../queries/history-import.ts'
import { deleteHistoryImportRows } from '../../queries/history-import-row.ts'
import type { PageRequest } from '../../queries/page.ts'
import { createRandomId } from '../auth/secret.ts'
import type { ProfileContext } from '../context.ts'
import type { Deps } from '../deps.ts'
import { publishAccountEvent } from '../events/account-events.ts'
import { toPage } from '../page.ts'
import type { ApplyRequest } from './apply-import.ts'
import { getImportFailureCode, runDryRun } from './dry-run.ts'
import { listAppliedOwners, markAppliedOwners } from './import-owners.ts'
import { enqueueImport } from './import-queue.ts'
import { applyReassignedRows } from './reassigned-rows.ts'
import { restoreImportChanges } from './restore-import.ts'
import { type SavedUpload, saveUpload } from './save-upload.ts'
import { undoImportChanges } from './undo-import.ts'
import { inspectUpload, type UploadContent } from './upload-content.ts'

/**
 * Number of the newest imports that are kept for each profile. An older import is deleted when it has failed, or if it
 * was neither uploaded nor applied nor undone in the last 30 days. The imported data stays in the profile.
 */
const KEPT_IMPORT_COUNT = 30
/** An import that had no heartbeat for this long counts as interrupted: its process has probably ended. */
const HEARTBEAT_TIMEOUT_MS = 60_000
const BUSY_STATUSES = ['reading', 'applying', 'undoing']

/** Accounts whose upload is being received by this process. */
const uploadingAccountIdsByDeps = new WeakMap<Deps, Set<string>>()

/**
 * Saves the uploaded file and returns the new import; the dry run continues in the background. Throws 409 while
 * another import of the profile is busy or another upload of the account is being received, or if the profile has too
 * many stored imports. Throws 413 if the file is too large, 415 for an encoded request body, and 422 for an unusable
 * file.
 */
export async function createImportRun(
  context: ProfileContext,
  request: Request,
  fileName: string | undefined,
): Promise<ImportRun> {
  const { deps, caller } = context
  const { account_id: accountId } = caller.account
  const uploadingAccountIds = uploadingAccountIdsByDeps.get(deps) ?? new Set()
  uploadingAccountIdsByDeps.set(deps, uploadingAccountIds)
  // A file can have 200 MB. Several uploads at once could fill the disk before the first one is stored as an import.
  if (uploadingAccountIds.has(accountId)) return rejectUpload(request, 'running')
  uploadingAccountIds.add(accountId)
  try {
    const conflictCode = await deleteOldImportsAndFindConflict(context)
    return await (conflictCode
      ? rejectUpload(request, conflictCode)
      : receiveUpload(context, request, fileName))
  } finally {
    uploadingAccountIds.delete(accountId)
  }
}

async function rejectUpload(request: Request, conflictCode: ImportConflict): Promise<never> {
  await request.body?.cancel()
  throw createConflictProblem(conflictCode)
}

type ImportConflict = 'running' | 'too_many_imports'

const createConflictProblem = (conflictCode: ImportConflict) =>
  new Problem('conflict', { errors: { import: [conflictCode] } })

async function receiveUpload(
  context: ProfileContext,
  request: Request,
  fileName: string | undefined,
): Promise<ImportRun> {
  const { deps } = context
  const importId = createRandomId()
  const upload = await saveUpload(deps, request, { id: importId, name: fileName })
  try {
    const content = await inspectUpload(upload)
    const run = await insertImportRun(context, importId, { upload, content })
    startDryRun(context, run, { path: upload.path, content })
    return toImportRun(context, run)
  } catch (error) {
    await rm(upload.path, { force: true })
    throw error instanceof UnknownFormatError
      ? createFieldProblem('file', getImportFailureCode(error))
      : error
  }
}

/**
 * Stores a new import. Throws 409 if another process has started an import of the profile since the upload began.
 */
async function insertImportRun(
  { deps, caller }: ProfileContext,
  importId: string,
  { upload, content }: { upload: SavedUpload; content: UploadContent },
): Promise<HistoryImportRun> {
  const profileId = caller.profile.profile_id
  const nowMs = deps.now()
  const run: HistoryImportRun = {
    import_id: importId,
    profile_id: profileId,
    file_name: upload.name,
    file_hash: upload.hash,
    source: content.source,
    status: 'reading',
    done: 0,
    total: content.sizeBytes,
    changed: 0,
    message: null,
    counts: '{}',
    owners: '[]',
    files: '[]',
    created_at: nowMs,
    heartbeat_at: nowMs,
    applied_at: null,
    undone_at: null,
  }
  await deps.database.primary.transaction().execute(async (trx) => {
    await lockUntilCommit(trx, `history-imports:${profileId}`)
    const conflictCode = await findConflict(trx, profileId, nowMs)
    if (conflictCode) throw createConflictProblem(conflictCode)
    await insertHistoryImport(trx, run)
  })
  return run
}

function startDryRun(
  { deps, caller }: ProfileContext,
  run: HistoryImportRun,
  { path, content }: { path: string; content: UploadContent },
): void {
  const { import_id: importId } = run
  void enqueueImport(deps, run, async () => {
    try {
      await runDryRun(deps, { run, audience: caller.audience, path, content })
      await transitionHistoryImport(deps.database.primary, importId, ['reading'], {
        status: 'ready',
        done: content.sizeBytes,
      })
    } catch (error) {
      // Nobody can see or apply the rows of a failed import.
      await deleteHistoryImportRows(deps.database.primary, importId).catch(() => {})
      throw error
    } finally {
      await rm(path, { force: true })
    }
  })
}

/** Deletes old imports. Returns the reason why the profile cannot start another import; null if it can. */
async function deleteOldImportsAndFindConflict({
  deps,
  caller,
}: ProfileContext): Promise<ImportConflict | null> {
  const { primary } = deps.database
  const profileId = caller.profile.profile_id
  const nowMs = deps.now()
  if ((await findConflict(primary, profileId, nowMs)) === 'running') return 'running'
  const beforeMs = nowMs - BIN_RETENTION_MS
  await deleteOldHistoryImports(primary, profileId, { keptCount: KEPT_IMPORT_COUNT, beforeMs })
  return findConflict(primary, profileId, nowMs)
}

async function findConflict(db: Db, profileId: string, nowMs: number): Promise<ImportConflict | null> {
  const busyImports = await selectHistoryImportsByStatus(db, profileId, BUSY_STATUSES)
  if (busyImports.some((row) => isRunBusy(row, nowMs))) return 'running'
  return (await countHistoryImports(db, profileId)) >= MAX_HISTORY_IMPORTS ? 'too_many_imports' : null
}

function isRunBusy(row: HistoryImportRun, nowMs: number): boolean {
  return (
    BUSY_STATUSES.includes(row.status) && !isHeartbeatExpired(row.heartbeat_at, HEARTBEAT_TIMEOUT_MS, nowMs)
  )
}

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

/** Converts an import to its form in the API. */
export function toImportRun({ deps }: Pick<ProfileContext, 'deps'>, row: HistoryImportRun): ImportRun {
  const { left_out: leftOutCount = 0, ...countsByOutcome } = JSON.parse(row.counts) as Record<string, number>
  const countRows = (...outcomes: string[]) =>
    outcomes.reduce((sum, outcome) => sum + (countsByOutcome[outcome] ?? 0), 0)
  const wasInterrupted = BUSY_STATUSES.includes(row.status) && !isRunBusy(row, deps.now())
  return {
    import_id: row.import_id,
    file_name: row.file_name,
    source: row.source as ImportRun['source'],
    status: wasInterrupted ? getStatusAfterInterruption(row) : (row.status as ImportRun['status']),
    message: wasInterrupted ? 'interrupted' : row.message,
    done: row.done,
    total: row.total,
    rows: {
      total: countRows(...Object.keys(countsByOutcome)),
      matched: countRows('matched', 'chosen'),
      ambiguous: countRows('ambiguous'),
      unmatched: countRows('unmatched'),
      ignored: countRows('ignored'),
      skipped: countRows('skipped'),
      left_out: leftOutCount,
    },
    changed: row.changed,
    created_at: toIsoTime(row.created_at),
    applied_at: toIsoTimeOrNull(row.applied_at),
    undone_at: toIsoTimeOrNull(row.undone_at),
  }
}

/** An interrupted dry run cannot be used. Applying or undoing an import can be repeated after an interruption. */
const getStatusAfterInterruption = (row: HistoryImportRun) =>
  row.status === 'reading' ? 'failed' : 'applied'

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
  request: ApplyRequest,
  applyRows: (deps: Deps, request: ApplyRequest) => Promise<number>,
): ImportRun {
  const { deps } = context
  const { run } = request
  const { import_id: importId } = run
  void enqueueImport(deps, run, async () => {
    const changedCount = await applyRows(deps, request)
    await transitionHistoryImport(deps.database.primary, importId, ['applying'], {
      status: 'applied',
      done: run.total,
      changed: run.changed + changedCount,
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
  if (!(await transitionHistoryImport(deps.database.primary, importId, [row.status], changedColumns))) {
    throw new Problem('conflict', { errors: { import: ['running'] } })
  }
  return { ...row, ...changedColumns }
}
