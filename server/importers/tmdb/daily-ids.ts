/** TMDB's daily files of all ids (https://developer.themoviedb.org/docs/daily-id-exports): the most popular ones. */

import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { createGunzip } from 'node:zlib'
import * as z from 'zod/mini'
import type { ImportReport } from '../report.ts'
import { count, skip } from '../report.ts'
import { TmdbError } from './client.ts'
import { idShape } from './shapes.ts'

const DAY_MS = 86_400_000
const NAMES = { movie: 'movie_ids', tv: 'tv_series_ids' } as const
const DAYS_BACK = 3
const HEADERS_MS = 30_000

interface Request {
  /** Without a slash at the end. */
  base: string
  kind: 'movie' | 'tv'
  /** How many, the most popular first. */
  limit: number
  now: number
  report: ImportReport
  signal?: AbortSignal | undefined
}

/** Throws `TmdbError` when no file of the last days can be read to its end. */
export async function popularIds(request: Request): Promise<number[]> {
  const { base, kind, now, signal } = request
  for (let back = 0; back < DAYS_BACK; back++) {
    const [year, month, day] = new Date(now - back * DAY_MS).toISOString().slice(0, 10).split('-')
    const file = `${NAMES[kind]}_${month}_${day}_${year}.json.gz`
    const opening = AbortSignal.timeout(HEADERS_MS)
    const response = await fetch(`${base}/${file}`, {
      redirect: 'error',
      signal: signal ?? opening,
    }).catch((error: Error) => {
      signal?.throwIfAborted()
      throw new TmdbError(`The file ${file} could not be fetched: ${error.message}`)
    })
    if (response.ok && response.body) return readIds(response.body as ReadableStream, file, request)
    await response.body?.cancel()
  }
  throw new TmdbError(`TMDB has no file of ${kind} ids for the last ${DAYS_BACK} days`)
}

async function readIds(body: ReadableStream, file: string, { limit, report }: Request): Promise<number[]> {
  const best: { id: number; popularity: number }[] = []
  const source = Readable.fromWeb(body)
  const stream = source.pipe(createGunzip())
  source.on('error', (error) => stream.destroy(error))
  let line = 0
  try {
    const lines = createInterface({ input: stream })
    const failed = new Promise<never>((_, reject) => stream.on('error', reject))
    failed.catch(() => {})
    const iterator = lines[Symbol.asyncIterator]()
    for (;;) {
      const next = await Promise.race([iterator.next(), failed])
      if (next.done) break
      line += 1
      if (next.value === '') continue
      const one = parse(next.value)
      if (!one) skip(report, `${file}:${line}`, 'is not an id')
      else if (one.adult || one.video) count(report, 'adult titles and mere videos')
      else best.push({ id: one.id, popularity: one.popularity ?? 0 })
      if (best.length >= 2 * limit + 1_000) keepBest(best, limit)
    }
    await Promise.race([
      failed,
      new Promise((resolve) => (stream.closed ? resolve(null) : stream.on('close', resolve))),
    ])
  } catch (error) {
    throw new TmdbError(`The file ${file} is damaged: ${(error as Error).message}`)
  } finally {
    source.destroy()
    stream.destroy()
  }
  report.lines = (report.lines ?? 0) + line
  keepBest(best, limit)
  return best.map(({ id }) => id)
}

function parse(line: string) {
  try {
    const result = z.safeParse(idShape, JSON.parse(line))
    return result.success ? result.data : null
  } catch {
    return null
  }
}

function keepBest(best: { id: number; popularity: number }[], limit: number): void {
  best.sort((a, b) => b.popularity - a.popularity || a.id - b.id)
  best.length = Math.min(best.length, limit)
}
