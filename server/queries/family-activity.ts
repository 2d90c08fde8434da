/** Searches and viewings of kids profiles, for their parents. */
import type { Db } from '../db/database.ts'
import type { ProgressRow } from './progress.ts'

/**
 * While the user types, partial searches are sent. A search replaces the partial searches that were sent within this
 * time.
 */
const TYPING_PERIOD_MS = 60_000

export interface RecordedSearch {
  profileId: string
  query: string
  nowMs: number
}

const isOneBeginningOfOther = (a: string, b: string) => a !== b && (a.startsWith(b) || b.startsWith(a))

/**
 * True when `laterSearch` replaces an earlier search of the same profile: their queries are equal, or one starts with
 * the other.
 */
export const isSearchReplaced = (earlierSearch: RecordedSearch, laterSearch: RecordedSearch): boolean =>
  earlierSearch.profileId === laterSearch.profileId &&
  (earlierSearch.query === laterSearch.query || isOneBeginningOfOther(earlierSearch.query, laterSearch.query))

/** Records a search. Deletes the partial searches that were sent while it was typed. */
export async function recordSearch(db: Db, { profileId, query, nowMs }: RecordedSearch): Promise<void> {
  const recentSearches = await db
    .selectFrom('recorded_search')
    .select('query')
    .where('profile_id', '=', profileId)
    .where('searched_at', '>', nowMs - TYPING_PERIOD_MS)
    .execute()
  const partialQueries = recentSearches
    .map((row) => row.query)
    .filter((queryText) => isOneBeginningOfOther(queryText, query))
  if (partialQueries.length > 0)
    await db
      .deleteFrom('recorded_search')
      .where('profile_id', '=', profileId)
      .where('query', 'in', partialQueries)
      .execute()
  await db
    .insertInto('recorded_search')
    .values({ profile_id: profileId, query, searched_at: nowMs })
    .onConflict((conflict) => conflict.columns(['profile_id', 'query']).doUpdateSet({ searched_at: nowMs }))
    .execute()
}

export async function selectSearches(
  db: Db,
  { profileId, sinceMs, limit }: { profileId: string; sinceMs: number; limit: number },
): Promise<{ query: string; searched_at: number }[]> {
  return db
    .selectFrom('recorded_search')
    .select(['query', 'searched_at'])
    .where('profile_id', '=', profileId)
    .where('searched_at', '>', sinceMs)
    .orderBy('searched_at', 'desc')
    .orderBy('query')
    .limit(limit)
    .execute()
}

export async function selectLatestProgress(
  db: Db,
  { profileId, sinceMs, limit }: { profileId: string; sinceMs: number; limit: number },
): Promise<ProgressRow[]> {
  return db
    .selectFrom('progress')
    .selectAll()
    .where('profile_id', '=', profileId)
    .where('updated_at', '>', sinceMs)
    .orderBy('updated_at', 'desc')
    .orderBy('title_id')
    .orderBy('season_number')
    .orderBy('episode_number')
    .limit(limit)
    .execute()
}
