/**
 * Reads the ids of the items that have changed at TMDB since a day, from /movie/changes and its equivalents
 * for series and people.
 */

import { DAY_MS, toIsoDate } from '../../core/dates.ts'
import type { TmdbKind } from './checkpoint.ts'
import { parseTmdbResponse, type TmdbClient } from './client.ts'
import { tmdbChangesSchema } from './response-schemas.ts'

/** Longest period that TMDB accepts in one request. */
const MAX_WINDOW_DAYS = 14

/**
 * Yields the changed ids page by page. The ids include those of adult titles, because TMDB can mark a title of the
 * catalogue as adult later. Both days are `YYYY-MM-DD`. Throws `TmdbError`.
 */
export async function* readChangedIds(
  client: TmdbClient,
  { kind, sinceDate, untilDate }: { kind: TmdbKind; sinceDate: string; untilDate: string },
): AsyncGenerator<number[]> {
  let windowStartMs = Date.parse(sinceDate)
  const untilMs = Date.parse(untilDate)
  while (windowStartMs <= untilMs) {
    const windowEndMs = Math.min(untilMs, windowStartMs + (MAX_WINDOW_DAYS - 1) * DAY_MS)
    for (let page = 1, pageCount = 1; page <= pageCount; page++) {
      const query = {
        start_date: toIsoDate(windowStartMs),
        end_date: toIsoDate(windowEndMs),
        page: String(page),
      }
      const path = `/${kind}/changes`
      const changes = parseTmdbResponse(tmdbChangesSchema, await client.get(path, query), path)
      pageCount = changes.total_pages
      yield changes.results.flatMap(({ id }) => id ?? [])
    }
    windowStartMs = windowEndMs + DAY_MS
  }
}
