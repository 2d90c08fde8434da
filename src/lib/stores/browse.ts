/** The pages that list movies and series. The page URL contains all filters, named as in the specification. */
import { callApi } from '../client/call.ts'
import type { ApiError } from '../client/errors.ts'
import * as catalogue from '../contract/catalogue.ts'
import type { MediaCard } from '../contract/media.ts'
import { getCurrentMinuteOfDay, getMinutesUntil, parseClockTime } from '../rules/end-by.ts'
import { isLimitedToReleased } from '../rules/list-filter.ts'
import { hasFurtherPages } from '../rules/list-pages.ts'
import { perProfile } from './per-profile.ts'
import { $profile } from './profile.ts'
import { $viewingsVersion } from './query.ts'

export interface BrowseFilters {
  sort: string
  releaseYear: string[]
  includeGenres: number[]
  excludeGenres: number[]
  language: string[]
  rated: string[]
  rating: string
  ratingVotes: string
  network: string[]
  /** Highest accepted severity for each filtered category of the parental guide, such as `violence-mild`. */
  guide: string[]
  /** Clock time, such as `21:30`, by which a title that starts now must end; empty without this filter. */
  endBy: string
  hideSeen: boolean
  highQuality: boolean
  available: boolean
}
export type BrowseType = 'movie' | 'tv'
/** Changes some filters. If `change` is a function, it receives the filters at the time of the change. */
export type ChangeBrowseFilters = (
  change: Partial<BrowseFilters> | ((filters: BrowseFilters) => Partial<BrowseFilters>),
) => void
export const DEFAULT_BROWSE_SORT = 'popularity.desc'

/** Parses the filters from the query of the page. Does not validate values; the server rejects unknown values. */
export function parseBrowseFilters(search: string): BrowseFilters {
  const query = new URLSearchParams(search)
  const listParameterValues = (parameterName: string) => query.getAll(parameterName).filter(Boolean)
  return {
    sort: query.get('sort') || DEFAULT_BROWSE_SORT,
    releaseYear: listParameterValues('releaseYear'),
    includeGenres: listParameterValues('includeGenres').map(Number).filter(Number.isInteger),
    excludeGenres: listParameterValues('excludeGenres').map(Number).filter(Number.isInteger),
    language: listParameterValues('language'),
    rated: listParameterValues('rated'),
    rating: query.get('rating') ?? '',
    ratingVotes: query.get('ratingVotes') ?? '',
    network: listParameterValues('network'),
    guide: listParameterValues('guide'),
    endBy: query.get('endBy') ?? '',
    hideSeen: query.get('hideSeen') === 'true',
    highQuality: query.get('highQuality') === 'true',
    available: query.get('available') === 'true',
  }
}

/** Returns filters that select all titles, with the same sort order. */
export const clearBrowseFilters = ({ sort }: BrowseFilters): BrowseFilters => ({
  ...parseBrowseFilters(''),
  sort,
})

/** Returns the query of the page URL for filters. Default values are omitted. */
export function formatBrowseFilters(filters: BrowseFilters): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filters)) {
    if (name === 'sort' && value === DEFAULT_BROWSE_SORT) continue
    for (const parameterValue of Array.isArray(value) ? value : [value])
      if (parameterValue !== '' && parameterValue !== false) query.append(name, String(parameterValue))
  }
  return query.size > 0 ? `?${query}` : ''
}

interface BrowseList {
  type: BrowseType
  filters: BrowseFilters
}
export const $browseList = perProfile<BrowseList | null>(() => null)

export interface BrowseResults {
  items: MediaCard[]
  total: number | null
  hasMore: boolean
  /** Key of the list: the JSON text of its type and filters. */
  listKey: string
  page: number
  loading: boolean
  error: ApiError | null
  /** Maximum runtime in the request for the first page; null without the filter "Must end by". */
  maxRuntimeMinutes: number | null
  /** Value of `$viewingsVersion` when the first page was requested. */
  viewingsVersion: number
}
const EMPTY_BROWSE_RESULTS: BrowseResults = {
  items: [],
  total: null,
  hasMore: false,
  listKey: '',
  page: 0,
  loading: true,
  error: null,
  maxRuntimeMinutes: null,
  viewingsVersion: 0,
}
/**
 * Loaded results by the key of the list. With these results, Back restores the length and scroll position of a list.
 */
const $resultsByListKey = perProfile(() => new Map<string, BrowseResults>())
export const $browseResults = perProfile<BrowseResults>(() => EMPTY_BROWSE_RESULTS)

const getCurrentListKey = () => JSON.stringify($browseList.get())

/**
 * Shows a list. If the list was open before, restores the loaded results, and reloads them if the filters may select
 * other titles by now. Otherwise loads the first page.
 */
export function openBrowseList(type: BrowseType, filters: BrowseFilters): void {
  $browseList.set({ type, filters })
  const loadedResults = $resultsByListKey.get().get(getCurrentListKey())
  $browseResults.set(loadedResults ?? EMPTY_BROWSE_RESULTS)
  if (!loadedResults) void loadMoreResults()
  else if (isOutdated(filters, loadedResults)) void reloadResults()
}

/**
 * True if the filters may select other titles by now. The maximum runtime depends on the current time, and a list
 * without seen titles depends on the viewings.
 */
const isOutdated = (filters: BrowseFilters, results: BrowseResults) =>
  results.maxRuntimeMinutes !== getMaxRuntimeMinutes(filters.endBy) || hasOutdatedViewings(filters, results)

const hasOutdatedViewings = ({ hideSeen }: BrowseFilters, { viewingsVersion }: BrowseResults) =>
  hideSeen && viewingsVersion !== $viewingsVersion.get()

const PAGE_SIZE = 36
function requestPage({ type, filters }: BrowseList, page: number, maxRuntimeMinutes: number | null) {
  const endpoint = type === 'movie' ? catalogue.listMovies : catalogue.listSeries
  return callApi(endpoint, {
    query: { ...buildApiQuery(type, filters, maxRuntimeMinutes), page, limit: PAGE_SIZE } as never,
  })
}

/** Adds the next page to loaded results. Skips titles that the results contain already. */
function addPage(
  results: BrowseResults,
  { results: pageTitles, total_results: total }: Awaited<ReturnType<typeof requestPage>>,
): BrowseResults {
  const loadedIds = new Set(results.items.map((title) => title.id))
  const newTitles = pageTitles.filter((title) => !loadedIds.has(title.id))
  const page = results.page + 1
  const hasMore = hasFurtherPages({ page, pageSize: PAGE_SIZE, addedCount: newTitles.length, total })
  return { ...results, items: [...results.items, ...newTitles], total, hasMore, page }
}

function showLoadedResults(results: BrowseResults): void {
  $resultsByListKey.get().set(results.listKey, results)
  $browseResults.set(results)
}

/**
 * Displays that the list is loading. Returns a function that returns false once other results are displayed, such as
 * those of another list or of a reload. The caller must then ignore the reply to its request.
 */
function showLoading(results: BrowseResults): () => boolean {
  const loadingResults = { ...results, loading: true, error: null }
  $browseResults.set(loadingResults)
  return () => $browseResults.get() === loadingResults
}

/**
 * Reloads the first `pageCount` pages of the open list; by default, as many as are loaded. The old titles stay visible
 * until all pages have arrived, and remain if a request fails.
 */
async function reloadResults(pageCount = $browseResults.get().page): Promise<void> {
  const currentList = $browseList.get()
  const listKey = getCurrentListKey()
  const outdatedResults = $browseResults.get()
  if (!currentList) return
  const maxRuntimeMinutes = getMaxRuntimeMinutes(currentList.filters.endBy)
  const viewingsVersion = $viewingsVersion.get()
  const isCurrent = showLoading(outdatedResults)
  try {
    const resultConditions = { maxRuntimeMinutes, viewingsVersion }
    let results: BrowseResults = { ...EMPTY_BROWSE_RESULTS, listKey, loading: false, ...resultConditions }
    do {
      const reply = await requestPage(currentList, results.page + 1, maxRuntimeMinutes)
      if (!isCurrent()) return
      results = addPage(results, reply)
    } while (results.page < pageCount && results.hasMore)
    showLoadedResults(results)
  } catch (error) {
    // Shows the error only if the reload should have added a page. Without an error, the list would request this page
    // again and again.
    const shownError = pageCount > outdatedResults.page ? (error as ApiError) : null
    if (isCurrent()) $browseResults.set({ ...outdatedResults, loading: false, error: shownError })
  }
}

/**
 * Loads the next page. Skips titles that have moved to this page since the last request and are therefore in the list
 * already. All pages are requested with the maximum runtime of the first page, because with another runtime, a later
 * page would skip or repeat titles. A list without seen titles would also skip titles if the profile has seen more
 * titles since the first page was requested. In this case, the loaded pages are requested again, together with the next
 * page.
 */
export async function loadMoreResults(): Promise<void> {
  const currentList = $browseList.get()
  const listKey = getCurrentListKey()
  const currentResults = $browseResults.get()
  if (!currentList || (currentResults.loading && currentResults.page > 0)) return
  const isFirstPage = currentResults.page === 0
  if (!isFirstPage && hasOutdatedViewings(currentList.filters, currentResults))
    return reloadResults(currentResults.page + 1)
  const isCurrent = showLoading(currentResults)
  const maxRuntimeMinutes = isFirstPage
    ? getMaxRuntimeMinutes(currentList.filters.endBy)
    : currentResults.maxRuntimeMinutes
  const viewingsVersion = isFirstPage ? $viewingsVersion.get() : currentResults.viewingsVersion
  try {
    const reply = await requestPage(currentList, currentResults.page + 1, maxRuntimeMinutes)
    if (!isCurrent()) return
    const resultConditions = { maxRuntimeMinutes, viewingsVersion }
    const results = addPage(
      { ...currentResults, listKey, loading: false, error: null, ...resultConditions },
      reply,
    )
    showLoadedResults(results)
    // If titles were added in front of the list meanwhile, none of the loaded pages contains them. The list is then
    // reloaded.
    if (!results.hasMore && results.items.length < (results.total ?? 0)) await reloadResults()
  } catch (error) {
    if (isCurrent()) $browseResults.set({ ...currentResults, loading: false, error: error as ApiError })
  }
}

/**
 * Returns a random title that matches the filters; undefined when no title matches. `titleCount` is the number of
 * titles that match.
 */
export async function findRandomTitle(
  type: BrowseType,
  filters: BrowseFilters,
  titleCount: number,
): Promise<MediaCard | undefined> {
  const endpoint = type === 'movie' ? catalogue.listMovies : catalogue.listSeries
  const page = 1 + Math.floor(Math.random() * titleCount)
  const { results: titles } = await callApi(endpoint, {
    query: { ...buildApiQuery(type, filters, getMaxRuntimeMinutes(filters.endBy)), page, limit: 1 } as never,
  })
  return titles[0]
}

/** Converts filters to API parameters: page URLs use camelCase names, the API uses kebab-case. */
function buildApiQuery(
  type: BrowseType,
  filters: BrowseFilters,
  maxRuntimeMinutes: number | null,
): Record<string, unknown> {
  const isKidsProfile = $profile.get()?.kids === true
  return {
    sort: filters.sort,
    'release-year': filters.releaseYear,
    ...(isLimitedToReleased(filters.sort, filters.releaseYear.length > 0) && { released: true }),
    'include-genres': filters.includeGenres,
    'exclude-genres': filters.excludeGenres,
    language: filters.language,
    rated: filters.rated,
    rating: filters.rating,
    'rating-votes': filters.ratingVotes,
    guide: filters.guide,
    ...(maxRuntimeMinutes !== null && { 'max-runtime': maxRuntimeMinutes }),
    ...(isKidsProfile && { kids: true }),
    ...(filters.hideSeen && { 'hide-seen': true }),
    ...(filters.available && { available: true }),
    ...(type === 'tv' ? { network: filters.network } : filters.highQuality ? { 'high-quality': true } : {}),
  }
}

/**
 * Converts the time by which a title must end to a maximum runtime; null without a time. The result depends on the
 * current time.
 */
function getMaxRuntimeMinutes(endBy: string): number | null {
  const endMinute = parseClockTime(endBy)
  return endMinute === null ? null : getMinutesUntil(endMinute, getCurrentMinuteOfDay())
}
