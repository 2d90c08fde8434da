/** Imports as their callers see them: begun, looked at, decided on, applied, taken back. */
import { rm } from 'node:fs/promises'
import type { ImportRun } from '../../../src/lib/contract/transfer.ts'
import { UnknownFormat } from '../../importers/history/parse.ts'
import { invalid, Problem } from '../../problem.ts'
import {
  type ImportRow,
  importOf,
  importsOf,
  insertImport,
  moveImport,
  pruneImports,
} from '../../queries/history-import.ts'
import type { ProfileContext as By } from '../context.ts'
import { tellAccount } from '../live.ts'
import { randomId } from '../secret.ts'
import { apply, undo } from './apply.ts'
import { inspect } from './held.ts'
import { queued } from './queue.ts'
import { failureOf, readHeld } from './read.ts'
import { saveUpload } from './upload.ts'

/** Of one profile; older ones are forgotten, what they wrote stays. */
const KEPT = 30
/** Nothing heard for so long: its process is gone. */
const SILENT_MS = 60_000
const BUSY = ['reading', 'applying', 'undoing']

/** Takes the file in and answers; it is read behind. Throws 409 while another import of the profile is busy. */
export async function start(by: By, raw: Request, name: string | undefined): Promise<ImportRun> {
  const { deps, caller } = by
  const { primary } = deps.database
  const profileId = caller.profile.profile_id
  const recent = await importsOf(primary, profileId, { page: 1, limit: KEPT })
  if (recent.rows.some((one) => isBusy(one, deps.now()))) {
    await raw.body?.cancel()
    throw new Problem('conflict', { errors: { import: ['running'] } })
  }
  const importId = randomId()
  const upload = await saveUpload(deps, raw, { id: importId, name })
  const held = await inspect(upload).catch(async (error: unknown) => {
    await rm(upload.path, { force: true })
    throw error instanceof UnknownFormat ? invalid('file', failureOf(error)) : error
  })
  const now = deps.now()
  const run: ImportRow = {
    import_id: importId,
    profile_id: profileId,
    file_name: upload.name,
    file_hash: upload.hash,
    source: held.source,
    status: 'reading',
    done: 0,
    total: held.size,
    changed: 0,
    message: null,
    counts: '{}',
    owners: '[]',
    files: '[]',
    created_at: now,
    heartbeat_at: now,
    applied_at: null,
    undone_at: null,
  }
  await insertImport(primary, run)
  await pruneImports(primary, profileId, KEPT)
  void queued(deps, run, async () => {
    try {
      await readHeld(deps, { run, audience: caller.audience, path: upload.path, held })
      await moveImport(primary, importId, ['reading'], { status: 'ready', done: held.size })
    } finally {
      await rm(upload.path, { force: true })
    }
  })
  return viewOf(by, run)
}

function isBusy(row: ImportRow, now: number): boolean {
  return BUSY.includes(row.status) && now - row.heartbeat_at < SILENT_MS
}

/** Throws 404, also for what is another profile's. */
export async function runOf({ deps, caller }: By, importId: string): Promise<ImportRow> {
  const row = await importOf(deps.database.primary, caller.profile.profile_id, importId)
  if (!row) throw new Problem('not_found')
  return row
}

export async function list(by: By, query: { page: number; limit: number }) {
  const { rows, total } = await importsOf(by.deps.database.primary, by.caller.profile.profile_id, query)
  return {
    ...query,
    total_results: total,
    total_pages: Math.ceil(total / query.limit),
    results: rows.map((row) => viewOf(by, row)),
  }
}

export function viewOf({ deps }: Pick<By, 'deps'>, row: ImportRow): ImportRun {
  const counts = JSON.parse(row.counts) as Record<string, number>
  const count = (...outcomes: string[]) => outcomes.reduce((sum, one) => sum + (counts[one] ?? 0), 0)
  const gone = BUSY.includes(row.status) && !isBusy(row, deps.now())
  return {
    import_id: row.import_id,
    file_name: row.file_name,
    source: row.source as ImportRun['source'],
    status: gone ? stoppedAt(row) : (row.status as ImportRun['status']),
    message: gone ? 'interrupted' : row.message,
    done: row.done,
    total: row.total,
    rows: {
      total: count(...Object.keys(counts)),
      matched: count('matched', 'chosen'),
      ambiguous: count('ambiguous'),
      unmatched: count('unmatched'),
      ignored: count('ignored'),
      skipped: count('skipped'),
    },
    changed: row.changed,
    created_at: new Date(row.created_at).toISOString(),
    applied_at: instant(row.applied_at),
    undone_at: instant(row.undone_at),
  }
}

/** A dry run that broke off is of no use; applying and undoing can be done again. */
const stoppedAt = (row: ImportRow) => (row.status === 'reading' ? 'failed' : 'applied')
const instant = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

/** Begins to write. Throws 409 when it is not ready for that. */
export async function applyRun(
  by: By,
  importId: string,
  owners: readonly string[] | undefined,
): Promise<ImportRun> {
  const { deps, caller } = by
  const run = await begin(by, importId, 'applying')
  void queued(deps, run, async () => {
    const changed = await apply(deps, { run, audience: caller.audience, owners })
    await moveImport(deps.database.primary, importId, ['applying'], {
      status: 'applied',
      changed: run.changed + changed,
      applied_at: deps.now(),
      undone_at: null,
      message: null,
    })
    tell(by)
  })
  return viewOf(by, run)
}

/** Open tabs of the account hear of everything that an import may have changed. */
function tell(by: By): void {
  for (const kind of ['list', 'progress', 'feedback'] as const) tellAccount(by, kind)
}

/** Begins to take back. */
export async function undoRun(by: By, importId: string): Promise<ImportRun> {
  const { deps } = by
  const run = await begin(by, importId, 'undoing')
  void queued(deps, run, async () => {
    const stayed = await undo(deps, run)
    await moveImport(deps.database.primary, importId, ['undoing'], {
      status: 'undone',
      changed: stayed,
      undone_at: deps.now(),
      message: null,
    })
    tell(by)
  })
  return viewOf(by, run)
}

async function begin(by: By, importId: string, to: 'applying' | 'undoing'): Promise<ImportRow> {
  const { deps } = by
  const row = await runOf(by, importId)
  const now = deps.now()
  const free = !BUSY.includes(row.status) || (row.status !== 'reading' && !isBusy(row, now))
  const from = to === 'applying' ? ['ready', 'applied', 'undone'] : ['applied']
  if (!free || !(from.includes(row.status) || BUSY.includes(row.status))) {
    throw new Problem('conflict', { errors: { import: [row.status] } })
  }
  const { rows } = viewOf(by, row)
  const total = to === 'applying' ? rows.matched : row.changed
  const set = { status: to, done: 0, total, heartbeat_at: now, message: null }
  if (!(await moveImport(deps.database.primary, importId, [row.status], set))) {
    throw new Problem('conflict', { errors: { import: ['running'] } })
  }
  return { ...row, ...set }
}
