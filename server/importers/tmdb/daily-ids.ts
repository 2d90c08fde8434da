/**
 * Reads the most popular ids from the daily id exports of TMDB
 * (https://developer.themoviedb.org/docs/daily-id-exports).
 */

import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { createGunzip } from 'node:zlib'
import * as z from 'zod/mini'
import { combineSignals } from '../../core/combine-signals.ts'
import { DAY_MS, toIsoDate } from '../../core/dates.ts'
import { countExcludedItems, type ImportReport, reportSkip } from '../import-report.ts'
import { readLines } from '../read-lines.ts'
import { TmdbError } from './client.ts'
import { tmdbDailyIdSchema } from './response-schemas.ts'

const FILE_PREFIXES = { movie: 'movie_ids', tv: 'tv_series_ids' } as const
const MAX_DAYS_BACK = 3
/** Longest wait for the headers of a response. The body has no limit, because a large file can take minutes. */
const RESPONSE_TIMEOUT_MS = 30_000

interface PopularIdsQuery {
  /** Base URL without a trailing slash. */
  baseUrl: string
  kind: 'movie' | 'tv'
  idLimit: number
  nowMs: number
  report: ImportReport
  signal?: AbortSignal | undefined
}

/**
 * Returns the `idLimit` most popular ids of the newest file, the most popular first. Throws `TmdbError` if TMDB has no
 * file for the last MAX_DAYS_BACK days, or if the newest file cannot be read completely.
 */
export async function readPopularIds(query: PopularIdsQuery): Promise<number[]> {
  const { baseUrl, kind, nowMs, signal } = query
  for (let daysBack = 0; daysBack < MAX_DAYS_BACK; daysBack++) {
    const [year, month, day] = toIsoDate(nowMs - daysBack * DAY_MS).split('-')
    const fileName = `${FILE_PREFIXES[kind]}_${month}_${day}_${year}.json.gz`
    const response = await fetchIdFile(`${baseUrl}/${fileName}`, signal).catch((error: Error) => {
      signal?.throwIfAborted()
      throw new TmdbError(`The file ${fileName} could not be fetched: ${error.message}`)
    })
    if (response.ok && response.body) return readIds(response.body as ReadableStream, fileName, query)
    await response.body?.cancel()
  }
  throw new TmdbError(`TMDB has no file of ${kind} ids for the last ${MAX_DAYS_BACK} days`)
}

/** Requests a file. Resolves when the headers have arrived. `signal` also ends the reading of the body. */
async function fetchIdFile(url: string, signal: AbortSignal | undefined): Promise<Response> {
  const timeoutController = new AbortController()
  const timer = setTimeout(
    () => timeoutController.abort(new Error(`no response in ${RESPONSE_TIMEOUT_MS / 1_000} seconds`)),
    RESPONSE_TIMEOUT_MS,
  )
  try {
    return await fetch(url, { redirect: 'error', signal: combineSignals(timeoutController.signal, signal) })
  } finally {
    clearTimeout(timer)
  }
}

async function readIds(
  body: ReadableStream,
  fileName: string,
  { idLimit, report }: PopularIdsQuery,
): Promise<number[]> {
  const candidates: { id: number; popularity: number }[] = []
  const compressedStream = Readable.fromWeb(body)
  const stream = compressedStream.pipe(createGunzip())
  compressedStream.on('error', (error) => stream.destroy(error))
  let lineNumber = 0
  try {
    for await (const line of readLines(stream)) {
      lineNumber += 1
      if (line === '') continue
      const dailyIdEntry = parseDailyId(line)
      if (!dailyIdEntry) reportSkip(report, `${fileName}:${lineNumber}`, 'is not an id')
      else if (dailyIdEntry.adult || dailyIdEntry.video) countExcludedItems(report, 'adult titles and videos')
      else candidates.push({ id: dailyIdEntry.id, popularity: dailyIdEntry.popularity ?? 0 })
      if (candidates.length >= 2 * idLimit + 1_000) keepMostPopularIds(candidates, idLimit)
    }
  } catch (error) {
    throw new TmdbError(`The file ${fileName} is damaged: ${(error as Error).message}`)
  } finally {
    compressedStream.destroy()
    stream.destroy()
  }
  report.lines = (report.lines ?? 0) + lineNumber
  keepMostPopularIds(candidates, idLimit)
  return candidates.map(({ id }) => id)
}

function parseDailyId(line: string) {
  try {
    const parseResult = z.safeParse(tmdbDailyIdSchema, JSON.parse(line))
    return parseResult.success ? parseResult.data : null
  } catch {
    return null
  }
}

function keepMostPopularIds(candidates: { id: number; popularity: number }[], idLimit: number): void {
  candidates.sort((a, b) => b.popularity - a.popularity || a.id - b.id)
  candidates.length = Math.min(candidates.length, idLimit)
}
