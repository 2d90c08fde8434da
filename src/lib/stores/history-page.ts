/** The history page. Loads the viewings in pages while the user scrolls. The page URL contains the filters. */
import { callApi } from '../client/call.ts'
import type { ApiError } from '../client/errors.ts'
import type { ReplyOf } from '../contract/endpoint.ts'
import * as viewingCalls from '../contract/viewings.ts'
import { addMonths } from '../rules/calendar-days.ts'
import { perProfile } from './per-profile.ts'
import { $profile } from './profile.ts'
import { $viewingsVersion } from './query.ts'

export interface HistoryFilters {
  type: 'all' | 'movie' | 'tv'
  /** `YYYY-MM` in the time zone of the viewer, or `all`. */
  month: string
  /** Type and id of the only title to show, such as `movie-12` or `tv-12`; empty for all titles. */
  title: string
}
export type HistoryViewing = ReplyOf<typeof viewingCalls.listViewings>['results'][number]
interface HistoryPageState {
  items: readonly HistoryViewing[]
  /** Cursor of the next page; null after the last page. */
  next: string | null
  /** Time of the oldest viewing with a known time; null when no viewing has a known time. */
  oldest: string | null
  isLoaded: boolean
  loading: boolean
  error: ApiError | null
  /** Value of `$viewingsVersion` when the viewings were requested. */
  version: number
}

const PAGE_SIZE = 40
const MAX_PAGE_SIZE = 100
const EMPTY_HISTORY_PAGE: HistoryPageState = {
  items: [],
  next: null,
  oldest: null,
  isLoaded: false,
  loading: false,
  error: null,
  version: 0,
}

/** Parses the filters from the query of the page. Invalid values become defaults. */
export function parseHistoryFilters(search: string): HistoryFilters {
  const query = new URLSearchParams(search)
  const type = query.get('type')
  const month = query.get('month') ?? ''
  const title = query.get('title') ?? ''
  return {
    type: type === 'movie' || type === 'tv' ? type : 'all',
    month: /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? month : 'all',
    title: /^(movie|tv)-\d+$/.test(title) ? title : '',
  }
}

/** Returns the query of the page URL for filters. Default values are omitted. */
export function formatHistoryFilters(filters: HistoryFilters): string {
  const activeFilterEntries = Object.entries(filters).filter(([, value]) => value && value !== 'all')
  return activeFilterEntries.length > 0 ? `?${new URLSearchParams(activeFilterEntries)}` : ''
}

export const $historyFilters = perProfile<HistoryFilters>(() => parseHistoryFilters(''))
export const $historyPage = perProfile<HistoryPageState>(() => EMPTY_HISTORY_PAGE)
/** Incremented by each load, so that the replies of an earlier load are ignored. */
const $requestNumber = perProfile<number>(() => 0)

/**
 * Shows the viewings for the filters. Requests the viewings, unless they are being loaded, or are displayed and have
 * not changed.
 */
export function openHistory(filters: HistoryFilters): void {
  const hasSameFilters = formatHistoryFilters(filters) === formatHistoryFilters($historyFilters.get())
  $historyFilters.set(filters)
  if (!$profile.get()) return
  const { isLoaded, version, loading } = $historyPage.get()
  if (hasSameFilters && (loading || (isLoaded && version === $viewingsVersion.get()))) return
  if (!hasSameFilters) $historyPage.set({ ...EMPTY_HISTORY_PAGE, oldest: $historyPage.get().oldest })
  void reloadHistory()
}

/**
 * Reloads the displayed viewings if they have changed. A change during a request is handled after the reply to the
 * request.
 */
function reloadIfChanged(): void {
  const { isLoaded, version, loading } = $historyPage.get()
  const isDisplayed = $historyPage.lc > 0
  if (isLoaded && isDisplayed && !loading && version !== $viewingsVersion.get()) void reloadHistory()
}
$viewingsVersion.listen(reloadIfChanged)

/**
 * Reloads the newest viewings, at least as many as are displayed. The old viewings stay visible until all pages are
 * loaded.
 */
async function reloadHistory(): Promise<void> {
  const version = $viewingsVersion.get()
  const minViewingCount = $historyPage.get().items.length
  await displayLoadedPages(async (fetchPage) => {
    const items: HistoryViewing[] = []
    let cursor: string | undefined
    for (;;) {
      const limit = Math.min(MAX_PAGE_SIZE, Math.max(PAGE_SIZE, minViewingCount - items.length))
      const { results, next, oldest } = await fetchPage({ limit, ...(cursor && { cursor }) })
      items.push(...results)
      if (next === null || items.length >= minViewingCount) return { items, next, oldest, version }
      cursor = next
    }
  })
}

export async function loadMoreHistory(): Promise<void> {
  const { next, loading, items } = $historyPage.get()
  if (loading) return
  if (next === null) return reloadHistory()
  await displayLoadedPages(async (fetchPage) => {
    const reply = await fetchPage({ limit: PAGE_SIZE, cursor: next })
    return { items: [...items, ...reply.results], next: reply.next, oldest: reply.oldest }
  })
}

type FetchPage = (paging: {
  limit: number
  cursor?: string
}) => Promise<ReplyOf<typeof viewingCalls.listViewings>>

/** Runs `loadPages` and displays what it returns, unless a newer load has started meanwhile. */
async function displayLoadedPages(
  loadPages: (fetchPage: FetchPage) => Promise<Partial<HistoryPageState>>,
): Promise<void> {
  const profile = $profile.get()
  if (!profile) return
  const requestNumber = $requestNumber.get() + 1
  $requestNumber.set(requestNumber)
  $historyPage.set({ ...$historyPage.get(), loading: true, error: null })
  const viewingsQuery = buildViewingsQuery($historyFilters.get())
  try {
    const stateChange = await loadPages(async (paging) => {
      const reply = await callApi(viewingCalls.listViewings, {
        params: { id: profile.profile_id },
        query: { ...viewingsQuery, ...paging },
      })
      // After a newer load has started, the promise never settles, so that the older load requests and displays nothing
      // more.
      return requestNumber === $requestNumber.get() ? reply : new Promise<never>(() => {})
    })
    $historyPage.set({ ...$historyPage.get(), isLoaded: true, loading: false, ...stateChange })
  } catch (error) {
    if (requestNumber === $requestNumber.get())
      $historyPage.set({ ...$historyPage.get(), loading: false, error: error as ApiError })
    return
  }
  reloadIfChanged()
}

function buildViewingsQuery({ type, month, title }: HistoryFilters) {
  const [year = 0, monthNumber = 0] = month.split('-').map(Number)
  return {
    ...(type !== 'all' && { type }),
    ...(title && { media_id: title.split('-')[1] }),
    ...(month !== 'all' && {
      from: new Date(year, monthNumber - 1, 1).toISOString(),
      until: new Date(year, monthNumber, 1).toISOString(),
      from_day: `${month}-01`,
      until_day: `${addMonths(month, 1)}-01`,
    }),
  }
}
