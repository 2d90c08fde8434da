/** Watch next: the items that end within the time that the viewer has, and their order. */
import { getMinutesUntil, parseClockTime } from './end-by.ts'

/** Time limits that the page offers, in minutes. */
export const TIME_CHOICES_MINUTES = [30, 60, 90, 120]
const MAX_TIME_LIMIT_MINUTES = 1_440

export const WATCH_NEXT_ORDERS = ['suggested', 'shortest', 'longest'] as const
type WatchNextOrder = (typeof WATCH_NEXT_ORDERS)[number]

export interface WatchNextFilters {
  /** Time limit in minutes; null for none. At most one of `minutes` and `endBy` is set. */
  minutes: number | null
  /** Clock time such as `22:30`; empty when no end time is set. */
  endBy: string
  order: WatchNextOrder
}

/** Parses the filters from the query of the page. Invalid values become defaults. */
export function parseWatchNextFilters(search: string): WatchNextFilters {
  const query = new URLSearchParams(search)
  const minutes = Number(query.get('minutes'))
  const endBy = query.get('end-by')
  const hasValidMinutes = Number.isInteger(minutes) && minutes > 0 && minutes <= MAX_TIME_LIMIT_MINUTES
  return {
    minutes: hasValidMinutes ? minutes : null,
    endBy: !hasValidMinutes && endBy !== null && parseClockTime(endBy) !== null ? endBy : '',
    order: WATCH_NEXT_ORDERS.find((order) => order === query.get('order')) ?? 'suggested',
  }
}

/** Returns the query of the page for filters, without default values. */
export function formatWatchNextFilters({ minutes, endBy, order }: WatchNextFilters): string {
  const query = new URLSearchParams()
  if (minutes !== null) query.set('minutes', String(minutes))
  if (endBy) query.set('end-by', endBy)
  if (order !== 'suggested') query.set('order', order)
  return query.size > 0 ? `?${query}` : ''
}

interface WatchNextTimes {
  /** Minutes since midnight. */
  nowMinute: number
  /** Viewing time in seconds that remains today; null without a limit. */
  remainingViewingSeconds: number | null
}

/**
 * Returns the longest time in seconds that an item may take; null when the viewer has chosen no limit. The remaining
 * viewing time reduces a chosen limit. Without a chosen limit, the page shows all items and marks those that are longer
 * than the remaining viewing time.
 */
export function getLimitSeconds(
  { minutes, endBy }: WatchNextFilters,
  { nowMinute, remainingViewingSeconds }: WatchNextTimes,
): number | null {
  const endMinute = parseClockTime(endBy)
  const limitMinutes = endMinute === null ? minutes : getMinutesUntil(endMinute, nowMinute)
  if (limitMinutes === null) return null
  return Math.min(limitMinutes * 60, remainingViewingSeconds ?? Number.POSITIVE_INFINITY)
}

/**
 * Returns the time limits to offer, in minutes. Limits above the remaining viewing time are left out. In that case, the
 * remaining viewing time is offered as the longest limit, unless it is less than a minute.
 */
export function listTimeChoices(remainingViewingSeconds: number | null): number[] {
  if (remainingViewingSeconds === null) return TIME_CHOICES_MINUTES
  const minutesLeft = Math.floor(remainingViewingSeconds / 60)
  const shorterChoicesMinutes = TIME_CHOICES_MINUTES.filter((minutes) => minutes < minutesLeft)
  const isBelowLongestChoice = minutesLeft <= (TIME_CHOICES_MINUTES.at(-1) ?? 0)
  return isBelowLongestChoice && minutesLeft > 0
    ? [...shorterChoicesMinutes, minutesLeft]
    : shorterChoicesMinutes
}

interface TimedItem {
  kind: string
  remaining_seconds: number | null
  available?: boolean | undefined
}
export interface WatchNextSection<Item extends TimedItem> {
  /** Null for one section that contains all kinds, ordered by time. */
  kind: Item['kind'] | null
  items: Item[]
}

/**
 * Returns the items that fit the time limit: in one section for each kind, or in one section ordered by time. Items
 * that cannot be played here come last in their section. With a limit, items of unknown length are left out and
 * counted. `shortestSeconds` is the shortest known time of all items, including those above the limit.
 */
export function arrangeWatchNext<Item extends TimedItem>(
  items: readonly Item[],
  { limitSeconds, order }: { limitSeconds: number | null; order: WatchNextOrder },
): { sections: WatchNextSection<Item>[]; unknownLengthCount: number; shortestSeconds: number | null } {
  const fittingItems = items.filter(
    ({ remaining_seconds: remainingSeconds }) =>
      limitSeconds === null || (remainingSeconds !== null && remainingSeconds <= limitSeconds),
  )
  const knownRemainingSeconds = items.flatMap(({ remaining_seconds: seconds }) => seconds ?? [])
  const sections: WatchNextSection<Item>[] =
    order === 'suggested'
      ? [...Map.groupBy(fittingItems, (item): Item['kind'] => item.kind)].map(([kind, kindItems]) => ({
          kind,
          items: kindItems,
        }))
      : [{ kind: null, items: sortByTime(fittingItems, order) }]
  return {
    sections: sections
      .filter((section) => section.items.length > 0)
      .map((section) => ({ ...section, items: section.items.toSorted(comparePlayability) })),
    unknownLengthCount: limitSeconds === null ? 0 : items.length - knownRemainingSeconds.length,
    shortestSeconds: knownRemainingSeconds.length > 0 ? Math.min(...knownRemainingSeconds) : null,
  }
}

const comparePlayability = (a: TimedItem, b: TimedItem) =>
  Number(a.available === false) - Number(b.available === false)

/** Sorts items by remaining time. Items of unknown length are last. */
function sortByTime<Item extends TimedItem>(items: readonly Item[], order: 'shortest' | 'longest'): Item[] {
  const direction = order === 'shortest' ? 1 : -1
  return items.toSorted((a, b) => {
    if (a.remaining_seconds === null || b.remaining_seconds === null)
      return Number(a.remaining_seconds === null) - Number(b.remaining_seconds === null)
    return direction * (a.remaining_seconds - b.remaining_seconds)
  })
}
