/**
 * Search while typing. Requests are debounced, and outdated replies are ignored. The URL contains the query and the
 * filters, and recent queries are stored per profile.
 */
import { callApi } from '../client/call.ts'
import type { ApiError } from '../client/errors.ts'
import { setProfileTimeout, settleWhileProfileActs } from '../client/profile-session.ts'
import * as calls from '../contract/search.ts'
import { LIMITS } from '../rules/limits.ts'
import type { GuideFilterValue } from '../rules/maturity.ts'
import { writeStorage } from '../storage.ts'
import { RECENT_SEARCHES_KEY_PREFIX } from '../storage-keys.ts'
import type { SearchReply } from './offline-search.ts'
import { perProfile } from './per-profile.ts'
import { $profile, $profileId } from './profile.ts'

const SEARCH_TYPES = ['all', 'movie', 'tv', 'actor'] as const
export type SearchType = (typeof SEARCH_TYPES)[number]
const DEBOUNCE_MS = 220
const MAX_RECENT_QUERIES = 8

interface SearchState {
  query: string
  /** The best hits of all types. The counts also include hits that the reply does not contain. */
  reply: SearchReply | null
  error: ApiError | null
  /**
   * Hits of the chosen types, if `reply` does not contain all of them. `error` is the error of a failed request for
   * these hits.
   */
  repliesByType?: Partial<Record<SearchType, { results: readonly calls.SearchHit[]; error?: ApiError }>>
  /** True when there is no network and only the cached replies were searched. */
  isOfflineReply?: boolean
}
export const $search = perProfile<SearchState>(() => ({ query: '', reply: null, error: null }))
export const $searchType = perProfile<SearchType>(() => 'all')
/** True when the search is limited to titles that can be played here. */
export const $isSearchLimitedToAvailable = perProfile<boolean>(() => false)
/** Highest accepted severity for each filtered category of the parental guide, such as `violence-mild`. */
export const $searchGuideFilters = perProfile<readonly string[]>(() => [])
const getRecentSearchesStorageKey = () => RECENT_SEARCHES_KEY_PREFIX + $profileId.get()
export const $recentSearches = perProfile(loadRecentSearches)

function loadRecentSearches(): string[] {
  try {
    return JSON.parse(localStorage.getItem(getRecentSearchesStorageKey()) ?? '[]') as string[]
  } catch {
    return []
  }
}

/** Incremented when the query or a filter changes, so that a reply to an earlier request is ignored. */
const $requestNumber = perProfile<number>(() => 0)
let debounceTimer: ReturnType<typeof setTimeout> | undefined

/** Sets the query and searches when the query has not changed for `delayMs`. */
export function setSearchQuery(query: string, delayMs = DEBOUNCE_MS): void {
  $search.setKey('query', query)
  writeSearchUrl()
  clearTimeout(debounceTimer)
  const requestNumber = $requestNumber.get() + 1
  $requestNumber.set(requestNumber)
  if (!query.trim()) {
    $search.set({ query, reply: null, error: null })
    return
  }
  debounceTimer = setProfileTimeout(() => void runSearch(query, requestNumber), delayMs)
}

/** Writes the query and the filters to the URL, so that a reload of the page restores them. */
function writeSearchUrl(): void {
  const url = new URL(location.href)
  const { query } = $search.get()
  const type = $searchType.get()
  const parametersByName = {
    q: query.trim() ? [query] : [],
    type: type === 'all' ? [] : [type],
    available: $isSearchLimitedToAvailable.get() ? ['true'] : [],
    guide: $searchGuideFilters.get(),
  }
  for (const [name, values] of Object.entries(parametersByName)) {
    url.searchParams.delete(name)
    for (const value of values) url.searchParams.append(name, value)
  }
  history.replaceState(history.state, '', url)
}

async function runSearch(query: string, requestNumber: number): Promise<void> {
  try {
    const reply = await requestHits(query, 'all')
    const type = $searchType.get()
    const repliesByType = await requestMissingHits(reply, type)
    if (requestNumber !== $requestNumber.get()) return
    $search.set({ query, reply, error: null, repliesByType })
    if ($searchType.get() !== type) await loadHitsOfType($searchType.get())
  } catch (error) {
    const offlineReply =
      (error as ApiError).status === 0 ? await settleWhileProfileActs(searchOffline(query)) : null
    if (requestNumber === $requestNumber.get())
      $search.set(
        offlineReply
          ? { query, reply: offlineReply, error: null, isOfflineReply: true }
          : { query, reply: offlineReply, error: error as ApiError },
      )
  }
}

function requestHits(query: string, type: SearchType): Promise<SearchReply> {
  const isKidsProfile = $profile.get()?.kids === true
  const guide = $searchGuideFilters.get()
  return callApi(calls.searchCatalogue, {
    query: {
      q: query.trim().slice(0, 200),
      limit: type === 'all' ? LIMITS.search : LIMITS.maxPageSize,
      ...(type !== 'all' && { type }),
      ...(isKidsProfile && { kids: true }),
      ...($isSearchLimitedToAvailable.get() && { available: true }),
      ...(guide.length > 0 && { guide: guide as GuideFilterValue[] }),
    },
  })
}

const filterHits = (hits: readonly calls.SearchHit[], type: SearchType) =>
  hits.filter(({ kind }) => type === 'all' || kind === type)

/** Requests the hits of a type, unless `reply` contains all of them. */
async function requestMissingHits(
  reply: SearchReply,
  type: SearchType,
): Promise<NonNullable<SearchState['repliesByType']>> {
  const loadedHits = filterHits(reply.results, type)
  if (type === 'all' || loadedHits.length >= reply.counts[type]) return {}
  try {
    const { results } = await requestHits(reply.query, type)
    return { [type]: { results } }
  } catch (error) {
    return { [type]: { results: loadedHits, error: error as ApiError } }
  }
}

/** Shows the hits of a type. The hits of the current reply are shown until the other hits are loaded. */
export async function setSearchType(type: SearchType): Promise<void> {
  $searchType.set(type)
  writeSearchUrl()
  await loadHitsOfType(type)
}

async function loadHitsOfType(type: SearchType): Promise<void> {
  const { reply, isOfflineReply, repliesByType } = $search.get()
  const replyForType = repliesByType?.[type]
  if (!reply || isOfflineReply || (replyForType && !replyForType.error)) return
  const loadedReplies = await requestMissingHits(reply, type)
  // If another search has replaced the reply meanwhile, these hits do not belong to the new reply.
  if ($search.get().reply === reply)
    $search.setKey('repliesByType', { ...$search.get().repliesByType, ...loadedReplies })
}

/**
 * Returns the hits of a type that are loaded. `isLoading` is true if there are hits of this type, but none is loaded
 * yet. `error` is set if the request for the hits failed and none is loaded.
 */
export function selectHits(
  { reply, repliesByType }: Pick<SearchState, 'reply' | 'repliesByType'>,
  type: SearchType,
) {
  const replyForType = repliesByType?.[type]
  const hits = replyForType?.results ?? filterHits(reply?.results ?? [], type)
  const isLoading = hits.length === 0 && !replyForType && reply !== null && reply.counts[type] > 0
  return { hits, isLoading, error: hits.length === 0 ? replyForType?.error : undefined }
}

async function searchOffline(query: string) {
  const profile = $profile.get()
  if (!profile) return null
  const offlineSearch = await import('./offline-search.ts').catch(() => null)
  return (
    offlineSearch?.searchCachedReplies(query.trim().slice(0, 200), {
      profileId: profile.profile_id,
      isKidsProfile: profile.kids,
      isLimitedToAvailable: $isSearchLimitedToAvailable.get(),
      guideFilters: $searchGuideFilters.get(),
    }) ?? null
  )
}

/** Turns the filter for available titles on or off, and searches again. */
export function setSearchLimitedToAvailable(isLimited: boolean): void {
  $isSearchLimitedToAvailable.set(isLimited)
  setSearchQuery($search.get().query, 0)
}

/**
 * Applies the query and the filters of a URL when the page is opened. A URL without a query keeps the last query, its
 * type and its limit to available titles. The last query is searched again if the guide filter has changed.
 */
export function openSearch(urlQuery: string): void {
  const urlParams = new URLSearchParams(urlQuery)
  const guideFilters = urlParams.getAll('guide')
  const isFilterChanged = guideFilters.join() !== $searchGuideFilters.get().join()
  $searchGuideFilters.set(guideFilters)
  const query = urlParams.get('q')
  if (query) {
    $searchType.set(SEARCH_TYPES.find((type) => type === urlParams.get('type')) ?? 'all')
    $isSearchLimitedToAvailable.set(urlParams.get('available') === 'true')
    setSearchQuery(query, 0)
  } else if (isFilterChanged) setSearchQuery($search.get().query, 0)
}

/** Sets the highest accepted severities of the parental guide, and searches again. */
export function setSearchGuideFilters(guideFilters: readonly string[]): void {
  $searchGuideFilters.set(guideFilters)
  setSearchQuery($search.get().query, 0)
}

/** Stores a query of at least two characters as a recent query. */
export function storeRecentSearch(query: string): void {
  const trimmedQuery = query.trim()
  if (!$profile.get() || trimmedQuery.length < 2) return
  const recentQueries = [
    trimmedQuery,
    ...$recentSearches.get().filter((recentQuery) => recentQuery !== trimmedQuery),
  ].slice(0, MAX_RECENT_QUERIES)
  writeStorage('localStorage', getRecentSearchesStorageKey(), JSON.stringify(recentQueries))
  $recentSearches.set(recentQueries)
}

export function clearRecentSearches(): void {
  localStorage.removeItem(getRecentSearchesStorageKey())
  $recentSearches.set([])
}
