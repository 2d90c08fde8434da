/** Receives the upload of an import, stores the import and starts its dry run. */
import { rm } from 'node:fs/promises'
import { type ImportRun, MAX_HISTORY_IMPORTS } from '../../../src/lib/contract/history-transfer.ts'
import { createFieldProblem, Problem } from '../../core/problem.ts'
import type { Db } from '../../db/database.ts'
import { lockUntilCommit } from '../../db/lock.ts'
import { UnknownFormatError } from '../../importers/history/parse-history-file.ts'
import { BIN_RETENTION_MS } from '../../queries/bin.ts'
import {
  countHistoryImports,
  deleteOldHistoryImports,
  type HistoryImportRun,
  insertHistoryImport,
  selectHistoryImportsByStatus,
  transitionHistoryImport,
} from '../../queries/history-import.ts'
import { deleteHistoryImportRows } from '../../queries/history-import-row.ts'
import { createRandomId } from '../auth/secret.ts'
import type { ProfileContext } from '../context.ts'
import type { Deps } from '../deps.ts'
import { getImportFailureCode, runDryRun } from './dry-run.ts'
import { enqueueImport } from './import-queue.ts'
import { BUSY_STATUSES, isRunBusy, toImportRun } from './import-run-state.ts'
import { type SavedUpload, saveUpload } from './save-upload.ts'
import { inspectUpload, type UploadContent } from './upload-content.ts'

/**
 * Number of the newest imports that are kept for each profile. An older import is deleted when it has failed, or if it
 * was neither uploaded nor applied nor undone in the last 30 days. The imported data stays in the profile.
 */
const KEPT_IMPORT_COUNT = 30

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
  // A file can have 200 MB. Parallel uploads could fill the disk before the first one is stored as an import.
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
      // The rows are deleted, because nobody can see or apply the rows of a failed import.
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
