/** The lists of movies and series: the address holds the whole state, with the specification's names. */
import { atom } from 'nanostores'
import { call } from '../client/call.ts'
import type { ApiError } from '../client/errors.ts'
import * as catalogue from '../contract/catalogue.ts'
import type { MediaCard } from '../contract/media.ts'
import { $profile } from './profile.ts'

export interface Filters {
  sort: string
  releaseYear: string[]
  includeGenres: number[]
  excludeGenres: number[]
  language: string[]
  rated: string[]
  rating: string
  ratingVotes: string
  network: string[]
  hideSeen: boolean
  highQuality: boolean
}
export type BrowseType = 'movie' | 'tv'
export const POPULAR = 'popularity.desc'

/** Filters as a page's query states them; unknown values are for the server to refuse. */
export function readFilters(search: string): Filters {
  const query = new URLSearchParams(search)
  const all = (name: string) => query.getAll(name).filter(Boolean)
  return {
    sort: query.get('sort') || POPULAR,
    releaseYear: all('releaseYear'),
    includeGenres: all('includeGenres').map(Number).filter(Number.isInteger),
    excludeGenres: all('excludeGenres').map(Number).filter(Number.isInteger),
    language: all('language'),
    rated: all('rated'),
    rating: query.get('rating') ?? '',
    ratingVotes: query.get('ratingVotes') ?? '',
    network: all('network'),
    hideSeen: query.get('hideSeen') === 'true',
    highQuality: query.get('highQuality') === 'true',
  }
}

/** The query of the address for filters; what says nothing is left out. */
export function writeFilters(filters: Filters): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filters)) {
    if (name === 'sort' && value === POPULAR) continue
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== '' && one !== false) query.append(name, String(one))
  }
  return query.size > 0 ? `?${query}` : ''
}

export const $browse = atom<{ type: BrowseType; filters: Filters } | null>(null)

export interface Results {
  items: MediaCard[]
  total: number | null
  /** Which list it is of: other filters, another list. */
  list: string
  page: number
  loading: boolean
  error: ApiError | null
}
const NOTHING: Results = { items: [], total: null, list: '', page: 0, loading: true, error: null }
/** What each list had loaded, so that Back finds its length and scroll again. */
const kept = new Map<string, Results>()
export const $results = atom<Results>(NOTHING)
export const hasMore = ({ items, total }: Results) => total !== null && items.length < total

const keyOf = () => `${$profile.get()?.profile_id} ${JSON.stringify($browse.get())}`

/** Shows a list: as it was left, if it was here before. */
export function openList(type: BrowseType, filters: Filters): void {
  $browse.set({ type, filters })
  const before = kept.get(keyOf())
  $results.set(before ?? NOTHING)
  if (!before) void loadMore()
}

export async function loadMore(): Promise<void> {
  const browse = $browse.get()
  const key = keyOf()
  const before = $results.get()
  if (!browse || (before.loading && before.page > 0)) return
  $results.set({ ...before, loading: true, error: null })
  try {
    const page = before.page + 1
    const endpoint = browse.type === 'movie' ? catalogue.listMovies : catalogue.listSeries
    const answer = await call(endpoint, {
      query: { ...queryOf(browse.type, browse.filters), page, limit: 36 } as never,
    })
    if (key !== keyOf()) return
    const known = new Set(before.items.map((one) => one.id))
    const items = [...before.items, ...answer.results.filter((one) => !known.has(one.id))]
    const results = { items, total: answer.total_results, list: key, page, loading: false, error: null }
    kept.set(key, results)
    $results.set(results)
  } catch (error) {
    if (key === keyOf()) $results.set({ ...before, loading: false, error: error as ApiError })
  }
}

/** Page addresses use camelCase names, the call kebab-case (api.md, section 1). */
function queryOf(type: BrowseType, filters: Filters): Record<string, unknown> {
  const kids = $profile.get()?.kids === true
  return {
    sort: filters.sort,
    'release-year': filters.releaseYear,
    'include-genres': filters.includeGenres,
    'exclude-genres': filters.excludeGenres,
    language: filters.language,
    rated: filters.rated,
    rating: filters.rating,
    'rating-votes': filters.ratingVotes,
    ...(kids && { kids }),
    ...(filters.hideSeen && { 'hide-seen': true }),
    ...(type === 'tv' ? { network: filters.network } : filters.highQuality ? { 'high-quality': true } : {}),
  }
}
