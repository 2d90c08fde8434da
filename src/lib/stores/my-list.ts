/** The page My List: all of it, page by page; tabs, status and order are the server's, and the address holds them. */
import { atom, computed } from 'nanostores'
import { call } from '../client/call.ts'
import type { ApiError } from '../client/errors.ts'
import type { MediaCard } from '../contract/media.ts'
import * as watchlistCalls from '../contract/watchlist.ts'
import type { Key } from '../i18n/keys.ts'
import { WATCH_STATES } from '../rules/limits.ts'
import { $profile } from './profile.ts'
import { $listChanged } from './query.ts'
import { $waiting } from './waiting.ts'

export interface ListFilters {
  type: 'all' | 'movie' | 'tv'
  state: 'all' | watchlistCalls.WatchState
  favorite: boolean
  sort: (typeof watchlistCalls.WATCHLIST_SORTS)[number]
}
type Listed = watchlistCalls.WatchlistEntry & { media: MediaCard }
interface Shown {
  items: readonly Listed[]
  /** Of all pages; null until it is known. */
  total: number | null
  loading: boolean
  error: ApiError | null
  /** `$listChanged` when it was asked for. */
  asOf: number
}

export const LIST_SORTS = [
  ['added_at.desc', 'mylist:addedDesc'],
  ['added_at.asc', 'mylist:addedAsc'],
  ['title.asc', 'mylist:titleAsc'],
  ['title.desc', 'mylist:titleDesc'],
  ['year.desc', 'mylist:yearDesc'],
  ['year.asc', 'mylist:yearAsc'],
] as const satisfies [ListFilters['sort'], Key][]

const PAGE = 100
const NOTHING: Shown = { items: [], total: null, loading: false, error: null, asOf: 0 }
const LATEST = 'added_at.desc'

/** Filters as the page's query states them; what is unknown is left out. */
export function readListFilters(search: string): ListFilters {
  const query = new URLSearchParams(search)
  const type = query.get('type')
  return {
    type: type === 'movie' || type === 'tv' ? type : 'all',
    state: WATCH_STATES.find((one) => one === query.get('state')) ?? 'all',
    favorite: query.get('favorite') === 'true',
    sort: LIST_SORTS.find(([one]) => one === query.get('sort'))?.[0] ?? LATEST,
  }
}

/** The query of the address; what says nothing is left out. */
export function writeListFilters(filters: ListFilters): string {
  const said = Object.entries(filters).filter(([, value]) => value !== 'all' && value && value !== LATEST)
  return said.length > 0 ? `?${new URLSearchParams(said.map(([name, value]) => [name, String(value)]))}` : ''
}

export const $listFilters = atom<ListFilters>(readListFilters(''))
export const $myList = atom<Shown>(NOTHING)
export const $moreListed = computed($myList, ({ items, total }) => total !== null && items.length < total)

/** What each list had loaded, so that Back finds its length, scroll and focus again. */
const kept = new Map<string, Shown>()
let opened = ''
const keyOf = () => `${$profile.get()?.profile_id} ${JSON.stringify($listFilters.get())}`

/** Shows a list: as it was left, if it was here before; then as it is. */
export function openMyList(filters: ListFilters): void {
  $listFilters.set(filters)
  if (!$profile.get()) return
  if (opened !== keyOf()) {
    opened = keyOf()
    $myList.set(kept.get(opened) ?? NOTHING)
  }
  if ($myList.get().total === null) void loadMoreListed()
  else reloadIfChanged()
}

function show(shown: Shown): void {
  $myList.set(shown)
  if (shown.total === null) return
  kept.delete(opened)
  kept.set(opened, shown)
  /* Titles of another profile, or of an order that was tried once, need not stay for ever. */
  for (const [key] of kept) if (kept.size > 8) kept.delete(key)
}

function ask(page: number) {
  const { type, state, favorite, sort } = $listFilters.get()
  return call(watchlistCalls.listWatchlist, {
    params: { id: $profile.get()?.profile_id ?? '' },
    query: {
      limit: PAGE,
      page,
      sort,
      ...(type !== 'all' && { type }),
      ...(state !== 'all' && { state }),
      ...(favorite && { favorite }),
    },
  })
}

const keyOfEntry = ({ type, media_id }: Listed) => `${type}/${media_id}`
/** Pages overlap where the list changed between two of them. */
const withoutTwins = (items: readonly Listed[]) => [
  ...new Map(items.map((one) => [keyOfEntry(one), one])).values(),
]

export async function loadMoreListed(): Promise<void> {
  const before = $myList.get()
  const mine = opened
  if (before.loading || !$profile.get()) return
  const asOf = before.total === null ? $listChanged.get() : before.asOf
  $myList.set({ ...before, loading: true, error: null })
  try {
    const answer = await ask(Math.floor(before.items.length / PAGE) + 1)
    if (mine !== opened) return
    const items = withoutTwins([...$myList.get().items, ...(answer.results as Listed[])])
    show({ items, total: answer.total_results ?? items.length, loading: false, error: null, asOf })
    /* Nothing new although there is more: the list moved under the pages. */
    if (items.length === before.items.length && items.length < (answer.total_results ?? 0)) await reload()
  } catch (error) {
    if (mine === opened) $myList.set({ ...$myList.get(), loading: false, error: error as ApiError })
  }
}

let reloading = false
function reloadIfChanged(): void {
  const { total, asOf, loading } = $myList.get()
  if (total !== null && asOf !== $listChanged.get() && !reloading && !loading) void reload()
}

/** As many pages as are shown, anew; what is shown stays until all are there. */
async function reload(): Promise<void> {
  const mine = opened
  const asOf = $listChanged.get()
  reloading = true
  try {
    const pages = Math.max(1, Math.ceil($myList.get().items.length / PAGE))
    const items: Listed[] = []
    let total = 0
    for (let page = 1; page <= pages; page++) {
      const answer = await ask(page)
      if (mine !== opened) return
      items.push(...(answer.results as Listed[]))
      total = answer.total_results ?? items.length
      if (items.length >= total) break
    }
    show({ ...$myList.get(), items: withoutTwins(items), total, asOf })
  } catch {
    /* Without a network, what is shown is what is known. */
    if (mine === opened) $myList.set({ ...$myList.get(), asOf })
  } finally {
    reloading = false
  }
  reloadIfChanged()
}

const isHere = () => opened === keyOf() && document.querySelector('[data-my-list]') !== null
$listChanged.listen(() => {
  if (isHere()) reloadIfChanged()
})
$myList.listen(({ loading }) => {
  if (!loading && isHere()) reloadIfChanged()
})

/** Entries that were added while the network was off, through the list's filters: the list that was kept lacks them. */
export const $addedAway = computed([$waiting, $listFilters], (waiting, { type, state: wanted, favorite }) =>
  waiting.flatMap((one) => {
    if (favorite || one.kind !== 'list' || !one.body.in_watchlist || !one.card) return []
    const state = one.body.state ?? 'planned'
    if ((type !== 'all' && type !== one.title.type) || (wanted !== 'all' && wanted !== state)) return []
    const { title, card } = one
    const entry = { type: title.type, media_id: title.id, in_watchlist: true, state }
    return [{ ...entry, favorite: false, added_at: null, media: card }]
  }),
)
