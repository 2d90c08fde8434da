/**
 * Keeps the browse index of each title type up to date. Database triggers record every change in
 * `catalogue_change`. Before each request, the changes since the last read are applied.
 */
import type { BrowseRequest, BrowseResult } from '../../browse/types.ts'
import type { Database } from '../../db/database.ts'
import type { TitleType } from '../../queries/title.ts'
import { BrowseLoader, type LoadedIndexes } from './browse-loader.ts'
import { type LoadedCredits, PersonCreditsLoader } from './person-credits-loader.ts'

type BrowseTitleFilter = (titleId: number) => boolean

export interface BrowseService {
  /** Loads the indexes and the credits of people into memory, so that the first request does not wait for them. */
  warm(): Promise<void>
  loadPage(type: TitleType, request: BrowseRequest): Promise<BrowseResult>
  /**
   * Resolves to a predicate for ids of titles of `type` (of any type when undefined). Use the predicate
   * before the next `await`, because it reflects the index at the time of the call.
   */
  loadFilter(
    type: TitleType | undefined,
    query: Pick<BrowseRequest, 'audience' | 'filters'>,
  ): Promise<BrowseTitleFilter>
  /** Resolves to the current credits of people; null while the credits or the indexes are not loaded. */
  loadCredits(): Promise<LoadedCredits | null>
}

/** With `hasDemoClips`, titles of the demo catalogue count as available. */
export function createBrowseService(database: Database, options: { hasDemoClips: boolean }): BrowseService {
  const loader = new BrowseLoader(database, options)
  const creditsLoader = new PersonCreditsLoader(database)
  let indexesPromise: Promise<LoadedIndexes> | null = null
  let areIndexesLoaded = false
  let reloadPromise: Promise<void> | null = null
  let refreshPromise: Promise<void> | null = null
  /**
   * Cache of filters that match movies or series. The key is the movie filter. An entry is used only if its `isTvMatch`
   * is the current series filter. Callers cache results by the filter, so equal requests must get the same function
   * object.
   */
  const combinedFiltersByMovieFilter = new WeakMap<
    BrowseTitleFilter,
    { isTvMatch: BrowseTitleFilter; isMovieOrTvMatch: BrowseTitleFilter }
  >()

  async function refreshIndexes(indexes: LoadedIndexes): Promise<void> {
    if (!(await loader.applyChanges(indexes))) reloadIndexes()
  }
  /**
   * Reloads the indexes in the background. Requests use the previous indexes until the new indexes are
   * complete.
   */
  function reloadIndexes(): void {
    reloadPromise ??= loader
      .load()
      .then((indexes) => {
        indexesPromise = Promise.resolve(indexes)
      })
      .catch(() => {})
      .finally(() => {
        reloadPromise = null
      })
  }
  async function loadCurrentIndexes(): Promise<LoadedIndexes> {
    indexesPromise ??= loader.load().catch((error: unknown) => {
      indexesPromise = null
      throw error
    })
    const indexes = await indexesPromise
    areIndexesLoaded = true
    if (reloadPromise) return indexes
    // A refresh that began before this request may have missed a change that the caller has just made.
    if (refreshPromise) await refreshPromise
    refreshPromise ??= refreshIndexes(indexes).finally(() => {
      refreshPromise = null
    })
    await refreshPromise
    return indexes
  }
  return {
    async warm() {
      await loadCurrentIndexes()
      await creditsLoader.load()
    },
    loadCredits: async () => (areIndexesLoaded ? creditsLoader.getCurrent() : null),
    loadPage: async (type, request) => (await loadCurrentIndexes())[type].findPage(request),
    async loadFilter(type, query) {
      const indexes = await loadCurrentIndexes()
      if (type) return indexes[type].createMatcher(query)
      const [isMovieMatch, isTvMatch] = [indexes.movie.createMatcher(query), indexes.tv.createMatcher(query)]
      const cachedFilters = combinedFiltersByMovieFilter.get(isMovieMatch)
      if (cachedFilters?.isTvMatch === isTvMatch) return cachedFilters.isMovieOrTvMatch
      const isMovieOrTvMatch = (titleId: number) => isMovieMatch(titleId) || isTvMatch(titleId)
      combinedFiltersByMovieFilter.set(isMovieMatch, { isTvMatch, isMovieOrTvMatch })
      return isMovieOrTvMatch
    },
  }
}
