/** Search as one types: debounced, stale answers dropped, the query in the address, recent ones kept per profile. */
import { atom, computed, map } from 'nanostores'
import { call } from '../client/call.ts'
import type { ApiError } from '../client/errors.ts'
import type { ReplyOf } from '../contract/endpoint.ts'
import * as calls from '../contract/search.ts'
import { LIMITS } from '../rules/limits.ts'
import { $profile } from './profile.ts'

export type SearchType = 'all' | 'movie' | 'tv' | 'actor'
const DEBOUNCE_MS = 220
const RECENT = 8

interface SearchState {
  query: string
  answer: ReplyOf<typeof calls.search> | null
  error: ApiError | null
  /** The network is off: only what was seen here was searched. */
  seenOnly?: boolean
}
export const $search = map<SearchState>({ query: '', answer: null, error: null })
export const $searchType = atom<SearchType>('all')
const $recents = atom(0)
const keyOf = (profileId: string) => `marquee-recent-${profileId}`

export const $recent = computed([$profile, $recents], (profile) =>
  profile ? (JSON.parse(localStorage.getItem(keyOf(profile.profile_id)) ?? '[]') as string[]) : [],
)

let timer: ReturnType<typeof setTimeout> | undefined

/** Asks when nothing more was typed for `wait` ms. */
export function setQuery(query: string, wait = DEBOUNCE_MS): void {
  $search.setKey('query', query)
  const address = new URL(location.href)
  if (query.trim()) address.searchParams.set('q', query)
  else address.searchParams.delete('q')
  history.replaceState(history.state, '', address)
  clearTimeout(timer)
  if (!query.trim()) {
    $search.set({ query, answer: null, error: null })
    return
  }
  timer = setTimeout(() => void ask(query), wait)
}

async function ask(query: string): Promise<void> {
  try {
    const kids = $profile.get()?.kids === true
    const answer = await call(calls.search, {
      query: { q: query.trim().slice(0, 200), limit: LIMITS.search, ...(kids && { kids }) },
    })
    if ($search.get().query === query) $search.set({ query, answer, error: null })
  } catch (error) {
    const answer = (error as ApiError).status === 0 ? await askSeen(query) : null
    if ($search.get().query === query)
      $search.set(
        answer ? { query, answer, error: null, seenOnly: true } : { query, answer, error: error as ApiError },
      )
  }
}

async function askSeen(query: string) {
  const profile = $profile.get()
  if (!profile) return null
  const seen = await import('./seen.ts').catch(() => null)
  return seen?.searchSeen(query.trim().slice(0, 200), profile.profile_id, profile.kids) ?? null
}

export function remember(query: string): void {
  const profile = $profile.get()
  const text = query.trim()
  if (!profile || text.length < 2) return
  const recent = [text, ...$recent.get().filter((one) => one !== text)].slice(0, RECENT)
  localStorage.setItem(keyOf(profile.profile_id), JSON.stringify(recent))
  $recents.set($recents.get() + 1)
}

export function clearRecent(): void {
  const profile = $profile.get()
  if (profile) localStorage.removeItem(keyOf(profile.profile_id))
  $recents.set($recents.get() + 1)
}
