/** Reads the most popular ids from the daily id exports of TMDB (https://developer.themoviedb.org/docs/daily-id-exports). */

import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { createGunzip } from 'node:zlib'
import * as z from 'zod/mini'
import { DAY_MS, toIsoDate } from '../../core/dates.ts'
import { type ImportReport, reportExcluded, reportSkip } from '../import-report.ts'
import { TmdbError } from './client.ts'
import { tmdbDailyIdSchema } from './response-schemas.ts'

const FILE_PREFIXES = { movie: 'movie_ids', tv: 'tv_series_ids' } as const
const MAX_DAYS_BACK = 3
const RESPONSE_TIMEOUT_MS = 30_000

interface PopularIdsQuery {
  /** Base URL without a trailing slash. */
  base: string
  kind: 'movie' | 'tv'
  /** Number of ids to return. */
  limit: number
  nowMs: number
  report: ImportReport
  signal?: AbortSignal | undefined
}

/** Returns the ids, the most popular first. Throws `TmdbError` if no recent file can be read completely. */
export async function readPopularIds(query: PopularIdsQuery): Promise<number[]> {
  const { base, kind, nowMs, signal } = query
  for (let daysBack = 0; daysBack < MAX_DAYS_BACK; daysBack++) {
    const [year, month, day] = toIsoDate(nowMs - daysBack * DAY_MS).split('-')
    const file = `${FILE_PREFIXES[kind]}_${month}_${day}_${year}.json.gz`
    const timeout = AbortSignal.timeout(RESPONSE_TIMEOUT_MS)
    const response = await fetch(`${base}/${file}`, {
      redirect: 'error',
      signal: signal ?? timeout,
    }).catch((error: Error) => {
      signal?.throwIfAborted()
      throw new TmdbError(`The file ${file} could not be fetched: ${error.message}`)
    })
    if (response.ok && response.body) return readIds(response.body as ReadableStream, file, query)
    await response.body?.cancel()
  }
  throw new TmdbError(`TMDB has no file of ${kind} ids for the last ${MAX_DAYS_BACK} days`)
}

async function readIds(
  body: ReadableStream,
  file: string,
  { limit, report }: PopularIdsQuery,
): Promise<number[]> {
  const candidates: { id: number; popularity: number }[] = []
  const source = Readable.fromWeb(body)
  const stream = source.pipe(createGunzip())
  source.on('error', (error) => stream.destroy(error))
  let lineNumber = 0
  try {
    const lines = createInterface({ input: stream })
    const streamFailure = new Promise<never>((_, reject) => stream.on('error', reject))
    streamFailure.catch(() => {})
    const iterator = lines[Symbol.asyncIterator]()
    for (;;) {
      const nextChunk = await Promise.race([iterator.next(), streamFailure])
      if (nextChunk.done) break
      lineNumber += 1
      if (nextChunk.value === '') continue
      const entry = parseEntry(nextChunk.value)
      if (!entry) reportSkip(report, `${file}:${lineNumber}`, 'is not an id')
      else if (entry.adult || entry.video) reportExcluded(report, 'adult titles and videos')
      else candidates.push({ id: entry.id, popularity: entry.popularity ?? 0 })
      if (candidates.length >= 2 * limit + 1_000) keepMostPopular(candidates, limit)
    }
    await Promise.race([
      streamFailure,
      new Promise((resolve) => (stream.closed ? resolve(null) : stream.on('close', resolve))),
    ])
  } catch (error) {
    throw new TmdbError(`The file ${file} is damaged: ${(error as Error).message}`)
  } finally {
    source.destroy()
    stream.destroy()
  }
  report.lines = (report.lines ?? 0) + lineNumber
  keepMostPopular(candidates, limit)
  return candidates.map(({ id }) => id)
}

function parseEntry(line: string) {
  try {
    const result = z.safeParse(tmdbDailyIdSchema, JSON.parse(line))
    return result.success ? result.data : null
  } catch {
    return null
  }
}

function keepMostPopular(candidates: { id: number; popularity: number }[], limit: number): void {
  candidates.sort((a, b) => b.popularity - a.popularity || a.id - b.id)
  candidates.length = Math.min(candidates.length, limit)
}
