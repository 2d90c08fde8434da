/**
 * Keeps the browse index of each title type up to date. Database triggers record every change in
 * `catalogue_change`. Before each request, the changes since the last read are applied.
 */
import type { BrowseRequest, BrowseResult } from '../../browse/types.ts'
import type { Database } from '../../db/database.ts'
import type { TitleType } from '../../queries/title.ts'
import { BrowseLoader, type LoadedIndexes } from './browse-loader.ts'
import { type LoadedCredits, PersonCreditsLoader } from './person-credits-loader.ts'
import { hasTitleOrder } from './title-sort.ts'

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

/** Creates the browse service. With `hasDemoClips`, titles of the demo catalogue count as available. */
export function createBrowseService(database: Database, options: { hasDemoClips: boolean }): BrowseService {
  const loader = new BrowseLoader(database, options)
  const creditsLoader = new PersonCreditsLoader(database)
  let indexesPromise: Promise<LoadedIndexes> | null = null
  let loadedIndexes: LoadedIndexes | null = null
  /** The title orders that are being built, by type and language. */
  const titleOrderPromises = new Map<string, Promise<void>>()
  let reloadPromise: Promise<void> | null = null
  let refreshPromise: Promise<void> | null = null
  /**
   * Cache of filters for titles of both types, which combine a movie filter and a series filter. The key is the movie
   * filter. An entry is used only if its `isTvMatch` is the current series filter. Callers cache results by filter
   * function, so equal requests must get the same function.
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
      .load(loadedIndexes)
      .then((indexes) => {
        indexesPromise = Promise.resolve(indexes)
        loadedIndexes = indexes
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
    loadedIndexes ??= indexes
    if (reloadPromise) return indexes
    // A refresh that began before this request may have missed a change that the caller has just made.
    if (refreshPromise) await refreshPromise
    refreshPromise ??= refreshIndexes(indexes).finally(() => {
      refreshPromise = null
    })
    await refreshPromise
    return indexes
  }
  /** Builds the order of the titles by their names in a language, once for all requests that wait for it. */
  function buildTitleOrder(indexes: LoadedIndexes, type: TitleType, language: string): Promise<void> {
    const titleOrderKey = `${type} ${language}`
    const currentPromise = titleOrderPromises.get(titleOrderKey)
    if (currentPromise) return currentPromise
    const buildPromise = (async () => {
      const titleOrder = await loader.loadTitleOrder(type, language)
      while (refreshPromise) await refreshPromise
      refreshPromise = (async () => {
        if (await loader.addTitleOrder(indexes, titleOrder)) await refreshIndexes(indexes)
        else reloadIndexes()
      })().finally(() => {
        refreshPromise = null
      })
      await refreshPromise
    })().finally(() => titleOrderPromises.delete(titleOrderKey))
    titleOrderPromises.set(titleOrderKey, buildPromise)
    return buildPromise
  }
  return {
    async warm() {
      await loadCurrentIndexes()
      await creditsLoader.load()
    },
    loadCredits: async () => (loadedIndexes ? creditsLoader.getCurrentCredits() : null),
    async loadPage(type, request) {
      const indexes = await loadCurrentIndexes()
      const language = request.order.startsWith('title') ? request.titleLanguage : undefined
      if (language && hasTitleOrder(language) && !indexes[type].titleOrders.has(language))
        await buildTitleOrder(indexes, type, language)
      return indexes[type].findPage(request)
    },
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
