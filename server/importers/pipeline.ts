/** Read, normalise, validate, upsert in batches, report: the same for every source. */
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import * as z from 'zod/mini'
import { lockUntilCommit } from '../db/lock.ts'
import type { Deps } from '../deps.ts'
import { type Read, type TitleRecord, titleRecord } from '../queries/title-record.ts'
import { type Entry, upsertTitles } from '../queries/title-write.ts'
import { IdSet } from './id-set.ts'
import { emptyReport, type ImportReport, skip } from './report.ts'

const FIRST_BATCH = 32
const SMALLEST_BATCH = 8
const LARGEST_BATCH = 1_000
/** SQLite works inside this process, which answers viewers meanwhile; PostgreSQL does not. */
const BATCH_MS = { sqlite: 12, postgres: 100 }
/** One importer writes at a time, in this process or another. */
export const WRITER = 'catalogue-import'

export interface Options {
  source: string
  /** Goes on with counts that a reader has begun. */
  report?: ImportReport
  onProgress?: ((report: ImportReport) => void) | undefined
  /** Told after each batch is committed, with where its reads came from. */
  onWritten?: (at: string[]) => void
  /** Stops after the batch in hand; what was written stays, and the next run goes on. */
  signal?: AbortSignal | undefined
  /** How long a batch may hold the process and the writer, in ms; batches grow and shrink towards it. */
  batchMs?: number
}

/**
 * Each batch is one transaction; a record that does not fit is reported and skipped. A second run changes nothing. Between
 * batches everything else in the process has its turn.
 */
export async function importTitles(
  deps: Deps,
  reads: Iterable<Read> | AsyncIterable<Read>,
  options: Options,
): Promise<ImportReport> {
  const { report = emptyReport(), signal } = options
  let batch: Batch = newBatch()
  let most = FIRST_BATCH
  const met = new IdSet()
  const flush = async () => {
    const ready = batch
    batch = newBatch()
    const ms = await writeBatch(deps, ready, { ...options, report, met })
    most = nextSize(most, ready.entries.length, ms, options.batchMs ?? BATCH_MS[deps.database.kind])
    options.onProgress?.(report)
    await setImmediate()
  }
  for await (const read of reads) {
    if (signal?.aborted) break
    report.read += 1
    const record = validate(read)
    if (typeof record === 'string') skip(report, read.at, record)
    else {
      if (batch.ids.has(idOf(record))) await flush()
      batch.ids.add(idOf(record))
      batch.entries.push({ record, hash: hashOf(record), at: read.at })
    }
    batch.at.push(read.at)
    if (batch.entries.length >= most || batch.at.length >= LARGEST_BATCH) await flush()
  }
  if (batch.at.length > 0) await flush()
  return report
}

interface Batch {
  entries: (Entry & { at: string })[]
  /** Of the titles in it: a title that comes twice begins a new batch. */
  ids: Set<string>
  at: string[]
}
const newBatch = (): Batch => ({ entries: [], ids: new Set(), at: [] })
const idOf = ({ type, imdb_id, tmdb_id }: TitleRecord) => imdb_id ?? `${type} ${tmdb_id}`

async function writeBatch(
  deps: Deps,
  { entries, at }: Batch,
  { source, report, met, onWritten }: Options & { report: ImportReport; met: IdSet },
): Promise<number> {
  const started = performance.now()
  if (entries.length > 0) {
    const outcomes = await deps.database.primary.transaction().execute(async (trx) => {
      await lockUntilCommit(trx, WRITER)
      return upsertTitles(trx, entries, { source, now: deps.now(), met })
    })
    for (const [index, outcome] of outcomes.entries()) {
      const where = entries[index]?.at ?? ''
      if (outcome === 'kept') skip(report, where, 'a source that tells more has described it')
      else if (outcome === 'clash') skip(report, where, 'its ids belong to another title')
      else if (outcome === 'repeat') skip(report, where, 'the same title came before')
      else report[outcome] += 1
    }
  }
  onWritten?.(at)
  return performance.now() - started
}

/** Towards the time a batch may take, at most doubling. */
function nextSize(most: number, rows: number, ms: number, wantedMs: number): number {
  if (rows < most) return most
  const fitting = Math.floor((rows * wantedMs) / Math.max(ms, 0.1))
  return Math.max(SMALLEST_BATCH, Math.min(fitting, most * 2, LARGEST_BATCH))
}

function validate(read: Read): TitleRecord | string {
  if ('skip' in read) return read.skip
  const result = z.safeParse(titleRecord, read.record)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  return `${issue?.path.join('.') ?? ''} ${issue?.code ?? 'does not fit'}`.trim()
}

function hashOf(record: TitleRecord): string {
  return createHash('sha256').update(JSON.stringify(record)).digest('base64url').slice(0, 22)
}
