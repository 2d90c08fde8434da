/**
 * Reads the ids of the items that have changed at TMDB since a day, from /movie/changes and its equivalents
 * for series and people.
 */

import * as z from 'zod/mini'
import { DAY_MS, toIsoDate } from '../../core/dates.ts'
import type { TmdbKind } from './checkpoint.ts'
import { type TmdbClient, TmdbError } from './client.ts'
import { tmdbChangesSchema } from './response-schemas.ts'

/** Longest period of one request that TMDB accepts. */
const WINDOW_DAYS = 14

/** Yields the changed ids page by page, without adult titles. Both days are `YYYY-MM-DD`. Throws `TmdbError`. */
export async function* readChangedIds(
  client: TmdbClient,
  { kind, since, until }: { kind: TmdbKind; since: string; until: string },
): AsyncGenerator<number[]> {
  let startMs = Date.parse(since)
  const lastMs = Date.parse(until)
  while (startMs <= lastMs) {
    const endMs = Math.min(lastMs, startMs + (WINDOW_DAYS - 1) * DAY_MS)
    for (let page = 1, pageCount = 1; page <= pageCount; page++) {
      const query = { start_date: toIsoDate(startMs), end_date: toIsoDate(endMs), page: String(page) }
      const response = z.safeParse(tmdbChangesSchema, await client.get(`/${kind}/changes`, query))
      if (!response.success) throw new TmdbError(`TMDB returned an unexpected response for /${kind}/changes`)
      pageCount = response.data.total_pages
      yield response.data.results.flatMap(({ id, adult }) => (id === null || adult ? [] : [id]))
    }
    startMs = endMs + DAY_MS
  }
}
