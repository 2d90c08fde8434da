/** Groups viewings by day and lists the months of the filter. */
import { formatLocalDay } from '../../lib/rules/calendar-days.ts'
import type { HistoryViewing } from '../../lib/stores/history-page.ts'
import { formatMonth } from '../calendar/format-day.ts'

/**
 * Returns the day of a viewing as `YYYY-MM-DD`; empty if it is unknown. A day without a time is returned as
 * it was entered. A time is converted to the time zone of the browser.
 */
export function getViewingDay({ watched_at, date_only }: HistoryViewing): string {
  if (!watched_at) return ''
  return date_only ? watched_at.slice(0, 10) : formatLocalDay(new Date(watched_at))
}

/** Groups viewings by day. The days, and the viewings of a day, keep the order of `viewings`. */
export function groupByDay(
  viewings: readonly HistoryViewing[],
): { day: string; viewings: HistoryViewing[] }[] {
  return [...Map.groupBy(viewings, getViewingDay)].map(([day, dayViewings]) => ({
    day,
    viewings: dayViewings,
  }))
}

/**
 * Returns options for the months from the current one back to that of the oldest viewing. The selected month
 * is always included, unless it is `all`.
 */
export function listMonths(
  oldestWatchedAt: string | null,
  selectedMonth: string,
): { value: string; label: string }[] {
  const now = new Date()
  // The local day of a viewing counts if its time is known, and its UTC day if only its date is known. This function
  // does not know whether `oldestWatchedAt` is a time or only a date. The list therefore goes back to the earlier of
  // the two months.
  const possibleOldestDays = oldestWatchedAt
    ? [oldestWatchedAt, formatLocalDay(new Date(oldestWatchedAt))]
    : []
  const oldestMonth =
    [...possibleOldestDays, formatLocalDay(now)].map((day) => day.slice(0, 7)).sort()[0] ?? ''
  const months: string[] = []
  for (let monthsBack = 0; ; monthsBack += 1) {
    const month = formatLocalDay(new Date(now.getFullYear(), now.getMonth() - monthsBack, 1)).slice(0, 7)
    if (month < oldestMonth) break
    months.push(month)
  }
  if (selectedMonth !== 'all' && !months.includes(selectedMonth)) months.push(selectedMonth)
  return months.map((month) => ({ value: month, label: formatMonth(month) }))
}
