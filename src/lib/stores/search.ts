/**
 * Search while typing: debounced, outdated replies are ignored, the query is in the URL, and recent queries are stored
 * per profile.
 */
import { atom, computed, map } from 'nanostores'
import { callApi } from '../client/call.ts'
import type { ApiError } from '../client/errors.ts'
import type { ReplyOf } from '../contract/endpoint.ts'
import * as calls from '../contract/search.ts'
import { LIMITS } from '../rules/limits.ts'
import { RECENT_SEARCHES_KEY_PREFIX } from '../storage-keys.ts'
import { $profile } from './profile.ts'

export type SearchType = 'all' | 'movie' | 'tv' | 'actor'
const DEBOUNCE_MS = 220
const MAX_RECENT_QUERIES = 8

interface SearchState {
  query: string
  answer: ReplyOf<typeof calls.searchCatalogue> | null
  error: ApiError | null
  /** There is no network, so only cached titles were searched. */
  seenOnly?: boolean
}
export const $search = map<SearchState>({ query: '', answer: null, error: null })
export const $searchType = atom<SearchType>('all')
/** Incremented when the stored recent queries change. */
const $recentVersion = atom(0)
const recentStorageKey = (profileId: string) => RECENT_SEARCHES_KEY_PREFIX + profileId

export const $recentSearches = computed([$profile, $recentVersion], (profile) =>
  profile ? (JSON.parse(localStorage.getItem(recentStorageKey(profile.profile_id)) ?? '[]') as string[]) : [],
)

let debounceTimer: ReturnType<typeof setTimeout> | undefined

/** Sets the query and searches when it did not change for `delayMs`. */
export function setSearchQuery(query: string, delayMs = DEBOUNCE_MS): void {
  $search.setKey('query', query)
  const address = new URL(location.href)
  if (query.trim()) address.searchParams.set('q', query)
  else address.searchParams.delete('q')
  history.replaceState(history.state, '', address)
  clearTimeout(debounceTimer)
  if (!query.trim()) {
    $search.set({ query, answer: null, error: null })
    return
  }
  debounceTimer = setTimeout(() => void runSearch(query), delayMs)
}

async function runSearch(query: string): Promise<void> {
  try {
    const kids = $profile.get()?.kids === true
    const answer = await callApi(calls.searchCatalogue, {
      query: { q: query.trim().slice(0, 200), limit: LIMITS.search, ...(kids && { kids }) },
    })
    if ($search.get().query === query) $search.set({ query, answer, error: null })
  } catch (error) {
    const answer = (error as ApiError).status === 0 ? await searchOffline(query) : null
    if ($search.get().query === query)
      $search.set(
        answer ? { query, answer, error: null, seenOnly: true } : { query, answer, error: error as ApiError },
      )
  }
}

async function searchOffline(query: string) {
  const profile = $profile.get()
  if (!profile) return null
  const offlineSearch = await import('./offline-search.ts').catch(() => null)
  return (
    offlineSearch?.searchCachedReplies(query.trim().slice(0, 200), profile.profile_id, profile.kids) ?? null
  )
}

/** Stores a query of at least two characters as a recent query. */
export function storeRecentSearch(query: string): void {
  const profile = $profile.get()
  const text = query.trim()
  if (!profile || text.length < 2) return
  const recentQueries = [text, ...$recentSearches.get().filter((recentQuery) => recentQuery !== text)].slice(
    0,
    MAX_RECENT_QUERIES,
  )
  localStorage.setItem(recentStorageKey(profile.profile_id), JSON.stringify(recentQueries))
  $recentVersion.set($recentVersion.get() + 1)
}

export function clearRecentSearches(): void {
  const profile = $profile.get()
  if (profile) localStorage.removeItem(recentStorageKey(profile.profile_id))
  $recentVersion.set($recentVersion.get() + 1)
}
