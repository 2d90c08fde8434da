/** Which ids TMDB changed since a day: /movie/changes and its like, of at most fourteen days at a time. */
import * as z from 'zod/mini'
import type { Kind } from './checkpoint.ts'
import { type TmdbClient, TmdbError } from './client.ts'
import { changesShape } from './shapes.ts'

const DAY_MS = 86_400_000
const WINDOW_DAYS = 14

export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Ids a page at a time; both days are `YYYY-MM-DD`. Throws `TmdbError`. */
export async function* changedIds(
  client: TmdbClient,
  { kind, since, until }: { kind: Kind; since: string; until: string },
): AsyncGenerator<number[]> {
  let start = Date.parse(since)
  const last = Date.parse(until)
  while (start <= last) {
    const end = Math.min(last, start + (WINDOW_DAYS - 1) * DAY_MS)
    for (let page = 1, pages = 1; page <= pages; page++) {
      const query = { start_date: dayOf(start), end_date: dayOf(end), page: String(page) }
      const answer = z.safeParse(changesShape, await client.get(`/${kind}/changes`, query))
      if (!answer.success) throw new TmdbError(`TMDB answered /${kind}/changes in an unknown way`)
      pages = answer.data.total_pages
      yield answer.data.results.flatMap(({ id, adult }) => (id === null || adult ? [] : [id]))
    }
    start = end + DAY_MS
  }
}
