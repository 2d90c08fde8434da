/**
 * Import and export of history: uploads, dry runs, decisions and downloads. Only the import and export tab loads this
 * module.
 */
import { computed } from 'nanostores'
import { callApi } from '../client/call.ts'
import { ApiError, isUnavailableError } from '../client/errors.ts'
import { fetchFile } from '../client/fetch-file.ts'
import { setProfileTimeout } from '../client/profile-session.ts'
import type { ReplyOf } from '../contract/endpoint.ts'
import * as calls from '../contract/history-transfer.ts'
import type { MediaCard } from '../contract/media.ts'
import { searchCatalogue } from '../contract/search.ts'
import { perProfile } from './per-profile.ts'
import { $profile } from './profile.ts'
import { createReadStore, discardAllReads, refetch } from './query.ts'
import { showToast } from './toast.ts'

const POLL_INTERVAL_MS = 600
/**
 * Maximum number of consecutive server errors while the state of an import is polled. One more error ends the polling.
 */
const MAX_POLL_FAILURES = 50
/** Minimum size of files that are compressed before the upload. History files are text and shrink to about a tenth. */
const COMPRESSION_THRESHOLD_BYTES = 256 * 1024

export type HistoryImport = calls.ImportRun
export type HistoryImportDetails = ReplyOf<typeof calls.getHistoryImport>

interface ImportUploadState {
  /** Name of the file that is being uploaded. */
  name: string | null
  /** True while files are being uploaded, or while an upload waits until the previous file has been read. */
  busy: boolean
  /** The failed files of the current upload, with their error codes. `file` is set if another attempt can succeed. */
  errors: { name: string; code: string; file?: File | undefined }[]
}
export const $importUpload = perProfile<ImportUploadState>(() => ({ name: null, busy: false, errors: [] }))
/** Id of the import that is displayed. */
export const $openedImportId = perProfile<string | null>(() => null)
export const $importRowFilter = perProfile<calls.ImportRowFilter>(() => 'ambiguous')
export const $importRowPage = perProfile(() => 1)

export const $historyImports = createReadStore(
  calls.listHistoryImports,
  computed(
    $profile,
    (profile) =>
      profile && { params: { id: profile.profile_id }, query: { limit: calls.MAX_HISTORY_IMPORTS } },
  ),
)
export const $openedImport = perProfile<HistoryImportDetails | null>(() => null)

const RUNNING_IMPORT_STATUSES = ['reading', 'applying', 'undoing']
export const isImportRunning = (importRun: Pick<HistoryImport, 'status'>) =>
  RUNNING_IMPORT_STATUSES.includes(importRun.status)

function getImportParams(importId: string) {
  const profile = $profile.get()
  return profile && { id: profile.profile_id, import_id: importId }
}

const waitForNextPoll = () => new Promise<void>((resolve) => setProfileTimeout(resolve, POLL_INTERVAL_MS))

/**
 * Files that were uploaded since the page was opened, by the id of their import. The server does not keep these files,
 * so an interrupted import is repeated with the file from this map.
 */
const $filesByImportId = perProfile<ReadonlyMap<string, File>>(() => new Map())

/** Returns the file of an import; undefined if the file was not uploaded since the page was opened. */
export const getUploadedFile = (importId: string): File | undefined => $filesByImportId.get().get(importId)

/** Repeats the uploads that failed for a temporary reason, such as a lost connection. */
export const retryUploads = () => uploadFiles($importUpload.get().errors.flatMap(({ file }) => file ?? []))

/** Uploads each file as a separate import, one after the other, and displays the import that is being read. */
export async function uploadFiles(files: readonly File[]): Promise<void> {
  if ($importUpload.get().busy) return
  $importUpload.set({ name: null, busy: true, errors: [] })
  for (const [index, file] of files.entries()) await uploadFile(file, index > 0)
  $importUpload.setKey('busy', false)
}

async function uploadFile(file: File, hasPreviousFile: boolean): Promise<void> {
  const profile = $profile.get()
  if (!profile) return
  try {
    if (hasPreviousFile) await waitUntilIdle(profile.profile_id)
    $importUpload.setKey('name', file.name)
    const importRun = await callApi(calls.startHistoryImport, {
      params: { id: profile.profile_id },
      query: { name: (file.webkitRelativePath || file.name).slice(-300) },
      file: await compressIfLarge(file),
    })
    $filesByImportId.set(new Map($filesByImportId.get()).set(importRun.import_id, file))
    openImport(importRun.import_id)
  } catch (error) {
    const { errors } = $importUpload.get()
    const code = getErrorCode(error)
    const canRetry = RETRYABLE_ERROR_CODES.includes(code)
    $importUpload.setKey('errors', [...errors, { name: file.name, code, ...(canRetry && { file }) }])
  }
  $importUpload.setKey('name', null)
  refetch(calls.listHistoryImports)
}

/** Waits until no import of the profile is running, because the server rejects concurrent imports. */
async function waitUntilIdle(profileId: string): Promise<void> {
  for (;;) {
    const { results: historyImports } = await callApi(calls.listHistoryImports, {
      params: { id: profileId },
      query: { limit: calls.MAX_HISTORY_IMPORTS },
    })
    if (!historyImports.some(isImportRunning)) return
    await waitForNextPoll()
  }
}

async function compressIfLarge(file: File): Promise<Blob> {
  if (file.size < COMPRESSION_THRESHOLD_BYTES || /\.(?:gz|zip)$/i.test(file.name)) return file
  return new Response(file.stream().pipeThrough(new CompressionStream('gzip'))).blob()
}

const RETRYABLE_ERROR_CODES = ['connection', 'failed', 'running']

function getErrorCode(error: unknown): string {
  if (!(error instanceof ApiError)) return 'failed'
  if (isUnavailableError(error)) return 'connection'
  if (error.type === 'payload_too_large') return 'too_large'
  const [errorCode] = error.errors['file'] ?? error.errors['import'] ?? []
  return errorCode ?? (error.type === 'conflict' ? 'running' : 'failed')
}

export function openImport(importId: string): void {
  $openedImportId.set(importId)
  $openedImport.set(null)
  $importRowFilter.set('matched')
  $importRowPage.set(1)
}

export function showImportRows(rowFilter: calls.ImportRowFilter, page = 1): void {
  $importRowFilter.set(rowFilter)
  $importRowPage.set(page)
  loadOpenedImport().catch(() => showToast('transfer:failed', { kind: 'bad' }))
}

/** Reloads the displayed import. */
export async function loadOpenedImport(): Promise<void> {
  const importId = $openedImportId.get()
  if (importId) await loadImport(importId)
}

/** Loads an import. Displays it unless another import, filter or page is displayed when the reply arrives. */
async function loadImport(importId: string): Promise<HistoryImportDetails | null> {
  const params = getImportParams(importId)
  if (!params) return null
  const [outcome, page] = [$importRowFilter.get(), $importRowPage.get()]
  const importDetails = await callApi(calls.getHistoryImport, { params, query: { outcome, page } })
  if (
    $openedImportId.get() === importId &&
    $importRowFilter.get() === outcome &&
    $importRowPage.get() === page
  )
    $openedImport.set(importDetails)
  return importDetails
}

/**
 * Loads an import repeatedly until its job has ended or `shouldContinue` returns false. Displays each loaded state
 * while the import is open. Returns the last loaded state; null if the last request failed or no profile acts. A lost
 * connection does not end the job, so the import is then loaded again after a while, without a time limit. Throws after
 * more than MAX_POLL_FAILURES consecutive errors of the server, and after any other error.
 */
async function pollImport(
  importId: string,
  shouldContinue: () => boolean = () => true,
): Promise<HistoryImportDetails | null> {
  for (let failureCount = 0; ; ) {
    const importDetails = await loadImport(importId).catch((error: unknown) => {
      const isConnectionLost = error instanceof ApiError && error.status === 0
      const isServerError = error instanceof ApiError && error.status >= 500
      if (isServerError) failureCount += 1
      if (!(isConnectionLost || isServerError) || failureCount > MAX_POLL_FAILURES) throw error
      return 'failed' as const
    })
    if (importDetails === 'failed') {
      if (!shouldContinue()) return null
      await waitForNextPoll()
      continue
    }
    failureCount = 0
    if (!importDetails || !shouldContinue()) return importDetails
    if (!isImportRunning(importDetails)) {
      // If the filter was changed, the displayed import comes from another reply, which may have arrived before the
      // job ended. The import is then loaded once more.
      if ($openedImportId.get() === importId && $openedImport.get() !== importDetails)
        await loadOpenedImport()
      refetch(calls.listHistoryImports)
      return importDetails
    }
    await waitForNextPoll()
  }
}

/** Keeps the displayed import up to date until its job has ended or another import is displayed. */
export async function pollOpenedImport(importId: string): Promise<void> {
  try {
    const importDetails = await pollImport(importId, () => $openedImportId.get() === importId)
    if (importDetails?.status === 'ready' && importDetails.rows.matched === 0) showFirstRows(importDetails)
  } catch {
    showToast('transfer:failed', { kind: 'bad' })
  }
}

/** Replaces the empty list of matched rows with the rows of another outcome, which show why no row was matched. */
function showFirstRows({ import_id, rows }: HistoryImportDetails): void {
  if ($openedImportId.get() !== import_id || $importRowFilter.get() !== 'matched') return
  const outcome = (['ambiguous', 'unmatched', 'ignored', 'skipped'] as const).find((name) => rows[name] > 0)
  if (outcome) showImportRows(outcome)
}

/** Sets the title of a row of the open import. If `title` is null, the row is ignored. */
export async function resolveImportRow(
  rowNumber: number,
  title: Pick<MediaCard, 'id'> | null,
): Promise<void> {
  const params = getImportParams($openedImportId.get() ?? '')
  if (!params) return
  try {
    await callApi(calls.resolveHistoryImportRow, {
      params: { ...params, n: rowNumber },
      body: { media_id: title?.id ?? null },
    })
    showToast('transfer:remembered')
    await loadOpenedImport()
    const { list } = $openedImport.get() ?? {}
    if (list && list.results.length === 0 && $importRowPage.get() > 1)
      showImportRows($importRowFilter.get(), $importRowPage.get() - 1)
  } catch {
    showToast('transfer:failed', { kind: 'bad' })
  }
}

export async function applyImport(importId: string, owners?: string[]): Promise<void> {
  const ownersBody = owners && owners.length > 0 ? { owners } : {}
  await runImportAction(
    importId,
    (params) => callApi(calls.applyHistoryImport, { params, body: ownersBody }),
    'transfer:applied',
  )
}

export async function undoImport(importId: string): Promise<void> {
  await runImportAction(importId, (params) => callApi(calls.undoHistoryImport, { params }), 'transfer:undone')
}

async function runImportAction(
  importId: string,
  sendRequest: (params: { id: string; import_id: string }) => Promise<HistoryImport>,
  successKey: 'transfer:applied' | 'transfer:undone',
): Promise<void> {
  const params = getImportParams(importId)
  if (!params) return
  try {
    await sendRequest(params)
    if ($openedImportId.get() !== importId) openImport(importId)
    // The result is announced even if another import is displayed when the job ends.
    const errorCode = (await pollImport(importId))?.message
    showToast(errorCode ? 'transfer:failed' : successKey, errorCode ? { kind: 'bad' } : {})
  } catch (error) {
    showToast('transfer:failed', { kind: 'bad' })
    // The server may have received the request although its reply was lost, so the job may be running.
    if (error instanceof ApiError && isUnavailableError(error)) await pollOpenedImport(importId)
  }
  discardAllReads()
}

/** Searches titles by name, for a row without a match. */
export async function searchTitlesByName(query: string): Promise<MediaCard[]> {
  const isKidsProfile = $profile.get()?.kids === true
  const { results } = await callApi(searchCatalogue, {
    query: { q: query, limit: 12, ...(isKidsProfile && { kids: true }) },
  })
  return results.flatMap((hit) => ('media' in hit ? [hit.media] : []))
}

/** Downloads an export of the acting profile or of the account. */
export async function downloadExport(scope: 'profile' | 'account', format: 'json' | 'csv'): Promise<void> {
  const profile = $profile.get()
  if (!profile) return
  try {
    const blob = await (scope === 'profile'
      ? fetchFile(calls.exportProfile, { params: { id: profile.profile_id }, query: { format } })
      : fetchFile(calls.exportAccount, { query: { format } }))
    const downloadLink = document.createElement('a')
    downloadLink.href = URL.createObjectURL(blob)
    downloadLink.download = `marquee-${scope === 'profile' ? 'export' : 'account'}.${format}`
    downloadLink.click()
    setTimeout(() => URL.revokeObjectURL(downloadLink.href), 60_000)
  } catch {
    showToast('transfer:exportFailed', { kind: 'bad' })
  }
}
