/**
 * Import and export of history: uploads, dry runs, decisions and downloads. Loaded only with the import and export
 * tab.
 */
import { atom, computed, map } from 'nanostores'
import { call, callFile } from '../client/call.ts'
import { ApiError } from '../client/errors.ts'
import type { ReplyOf } from '../contract/endpoint.ts'
import type { MediaCard } from '../contract/media.ts'
import { search } from '../contract/search.ts'
import * as calls from '../contract/transfer.ts'
import { $profile } from './profile.ts'
import { forgetAll, read, refetch } from './query.ts'
import { toast } from './toast.ts'

const POLL_INTERVAL_MS = 600
/** Files from this size are compressed before the upload. History files are text and shrink to about a tenth. */
const COMPRESS_FROM_BYTES = 256 * 1024

export type Run = calls.ImportRun
export type View = ReplyOf<typeof calls.getImport>

interface UploadState {
  /** Name of the file that is being uploaded. */
  name: string | null
  /** Files are being uploaded, or wait until the previous file was read. */
  busy: boolean
  /** Error codes of failed files of the current upload. */
  errors: { name: string; code: string }[]
}
export const $upload = map<UploadState>({ name: null, busy: false, errors: [] })
/** Id of the import that is displayed. */
export const $openId = atom<string | null>(null)
export const $shown = atom<calls.Shown>('ambiguous')
export const $page = atom(1)

export const $imports = read(
  calls.listImports,
  computed($profile, (profile) => profile && { params: { id: profile.profile_id }, query: { limit: 30 } }),
)
export const $view = atom<View | null>(null)

const RUNNING_STATUSES = ['reading', 'applying', 'undoing']
export const isBusy = (run: Pick<Run, 'status'>) => RUNNING_STATUSES.includes(run.status)

function importParams(importId: string) {
  const profile = $profile.get()
  return profile && { id: profile.profile_id, import_id: importId }
}

/** Uploads each file as a separate import, one after the other, and displays the import that is being read. */
export async function bringFiles(files: readonly File[]): Promise<void> {
  if ($upload.get().busy) return
  $upload.set({ name: null, busy: true, errors: [] })
  for (const [index, file] of files.entries()) await uploadFile(file, index > 0)
  $upload.setKey('busy', false)
}

async function uploadFile(file: File, isNotFirst: boolean): Promise<void> {
  const profile = $profile.get()
  if (!profile) return
  try {
    if (isNotFirst) await waitUntilIdle(profile.profile_id)
    $upload.setKey('name', file.name)
    const run = await call(calls.startImport, {
      params: { id: profile.profile_id },
      query: { name: (file.webkitRelativePath || file.name).slice(-300) },
      file: await compressIfLarge(file),
    })
    open(run.import_id)
  } catch (error) {
    const { errors } = $upload.get()
    $upload.setKey('errors', [...errors, { name: file.name, code: errorCodeOf(error) }])
  }
  $upload.setKey('name', null)
  refetch(calls.listImports)
}

/** Waits until no import of the profile is running, because the server rejects concurrent imports. */
async function waitUntilIdle(profileId: string): Promise<void> {
  for (;;) {
    const { results } = await call(calls.listImports, { params: { id: profileId }, query: { limit: 30 } })
    if (!results.some(isBusy)) return
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
  }
}

async function compressIfLarge(file: File): Promise<Blob> {
  if (file.size < COMPRESS_FROM_BYTES || /\.(?:gz|zip)$/i.test(file.name)) return file
  return new Response(file.stream().pipeThrough(new CompressionStream('gzip'))).blob()
}

function errorCodeOf(error: unknown): string {
  if (!(error instanceof ApiError)) return 'failed'
  if (error.type === 'payload_too_large') return 'too_large'
  return error.errors['file']?.[0] ?? (error.type === 'conflict' ? 'running' : 'failed')
}

export function open(importId: string): void {
  $openId.set(importId)
  $view.set(null)
  $shown.set('matched')
  $page.set(1)
}

export function show(shown: calls.Shown, page = 1): void {
  $shown.set(shown)
  $page.set(page)
  void load()
}

/** Reloads the displayed import. Ignores the reply when another import, filter or page was selected meanwhile. */
export async function load(): Promise<void> {
  const importId = $openId.get()
  const params = importId && importParams(importId)
  if (!params) return
  const [outcome, page] = [$shown.get(), $page.get()]
  const view = await call(calls.getImport, { params, query: { outcome, page } })
  if ($openId.get() === importId && $shown.get() === outcome && $page.get() === page) $view.set(view)
}

/** Reloads the displayed import until its job has ended or another import is displayed. */
async function waitUntilDone(importId: string): Promise<void> {
  for (;;) {
    await load()
    const view = $view.get()
    if ($openId.get() !== importId || !view) return
    if (!isBusy(view)) break
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
  }
  refetch(calls.listImports)
}

/** Keeps the displayed import up to date until its job has ended. */
export async function follow(importId: string): Promise<void> {
  try {
    await waitUntilDone(importId)
  } catch {
    toast('transfer:failed', { kind: 'bad' })
  }
}

/** Sets the title of row `n`; null when the title is not in the catalogue. */
export async function decide(n: number, title: Pick<MediaCard, 'id'> | null): Promise<void> {
  const params = importParams($openId.get() ?? '')
  if (!params) return
  try {
    await call(calls.resolveImportRow, {
      params: { ...params, n },
      body: { media_id: title?.id ?? null },
    })
    toast('transfer:remembered')
    await load()
    const { list } = $view.get() ?? {}
    if (list && list.results.length === 0 && $page.get() > 1) show($shown.get(), $page.get() - 1)
  } catch {
    toast('transfer:failed', { kind: 'bad' })
  }
}

export async function apply(importId: string, owners?: string[]): Promise<void> {
  const body = owners && owners.length > 0 ? { owners } : {}
  await runImportAction(importId, (params) => call(calls.applyImport, { params, body }), 'transfer:applied')
}

export async function undo(importId: string): Promise<void> {
  await runImportAction(importId, (params) => call(calls.undoImport, { params }), 'transfer:undone')
}

async function runImportAction(
  importId: string,
  send: (params: { id: string; import_id: string }) => Promise<Run>,
  successKey: 'transfer:applied' | 'transfer:undone',
): Promise<void> {
  const params = importParams(importId)
  if (!params) return
  try {
    await send(params)
    if ($openId.get() !== importId) open(importId)
    await waitUntilDone(importId)
    const errorCode = $view.get()?.message
    toast(errorCode ? 'transfer:failed' : successKey, errorCode ? { kind: 'bad' } : {})
  } catch {
    toast('transfer:failed', { kind: 'bad' })
  }
  forgetAll()
}

/** Searches titles by name, for a row without a match. */
export async function findTitles(query: string): Promise<MediaCard[]> {
  const kids = $profile.get()?.kids === true
  const { results } = await call(search, { query: { q: query, limit: 12, ...(kids && { kids }) } })
  return results.flatMap((hit) => ('media' in hit ? [hit.media] : []))
}

/** Downloads an export of the acting profile or of the account. */
export async function keep(scope: 'profile' | 'account', format: 'json' | 'csv'): Promise<void> {
  const profile = $profile.get()
  if (!profile) return
  try {
    const blob = await (scope === 'profile'
      ? callFile(calls.exportProfile, { params: { id: profile.profile_id }, query: { format } })
      : callFile(calls.exportAccount, { query: { format } }))
    const link = document.createElement('a')
    link.href = URL.createObjectURL(blob)
    link.download = `marquee-${scope === 'profile' ? 'export' : 'account'}.${format}`
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
  } catch {
    toast('transfer:exportFailed', { kind: 'bad' })
  }
}
