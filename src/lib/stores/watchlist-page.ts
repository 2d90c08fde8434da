/**
 * The My List page: loads the watchlist page by page. The server filters and sorts; the URL contains the filters and
 * the order.
 */
import { computed } from 'nanostores'
import { callApi } from '../client/call.ts'
import type { ApiError } from '../client/errors.ts'
import type { MediaCard } from '../contract/media.ts'
import * as watchlistCalls from '../contract/watchlist.ts'
import type { TranslationKey } from '../i18n/keys.ts'
import { WATCH_STATES } from '../rules/limits.ts'
import { appendPage } from '../rules/list-pages.ts'
import { $pendingWrites } from './pending-writes.ts'
import { perProfile } from './per-profile.ts'
import { $profile } from './profile.ts'
import { $watchlistVersion } from './query.ts'

export interface WatchlistFilters {
  type: 'all' | 'movie' | 'tv'
  state: 'all' | watchlistCalls.WatchState
  favorite: boolean
  /** Filter by the rating that the profile gave. `high` means at least four of five stars (8 of 10). */
  rating: 'all' | 'rated' | 'unrated' | 'high'
  sort: (typeof watchlistCalls.WATCHLIST_SORTS)[number]
}
type WatchlistItem = watchlistCalls.WatchlistEntry & { media: MediaCard & { own_rating?: number | null } }
interface WatchlistPageState {
  items: readonly WatchlistItem[]
  /** Number of entries on all pages; null until the first page is loaded. */
  total: number | null
  hasMore: boolean
  loading: boolean
  error: ApiError | null
  /** Value of `$watchlistVersion` when the entries were requested. */
  version: number
}

export const WATCHLIST_SORT_OPTIONS = [
  ['added_at.desc', 'mylist:addedDesc'],
  ['added_at.asc', 'mylist:addedAsc'],
  ['title.asc', 'mylist:titleAsc'],
  ['title.desc', 'mylist:titleDesc'],
  ['year.desc', 'mylist:yearDesc'],
  ['year.asc', 'mylist:yearAsc'],
  ['rating.desc', 'mylist:ratingDesc'],
  ['rating.asc', 'mylist:ratingAsc'],
] as const satisfies [WatchlistFilters['sort'], TranslationKey][]

/** Query parameters of the API for each value of the rating filter. */
const QUERIES_BY_RATING_FILTER = {
  all: {},
  rated: { rated: true },
  unrated: { rated: false },
  high: { 'min-rating': 8 },
} as const
export const RATING_FILTERS = Object.keys(QUERIES_BY_RATING_FILTER) as WatchlistFilters['rating'][]

const PAGE_SIZE = 100
const EMPTY_WATCHLIST_PAGE: WatchlistPageState = {
  items: [],
  total: null,
  hasMore: false,
  loading: false,
  error: null,
  version: 0,
}
const DEFAULT_WATCHLIST_SORT = 'added_at.desc'

/** Parses the filters from the query of the page. Unknown values become defaults. */
export function parseWatchlistFilters(search: string): WatchlistFilters {
  const query = new URLSearchParams(search)
  const type = query.get('type')
  return {
    type: type === 'movie' || type === 'tv' ? type : 'all',
    state: WATCH_STATES.find((state) => state === query.get('state')) ?? 'all',
    favorite: query.get('favorite') === 'true',
    rating: RATING_FILTERS.find((filter) => filter === query.get('rating')) ?? 'all',
    sort: WATCHLIST_SORT_OPTIONS.find(([sort]) => sort === query.get('sort'))?.[0] ?? DEFAULT_WATCHLIST_SORT,
  }
}

/** Returns the query of the page URL for filters. Default values are omitted. */
export function formatWatchlistFilters(filters: WatchlistFilters): string {
  const activeFilterEntries = Object.entries(filters).filter(
    ([, value]) => value !== 'all' && value && value !== DEFAULT_WATCHLIST_SORT,
  )
  return activeFilterEntries.length > 0
    ? `?${new URLSearchParams(activeFilterEntries.map(([name, value]) => [name, String(value)]))}`
    : ''
}

export const $watchlistFilters = perProfile<WatchlistFilters>(() => parseWatchlistFilters(''))
export const $watchlistPage = perProfile<WatchlistPageState>(() => EMPTY_WATCHLIST_PAGE)

/**
 * Loaded entries by list key (the filters and the order as JSON). With these entries, Back restores the length, scroll
 * position and focus of a list.
 */
const $pagesByListKey = perProfile(() => new Map<string, WatchlistPageState>())
const $openListKey = perProfile<string>(() => '')
const getCurrentListKey = () => JSON.stringify($watchlistFilters.get())

/**
 * Shows a list. Restores the loaded entries if the list was open before, and reloads them if the watchlist has
 * changed.
 */
export function openWatchlistPage(filters: WatchlistFilters): void {
  $watchlistFilters.set(filters)
  if (!$profile.get()) return
  const listKey = getCurrentListKey()
  if ($openListKey.get() !== listKey) {
    $openListKey.set(listKey)
    $watchlistPage.set($pagesByListKey.get().get(listKey) ?? EMPTY_WATCHLIST_PAGE)
  }
  if ($watchlistPage.get().total === null) void loadMoreWatchlistEntries()
  else reloadIfChanged()
}

function showPage(pageState: WatchlistPageState): void {
  $watchlistPage.set(pageState)
  if (pageState.total === null) return
  const pagesByListKey = $pagesByListKey.get()
  pagesByListKey.delete($openListKey.get())
  // `loading` is false, because the reply to a request in progress is ignored once another list is open.
  pagesByListKey.set($openListKey.get(), { ...pageState, loading: false })
  // Keeps the eight most recently used lists.
  for (const [listKey] of pagesByListKey) if (pagesByListKey.size > 8) pagesByListKey.delete(listKey)
}

function fetchPage(pageNumber: number) {
  const { type, state, favorite, rating, sort } = $watchlistFilters.get()
  return callApi(watchlistCalls.listWatchlist, {
    params: { id: $profile.get()?.profile_id ?? '' },
    query: {
      limit: PAGE_SIZE,
      page: pageNumber,
      sort,
      ...(type !== 'all' && { type }),
      ...(state !== 'all' && { state }),
      ...(favorite && { favorite }),
      ...QUERIES_BY_RATING_FILTER[rating],
    },
  })
}

const buildEntryKey = ({ type, media_id }: WatchlistItem) => `${type}/${media_id}`
function addPage(
  loadedItems: readonly WatchlistItem[],
  page: number,
  { results, total_results: total }: Awaited<ReturnType<typeof fetchPage>>,
) {
  const pageItems = results as WatchlistItem[]
  const loadedPage = { page, pageSize: PAGE_SIZE, results: pageItems, total }
  const { items, hasMore } = appendPage(loadedItems, loadedPage, buildEntryKey)
  return { items, hasMore, total: total ?? items.length }
}

export async function loadMoreWatchlistEntries(): Promise<void> {
  const previousPage = $watchlistPage.get()
  const listKey = $openListKey.get()
  if (previousPage.loading || !$profile.get()) return
  const watchlistVersion = previousPage.total === null ? $watchlistVersion.get() : previousPage.version
  $watchlistPage.set({ ...previousPage, loading: true, error: null })
  try {
    const page = Math.floor(previousPage.items.length / PAGE_SIZE) + 1
    const reply = await fetchPage(page)
    if (listKey !== $openListKey.get()) return
    const listPage = addPage($watchlistPage.get().items, page, reply)
    showPage({ ...listPage, loading: false, error: null, version: watchlistVersion })
    // If entries were added in front of the list meanwhile, none of the loaded pages contains them. The list is then
    // reloaded.
    if (!listPage.hasMore && listPage.items.length < listPage.total) await reloadPages(page)
  } catch (error) {
    if (listKey === $openListKey.get())
      $watchlistPage.set({ ...$watchlistPage.get(), loading: false, error: error as ApiError })
  }
}

/** Key of the list that is being reloaded; empty when no list is being reloaded. */
const $reloadingListKey = perProfile<string>(() => '')
function reloadIfChanged(): void {
  const { total, version, loading } = $watchlistPage.get()
  const isReloading = $reloadingListKey.get() === $openListKey.get()
  if (total !== null && version !== $watchlistVersion.get() && !isReloading && !loading) void reloadPages()
}

/** Reloads the displayed pages. The old entries stay visible until all pages are loaded. */
async function reloadPages(minPageCount = 1): Promise<void> {
  const listKey = $openListKey.get()
  const watchlistVersion = $watchlistVersion.get()
  $reloadingListKey.set(listKey)
  try {
    const pageCount = Math.max(minPageCount, Math.ceil($watchlistPage.get().items.length / PAGE_SIZE))
    let listPage: ReturnType<typeof addPage> | undefined
    let page = 0
    do {
      page += 1
      const reply = await fetchPage(page)
      if (listKey !== $openListKey.get()) return
      listPage = addPage(listPage?.items ?? [], page, reply)
    } while (page < pageCount && listPage.hasMore)
    showPage({ ...$watchlistPage.get(), ...listPage, version: watchlistVersion })
  } catch {
    // When the reload fails, for example without a network, the loaded entries stay displayed. The list gets the
    // version at the start of the reload, because with its old version, it would be reloaded again and again.
    if (listKey === $openListKey.get())
      $watchlistPage.set({ ...$watchlistPage.get(), version: watchlistVersion })
  } finally {
    if ($reloadingListKey.get() === listKey) $reloadingListKey.set('')
    reloadIfChanged()
  }
}

const isWatchlistPageOpen = () =>
  $openListKey.get() === getCurrentListKey() && document.querySelector('[data-my-list]') !== null
$watchlistVersion.listen(() => {
  if (isWatchlistPageOpen()) reloadIfChanged()
})
$watchlistPage.listen(({ loading }) => {
  if (!loading && isWatchlistPageOpen()) reloadIfChanged()
})

/** Entries that pending writes add and that match the filters. The loaded list does not contain these entries yet. */
export const $pendingWatchlistEntries = computed(
  [$pendingWrites, $watchlistFilters],
  (pendingWrites, { type, state: stateFilter, favorite, rating }) =>
    pendingWrites.flatMap((write) => {
      if (
        favorite ||
        (rating !== 'all' && rating !== 'unrated') ||
        write.kind !== 'list' ||
        !write.body.in_watchlist ||
        !write.card
      )
        return []
      const state = write.body.state ?? 'planned'
      if ((type !== 'all' && type !== write.title.type) || (stateFilter !== 'all' && stateFilter !== state))
        return []
      const { title, card } = write
      const pendingEntry = { type: title.type, media_id: title.id, in_watchlist: true, state }
      return [{ ...pendingEntry, favorite: false, added_at: null, media: card }]
    }),
)
