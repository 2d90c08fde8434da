/**
 * The calendar page. Loads the releases of a period, which the agenda can extend. The page URL contains the filters.
 */
import { callApi } from '../client/call.ts'
import type { ApiError } from '../client/errors.ts'
import * as calls from '../contract/calendar.ts'
import type { ReplyOf } from '../contract/endpoint.ts'
import type { MediaCard } from '../contract/media.ts'
import { addDays, addMonths, countDays, getWeekStart, listWeeks } from '../rules/calendar-days.ts'
import { perProfile } from './per-profile.ts'
import { $profile } from './profile.ts'
import { $viewingsVersion, $watchlistVersion } from './query.ts'
import { showToast } from './toast.ts'

type ReleasesReply = ReplyOf<typeof calls.listReleases>

export interface CalendarFilters {
  view: 'agenda' | 'month'
  type: 'all' | 'movie' | 'tv'
  /** Period of the agenda. */
  period: 'all' | 'this_week' | 'next_week'
  /** Month of the month view, `YYYY-MM`; empty for the current month. */
  month: string
}
/** Current date and first day of the week on the viewer's device. */
export interface CalendarSettings {
  /** Today's date, `YYYY-MM-DD`, in the time zone of the viewer. */
  today: string
  /** First day of the week: 1 for Monday to 7 for Sunday. */
  firstWeekday: number
}
/** A period of days from `from` (inclusive) until `until` (exclusive), both `YYYY-MM-DD`. */
interface CalendarPeriod {
  from: string
  until: string
}
interface CalendarState extends CalendarPeriod {
  releases: readonly calls.Release[]
  /** Titles of the releases, by title id. */
  titles: ReadonlyMap<string, MediaCard>
  /** Date of the last release before the loaded days; null when there is none. */
  previous: string | null
  /** Date of the first release after the loaded days; null when there is none. */
  next: string | null
  isLoaded: boolean
  loading: boolean
  error: ApiError | null
  /** Values of `$watchlistVersion` and `$viewingsVersion` when the releases were requested. */
  version: string
}

const INITIAL_PAST_DAYS = 7
const INITIAL_UPCOMING_DAYS = 56
/** Number of days that the buttons "earlier" and "later" add. */
const DAYS_PER_EXTENSION = 28
const MAX_DAYS_PER_REQUEST = 186

/** Parses the filters from the query of the page. Invalid values become defaults. */
export function parseCalendarFilters(search: string): CalendarFilters {
  const query = new URLSearchParams(search)
  const [type, period, month] = [query.get('type'), query.get('period'), query.get('month') ?? '']
  return {
    view: query.get('view') === 'month' ? 'month' : 'agenda',
    type: type === 'movie' || type === 'tv' ? type : 'all',
    period: period === 'this_week' || period === 'next_week' ? period : 'all',
    month: /^(19|20)\d{2}-(0[1-9]|1[0-2])$/.test(month) ? month : '',
  }
}

/** Returns the query of the page URL for filters. Default values are omitted. */
export function formatCalendarFilters(filters: CalendarFilters): string {
  const activeFilterEntries = Object.entries(filters).filter(
    ([, value]) => value && value !== 'all' && value !== 'agenda',
  )
  return activeFilterEntries.length > 0 ? `?${new URLSearchParams(activeFilterEntries)}` : ''
}

/**
 * Returns the period that a view shows first. The agenda starts on the first day of a week. Its API request therefore
 * stays the same for a week, so that the cached reply can be used offline.
 */
export function getInitialPeriod(
  filters: CalendarFilters,
  { today, firstWeekday }: CalendarSettings,
): CalendarPeriod {
  if (filters.view === 'month') {
    const weeks = listWeeks(filters.month || today.slice(0, 7), firstWeekday)
    return { from: weeks[0]?.[0] ?? today, until: addDays(weeks.at(-1)?.[6] ?? today, 1) }
  }
  const weekStart = getWeekStart(today, firstWeekday)
  if (filters.period === 'this_week') return { from: weekStart, until: addDays(weekStart, 7) }
  if (filters.period === 'next_week') return { from: addDays(weekStart, 7), until: addDays(weekStart, 14) }
  return {
    from: addDays(weekStart, -INITIAL_PAST_DAYS),
    until: addDays(weekStart, INITIAL_UPCOMING_DAYS + 7),
  }
}

/**
 * Returns the month `YYYY-MM` that is `monthCount` months after the displayed month. A negative number returns an
 * earlier month.
 */
export const getShiftedMonth = (
  filters: CalendarFilters,
  { today }: CalendarSettings,
  monthCount: number,
): string => addMonths(filters.month || today.slice(0, 7), monthCount)

const createEmptyCalendar = (period: CalendarPeriod = { from: '', until: '' }): CalendarState => ({
  ...period,
  releases: [],
  titles: new Map(),
  previous: null,
  next: null,
  isLoaded: false,
  loading: false,
  error: null,
  version: '',
})

export const $calendarFilters = perProfile<CalendarFilters>(() => parseCalendarFilters(''))
export const $calendar = perProfile<CalendarState>(createEmptyCalendar)
/** Incremented by each request, so that the reply to an earlier request is ignored. */
const $requestNumber = perProfile<number>(() => 0)

const getCalendarVersion = () => `${$watchlistVersion.get()} ${$viewingsVersion.get()}`

/**
 * Shows the releases for the filters. Requests the releases, unless they are displayed and neither the watchlist nor
 * the history has changed.
 */
export function openCalendar(filters: CalendarFilters, settings: CalendarSettings): void {
  const previousFilters = $calendarFilters.get()
  $calendarFilters.set(filters)
  if (!$profile.get()) return
  const { isLoaded, version, ...shownCalendar } = $calendar.get()
  const period = getInitialPeriod(filters, settings)
  const isPeriodAlreadyShown =
    formatCalendarFilters(filters) === formatCalendarFilters(previousFilters) &&
    shownCalendar.from !== '' &&
    shownCalendar.from <= period.from &&
    period.until <= shownCalendar.until
  if (isPeriodAlreadyShown && isLoaded && version === getCalendarVersion()) return
  if (!isPeriodAlreadyShown) $calendar.set(createEmptyCalendar(period))
  void reloadCalendar()
}

function reloadAfterChange(): void {
  if ($calendar.get().isLoaded && $calendar.lc > 0) void reloadCalendar()
}
$watchlistVersion.listen(reloadAfterChange)
$viewingsVersion.listen(reloadAfterChange)

/** Reloads the whole displayed period. */
async function reloadCalendar(): Promise<void> {
  const { from, until } = $calendar.get()
  const version = getCalendarVersion()
  await loadPeriod({ from, until }, (reply) => ({ ...reply, from, version }))
}

/** Adds earlier days, so that the last release before the displayed days becomes visible. */
export async function loadEarlierReleases(): Promise<void> {
  const { previous, loading } = $calendar.get()
  if (previous === null || loading) return
  const from = addDays(previous, -DAYS_PER_EXTENSION + 1)
  const period = { from, until: addDays(previous, 1), isComplete: true }
  await extendPeriod(period, (reply) => ({
    releases: [...reply.releases, ...$calendar.get().releases],
    titles: new Map([...$calendar.get().titles, ...reply.titles]),
    previous: reply.previous,
    from,
  }))
}

/** Adds later days, starting with the next release after the displayed days. */
export async function loadLaterReleases(): Promise<void> {
  const { next, loading } = $calendar.get()
  if (next === null || loading) return
  await extendPeriod({ from: next, until: addDays(next, DAYS_PER_EXTENSION) }, (reply) => ({
    releases: [...$calendar.get().releases, ...reply.releases],
    titles: new Map([...$calendar.get().titles, ...reply.titles]),
    next: reply.next,
    until: reply.until,
  }))
}

/** Loads days before or after the displayed days. After a failure, the displayed days stay and a message appears. */
async function extendPeriod(...loadArguments: Parameters<typeof loadPeriod>): Promise<void> {
  await loadPeriod(...loadArguments)
  const { error, releases } = $calendar.get()
  if (error && releases.length > 0) showToast('errors:generic', { kind: 'bad' })
}

interface RequestedPeriod extends CalendarPeriod {
  /**
   * True if the result must contain every day of the period, because the days that follow the period are already
   * displayed.
   */
  isComplete?: boolean
}
type LoadedPeriod = Pick<CalendarState, 'releases' | 'titles' | 'previous' | 'next' | 'until'>

async function loadPeriod(
  period: RequestedPeriod,
  buildStateChange: (loadedPeriod: LoadedPeriod) => Partial<CalendarState>,
): Promise<void> {
  const requestNumber = $requestNumber.get() + 1
  $requestNumber.set(requestNumber)
  $calendar.set({ ...$calendar.get(), loading: true, error: null })
  try {
    const loadedPeriod = await requestPeriod(period)
    if (requestNumber !== $requestNumber.get()) return
    $calendar.set({ ...$calendar.get(), isLoaded: true, loading: false, ...buildStateChange(loadedPeriod) })
  } catch (error) {
    if (requestNumber === $requestNumber.get())
      $calendar.set({ ...$calendar.get(), loading: false, error: error as ApiError })
  }
}

/**
 * Requests a period in parts of at most MAX_DAYS_PER_REQUEST days. When a part has very many releases, the server
 * leaves out the last days of the part. The missing days are then requested for the month view and if `isComplete`
 * is true; otherwise, the agenda ends before these days.
 */
async function requestPeriod({ from, until, isComplete = false }: RequestedPeriod): Promise<LoadedPeriod> {
  const replies: ReleasesReply[] = []
  let loadedUntil = from
  while (loadedUntil < until) {
    const requestedUntil =
      countDays(loadedUntil, until) > MAX_DAYS_PER_REQUEST
        ? addDays(loadedUntil, MAX_DAYS_PER_REQUEST)
        : until
    const reply = await requestReleases({ from: loadedUntil, until: requestedUntil })
    replies.push(reply)
    const isShortened = reply.next !== null && reply.next < requestedUntil
    loadedUntil = isShortened ? (reply.next ?? requestedUntil) : requestedUntil
    if (isShortened && !isComplete && $calendarFilters.get().view === 'agenda') break
  }
  return {
    releases: replies.flatMap((reply) => reply.releases),
    titles: new Map(replies.flatMap((reply) => reply.titles.map((title) => [title.id, title] as const))),
    previous: replies[0]?.previous ?? null,
    next: replies.at(-1)?.next ?? null,
    until: loadedUntil,
  }
}

function requestReleases(period: CalendarPeriod): Promise<ReleasesReply> {
  const { type } = $calendarFilters.get()
  return callApi(calls.listReleases, {
    params: { id: $profile.get()?.profile_id ?? '' },
    query: { ...period, ...(type !== 'all' && { type }) },
  })
}
