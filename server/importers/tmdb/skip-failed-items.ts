/** Lets an import continue when TMDB fails to send one particular title or person. */
import type { TmdbItem } from './checkpoint.ts'
import { type TmdbClient, TmdbError } from './client.ts'
import type { TmdbImportContext } from './import-plan.ts'

/** An item that TMDB could not send in this many runs in succession is not requested again until TMDB changes it. */
const MAX_FAILED_RUNS = 5
/** After this many failures in succession, TMDB itself counts as unavailable, and the import ends. */
const MAX_CONSECUTIVE_FAILURES = 10

/**
 * Wraps the function that fetches an item. If TMDB cannot send the item although it answers other requests, the item is
 * skipped. The next run requests the item again, unless it has failed in MAX_FAILED_RUNS successive runs. If TMDB is
 * unavailable, throws the `TmdbError`, so that the import ends.
 */
export function skipFailedItems<T>(
  { client, checkpoint }: TmdbImportContext,
  fetchItem: (item: TmdbItem) => Promise<T>,
): (item: TmdbItem) => Promise<T | { skip: string }> {
  let consecutiveFailureCount = 0
  return async (item) => {
    try {
      const fetchResult = await fetchItem(item)
      consecutiveFailureCount = 0
      checkpoint.deleteFailure(item)
      return fetchResult
    } catch (error) {
      if (!(error instanceof TmdbError)) throw error
      consecutiveFailureCount += 1
      if (consecutiveFailureCount >= MAX_CONSECUTIVE_FAILURES || !(await isTmdbAvailable(client))) throw error
      if (checkpoint.recordFailedRun(item) < MAX_FAILED_RUNS)
        return { skip: 'TMDB could not send it; the next import tries again' }
      checkpoint.deleteFailure(item)
      return { skip: `TMDB could not send it in ${MAX_FAILED_RUNS} imports` }
    }
  }
}

/** Returns true if TMDB sends `/configuration`, a small document that always exists. */
async function isTmdbAvailable(client: TmdbClient): Promise<boolean> {
  try {
    await client.get('/configuration')
    return true
  } catch (error) {
    if (!(error instanceof TmdbError)) throw error
    return false
  }
}
