/** The import pipeline of every source: validates records, writes them in batches and reports the result. */
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import * as z from 'zod/mini'
import { lockUntilCommit } from '../db/lock.ts'
import { hideAdultTitles } from '../queries/adult-title.ts'
import {
  type SeasonRecord,
  type TitleReadResult,
  type TitleRecord,
  type TitleRecordIds,
  titleRecordSchema,
} from '../queries/title-record.ts'
import { type TitleImportEntry, upsertTitles } from '../queries/title-write.ts'
import { IdSet } from './id-set.ts'
import { createImportReport, type ImportReport, reportHiddenTitle, reportSkip } from './import-report.ts'
import type { ImporterDeps } from './importer.ts'
import { limitTitleLists } from './record-limits.ts'

const INITIAL_BATCH_SIZE = 32
const MIN_BATCH_SIZE = 8
const MAX_BATCH_SIZE = 1_000
/**
 * Default target duration of a batch. It is short for SQLite: a batch blocks the event loop of this process, which also
 * serves requests. A batch on PostgreSQL does not block the event loop.
 */
const DEFAULT_BATCH_MS = { sqlite: 12, postgres: 100 }
/**
 * Name of the lock that lets only one import write at a time, across processes. Edits of titles and changes of the
 * block list hold the lock as well: they write values that depend on rows which an import may be changing.
 */
export const CATALOGUE_IMPORT_LOCK = 'catalogue-import'

export interface ImportTitlesOptions {
  source: string
  /** The report to which the import adds its counts. It may already contain counts from reading the source. */
  report?: ImportReport
  onProgress?: ((report: ImportReport) => void) | undefined
  /** Called after each batch is committed, with the location of every item in it. */
  onWritten?: (locations: string[]) => void | Promise<void>
  /** Stops the import after the current batch. Committed batches stay. */
  signal?: AbortSignal | undefined
  /** Target duration of one batch; the batch size adapts to it. */
  batchMs?: number
}

/**
 * Writes all records, hides the titles that the source marks as adult, and returns the report. The records of a batch
 * are written in one transaction, and the adult titles of the batch are hidden in another one. Invalid records are
 * reported and skipped. A second run with the same records changes nothing. The event loop runs between batches.
 */
export async function importTitles(
  deps: ImporterDeps,
  readResults: Iterable<TitleReadResult> | AsyncIterable<TitleReadResult>,
  options: ImportTitlesOptions,
): Promise<ImportReport> {
  const { report = createImportReport(), signal } = options
  let batch: ImportBatch = createBatch()
  let batchSize = INITIAL_BATCH_SIZE
  const seenTitleIds = new IdSet()
  const flushBatch = async () => {
    const batchToWrite = batch
    batch = createBatch()
    const durationMs = await writeBatch(deps, batchToWrite, { ...options, report, seenTitleIds })
    batchSize = computeNextBatchSize(
      batchSize,
      batchToWrite.entries.length,
      durationMs,
      options.batchMs ?? DEFAULT_BATCH_MS[deps.database.kind],
    )
    options.onProgress?.(report)
    await setImmediate()
  }
  for await (const readResult of readResults) {
    if (signal?.aborted) break
    report.read += 1
    const { location } = readResult
    const validatedResult = validateReadResult(readResult)
    if ('skip' in validatedResult) reportSkip(report, location, validatedResult.skip)
    else if ('adultTitle' in validatedResult)
      batch.adultTitles.push({ ...validatedResult.adultTitle, location })
    else {
      const { record, isRequested = false } = validatedResult
      if (batch.recordKeys.has(getRecordKey(record))) await flushBatch()
      batch.recordKeys.add(getRecordKey(record))
      batch.entries.push({ record, hash: hashRecord(record), isRequested, location })
    }
    batch.locations.push(location)
    if (batch.entries.length >= batchSize || batch.locations.length >= MAX_BATCH_SIZE) await flushBatch()
  }
  if (batch.locations.length > 0) await flushBatch()
  return report
}

interface ImportBatch {
  entries: (TitleImportEntry & { location: string })[]
  /** Titles that the source marks as adult. */
  adultTitles: (TitleRecordIds & { location: string })[]
  /**
   * Ids of the titles in the batch. A title that is repeated starts a new batch, because one upsert cannot contain it
   * twice.
   */
  recordKeys: Set<string>
  /** Locations of all items, including skipped ones. */
  locations: string[]
}
const createBatch = (): ImportBatch => ({
  entries: [],
  adultTitles: [],
  recordKeys: new Set(),
  locations: [],
})
const getRecordKey = ({ type, imdb_id, tmdb_id }: TitleRecord) => imdb_id ?? `${type} ${tmdb_id}`

async function writeBatch(
  deps: ImporterDeps,
  { entries, adultTitles, locations }: ImportBatch,
  {
    source,
    report,
    seenTitleIds,
    onWritten,
  }: ImportTitlesOptions & { report: ImportReport; seenTitleIds: IdSet },
): Promise<number> {
  const startedAtMs = performance.now()
  if (entries.length > 0) {
    const outcomes = await deps.database.primary.transaction().execute(async (trx) => {
      await lockUntilCommit(trx, CATALOGUE_IMPORT_LOCK)
      return upsertTitles(trx, entries, { source, nowMs: deps.now(), seenTitleIds })
    })
    for (const [index, outcome] of outcomes.entries()) {
      const location = entries[index]?.location ?? ''
      if (outcome === 'kept')
        reportSkip(report, location, 'a source with higher priority has already described it')
      else if (outcome === 'clash') reportSkip(report, location, 'its ids belong to another title')
      else if (outcome === 'repeat')
        reportSkip(report, location, 'the source has already delivered this title')
      else if (outcome === 'deleted') reportSkip(report, location, 'is in the bin')
      else report[outcome] += 1
    }
  }
  if (adultTitles.length > 0) {
    const outcomes = await deps.database.primary.transaction().execute(async (trx) => {
      await lockUntilCommit(trx, CATALOGUE_IMPORT_LOCK)
      return hideAdultTitles(trx, adultTitles, deps.now())
    })
    for (const [index, outcome] of outcomes.entries()) {
      const location = adultTitles[index]?.location ?? ''
      if (outcome === 'unknown') reportSkip(report, location, 'is for adults')
      else if (outcome === 'same') report.same += 1
      else reportHiddenTitle(report, location)
    }
  }
  await onWritten?.(locations)
  return performance.now() - startedAtMs
}

/**
 * Returns the number of rows that would have taken `targetMs`, but at most twice the current batch size, and within
 * MIN_BATCH_SIZE and MAX_BATCH_SIZE. Returns the current size for a batch that was not full.
 */
function computeNextBatchSize(
  batchSize: number,
  rowCount: number,
  durationMs: number,
  targetMs: number,
): number {
  if (rowCount < batchSize) return batchSize
  const fittingRowCount = Math.floor((rowCount * targetMs) / Math.max(durationMs, 0.1))
  return Math.max(MIN_BATCH_SIZE, Math.min(fittingRowCount, batchSize * 2, MAX_BATCH_SIZE))
}

/** Returns the result with the validated record, or why the record is skipped. */
function validateReadResult(readResult: TitleReadResult): TitleReadResult | { skip: string } {
  if (!('record' in readResult)) return readResult
  const parseResult = z.safeParse(titleRecordSchema, limitTitleLists(readResult.record))
  if (parseResult.success)
    return {
      ...readResult,
      record: { ...parseResult.data, seasons: mergeSeasons(parseResult.data.seasons) },
    }
  const issue = parseResult.error.issues[0]
  return { skip: `${issue?.path.join('.') ?? ''} ${issue?.code ?? 'is invalid'}`.trim() }
}

/**
 * Merges seasons that have the same number, and keeps the last of several episodes that have the same number, because
 * the database stores each number once.
 */
function mergeSeasons(seasons: readonly SeasonRecord[]): SeasonRecord[] {
  const seasonsByNumber = new Map<number, SeasonRecord>()
  for (const season of seasons) {
    const seasonWithSameNumber = seasonsByNumber.get(season.season_number)
    const episodes = [...(seasonWithSameNumber?.episodes ?? []), ...season.episodes]
    const episodesByNumber = new Map(episodes.map((episode) => [episode.episode_number, episode]))
    seasonsByNumber.set(season.season_number, {
      ...season,
      ...seasonWithSameNumber,
      episodes: [...episodesByNumber.values()],
    })
  }
  return [...seasonsByNumber.values()]
}

function hashRecord(record: TitleRecord): string {
  return createHash('sha256').update(JSON.stringify(record)).digest('base64url').slice(0, 22)
}
