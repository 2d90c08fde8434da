/** Searches and viewings of kids profiles, for their parents. */
import type { Db } from '../db/database.ts'
import type { ProgressRow } from './progress.ts'

/**
 * Time for which a stored search may be a partial search. The site sends searches while the user is still typing. A new
 * search therefore replaces each stored search of this period whose text is the beginning of the new search.
 */
const TYPING_PERIOD_MS = 60_000

export interface RecordedSearch {
  profileId: string
  query: string
  nowMs: number
}

/** True when `query` begins with the text of a partial search and is longer than this text. */
const isQueryContinuation = (query: string, partialQuery: string) =>
  query !== partialQuery && query.startsWith(partialQuery)

/** True when `laterSearch` repeats an earlier search of the same profile, or continues its text. */
export const isSearchReplaced = (earlierSearch: RecordedSearch, laterSearch: RecordedSearch): boolean =>
  earlierSearch.profileId === laterSearch.profileId && laterSearch.query.startsWith(earlierSearch.query)

/**
 * True when `laterSearch` is only the beginning of an earlier search of the same profile, because the user has deleted
 * letters. `laterSearch` is then not recorded.
 */
export const isSearchShortened = (earlierSearch: RecordedSearch, laterSearch: RecordedSearch): boolean =>
  earlierSearch.profileId === laterSearch.profileId &&
  isQueryContinuation(earlierSearch.query, laterSearch.query)

/**
 * Records a search, and deletes the partial searches that were sent while the search was typed. A search that is the
 * beginning of a recent search is not recorded: the site sends it while the user deletes letters of the recent search.
 */
export async function recordSearch(db: Db, { profileId, query, nowMs }: RecordedSearch): Promise<void> {
  const recentSearches = await db
    .selectFrom('recorded_search')
    .select('query')
    .where('profile_id', '=', profileId)
    .where('searched_at', '>', nowMs - TYPING_PERIOD_MS)
    .execute()
  const recentQueries = recentSearches.map((row) => row.query)
  if (recentQueries.some((recentQuery) => isQueryContinuation(recentQuery, query))) return
  const partialQueries = recentQueries.filter((recentQuery) => isQueryContinuation(query, recentQuery))
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
