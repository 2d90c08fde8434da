/** History that comes in and goes out: uploads, dry runs, decisions, and files to keep. Loaded with its tab alone. */
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

const POLL_MS = 600
/** Larger files are packed on the way: they are text, and shrink to a tenth. */
const PACK_FROM = 256 * 1024

export type Run = calls.ImportRun
export type View = ReplyOf<typeof calls.getImport>

interface Upload {
  /** Of the file on its way. */
  name: string | null
  /** Files are on their way, or wait until those before them were read. */
  busy: boolean
  /** What went wrong, by the names of files that were brought together. */
  errors: { name: string; code: string }[]
}
export const $upload = map<Upload>({ name: null, busy: false, errors: [] })
/** The import that is looked at. */
export const $openId = atom<string | null>(null)
export const $shown = atom<calls.Shown>('ambiguous')
export const $page = atom(1)

export const $imports = read(
  calls.listImports,
  computed($profile, (profile) => profile && { params: { id: profile.profile_id }, query: { limit: 30 } }),
)
export const $view = atom<View | null>(null)

const BUSY = ['reading', 'applying', 'undoing']
export const isBusy = (run: Pick<Run, 'status'>) => BUSY.includes(run.status)

function place(importId: string) {
  const profile = $profile.get()
  return profile && { id: profile.profile_id, import_id: importId }
}

/** Each file is an import of its own, one after another; the one that is read is open. */
export async function bringFiles(files: readonly File[]): Promise<void> {
  if ($upload.get().busy) return
  $upload.set({ name: null, busy: true, errors: [] })
  for (const [at, file] of files.entries()) await bringFile(file, at > 0)
  $upload.setKey('busy', false)
}

async function bringFile(file: File, waits: boolean): Promise<void> {
  const profile = $profile.get()
  if (!profile) return
  try {
    if (waits) await quiet(profile.profile_id)
    $upload.setKey('name', file.name)
    const run = await call(calls.startImport, {
      params: { id: profile.profile_id },
      query: { name: (file.webkitRelativePath || file.name).slice(-300) },
      file: await packed(file),
    })
    open(run.import_id)
  } catch (error) {
    const { errors } = $upload.get()
    $upload.setKey('errors', [...errors, { name: file.name, code: codeOf(error) }])
  }
  $upload.setKey('name', null)
  refetch(calls.listImports)
}

/** Looks on until none of the profile's imports is underway: two at once are refused. */
async function quiet(id: string): Promise<void> {
  for (;;) {
    const { results } = await call(calls.listImports, { params: { id }, query: { limit: 30 } })
    if (!results.some(isBusy)) return
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

async function packed(file: File): Promise<Blob> {
  if (file.size < PACK_FROM || /\.(?:gz|zip)$/i.test(file.name)) return file
  return new Response(file.stream().pipeThrough(new CompressionStream('gzip'))).blob()
}

function codeOf(error: unknown): string {
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

/** Reads the open import again; an answer that came late is dropped. */
export async function load(): Promise<void> {
  const importId = $openId.get()
  const params = importId && place(importId)
  if (!params) return
  const [outcome, page] = [$shown.get(), $page.get()]
  const view = await call(calls.getImport, { params, query: { outcome, page } })
  if ($openId.get() === importId && $shown.get() === outcome && $page.get() === page) $view.set(view)
}

/** Looks on while something is done. What needs a decision is shown first then. */
async function ended(importId: string): Promise<void> {
  for (;;) {
    await load()
    const view = $view.get()
    if ($openId.get() !== importId || !view) return
    if (!isBusy(view)) break
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  refetch(calls.listImports)
}

/** Follows an import that was opened, until it is still. */
export async function follow(importId: string): Promise<void> {
  try {
    await ended(importId)
  } catch {
    toast('transfer:failed', { kind: 'bad' })
  }
}

/** `title` null: none of ours. */
export async function decide(n: number, title: Pick<MediaCard, 'id'> | null): Promise<void> {
  const params = place($openId.get() ?? '')
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
  await act(importId, (params) => call(calls.applyImport, { params, body }), 'transfer:applied')
}

export async function undo(importId: string): Promise<void> {
  await act(importId, (params) => call(calls.undoImport, { params }), 'transfer:undone')
}

async function act(
  importId: string,
  send: (params: { id: string; import_id: string }) => Promise<Run>,
  said: 'transfer:applied' | 'transfer:undone',
): Promise<void> {
  const params = place(importId)
  if (!params) return
  try {
    await send(params)
    if ($openId.get() !== importId) open(importId)
    await ended(importId)
    const failed = $view.get()?.message
    toast(failed ? 'transfer:failed' : said, failed ? { kind: 'bad' } : {})
  } catch {
    toast('transfer:failed', { kind: 'bad' })
  }
  forgetAll()
}

/** Titles by name, for a row that was not found. */
export async function findTitles(query: string): Promise<MediaCard[]> {
  const kids = $profile.get()?.kids === true
  const { results } = await call(search, { query: { q: query, limit: 12, ...(kids && { kids }) } })
  return results.flatMap((one) => ('media' in one ? [one.media] : []))
}

/** Saves a file on the device. */
export async function keep(of: 'profile' | 'account', format: 'json' | 'csv'): Promise<void> {
  const profile = $profile.get()
  if (!profile) return
  try {
    const blob = await (of === 'profile'
      ? callFile(calls.exportProfile, { params: { id: profile.profile_id }, query: { format } })
      : callFile(calls.exportAccount, { query: { format } }))
    const link = document.createElement('a')
    link.href = URL.createObjectURL(blob)
    link.download = `marquee-${of === 'profile' ? 'export' : 'account'}.${format}`
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
  } catch {
    toast('transfer:exportFailed', { kind: 'bad' })
  }
}
