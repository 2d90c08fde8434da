/** Groups viewings by day and lists the months of the filter. */
import { getCurrentLocale } from '../../lib/i18n/t.ts'
import { formatLocalDay } from '../../lib/rules/calendar-days.ts'
import type { HistoryViewing } from '../../lib/stores/history-page.ts'

/**
 * Returns the day of a viewing as `YYYY-MM-DD`; empty if it is unknown. A day without a time is returned as
 * it was entered. A time is converted to the time zone of the browser.
 */
export function getViewingDay({ watched_at, date_only }: HistoryViewing): string {
  if (!watched_at) return ''
  return date_only ? watched_at.slice(0, 10) : formatLocalDay(new Date(watched_at))
}

/** Groups viewings by day. The viewings must be ordered by time. */
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
  // If the time of the oldest viewing is known, its local day counts. If only its date is known, its UTC day counts.
  // This function does not know which is the case, so the list goes back to the earlier of the two months.
  const oldestDays = oldestWatchedAt ? [oldestWatchedAt, formatLocalDay(new Date(oldestWatchedAt))] : []
  const oldestMonth = [...oldestDays, formatLocalDay(now)].map((day) => day.slice(0, 7)).sort()[0] ?? ''
  const monthFormat = new Intl.DateTimeFormat(`${getCurrentLocale()}-u-nu-latn-ca-gregory`, {
    month: 'long',
    year: 'numeric',
  })
  const monthOptions: { value: string; label: string }[] = []
  for (let monthsBack = 0; ; monthsBack += 1) {
    const date = new Date(now.getFullYear(), now.getMonth() - monthsBack, 1)
    const monthValue = formatLocalDay(date).slice(0, 7)
    if (monthValue < oldestMonth) break
    monthOptions.push({ value: monthValue, label: monthFormat.format(date) })
  }
  if (selectedMonth !== 'all' && !monthOptions.some(({ value }) => value === selectedMonth)) {
    const [year = 0, month = 1] = selectedMonth.split('-').map(Number)
    monthOptions.push({ value: selectedMonth, label: monthFormat.format(new Date(year, month - 1, 1)) })
  }
  return monthOptions
}
