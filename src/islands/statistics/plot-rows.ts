/** Rows of the plots. Each has a label in the language of the page, and values. */

import { formatRuntime, getLanguageName } from '../../lib/i18n/format.ts'
import { formatDayName } from '../../lib/i18n/format-day-name.ts'
import { formatNumber, getCurrentLocale, t, translateDynamicKey } from '../../lib/i18n/t.ts'
import { addDays } from '../../lib/rules/calendar-days.ts'
import { GENRE_NAMES_BY_ID } from '../../lib/rules/genres.ts'
import type { Statistics } from '../../lib/stores/statistics.ts'

export interface PlotRow {
  key: string
  label: string
  viewings: number
  minutes: number
}

const MAX_ROW_COUNT = 10

/** Formats minutes as hours, with one decimal below ten hours. */
export const formatHours = (minutes: number) =>
  formatNumber(minutes / 60, { maximumFractionDigits: minutes < 600 ? 1 : 0 })

/** Formats watched minutes like a runtime. Unlike a runtime, they can be zero, as in a month without a viewing. */
export const formatWatchedTime = (minutes: number) =>
  minutes === 0 ? t('common:runtimeMinutes', { minutes }) : formatRuntime(minutes * 60)

/** A Monday. This day and the six days after it provide the names of the weekdays. */
const REFERENCE_MONDAY = '2024-01-01'

export function listGenreRows({ genres }: Statistics): PlotRow[] {
  return genres.slice(0, MAX_ROW_COUNT).map(({ id, ...totals }) => ({
    key: String(id),
    label: translateDynamicKey(`genres:${id}`, GENRE_NAMES_BY_ID[id] ?? String(id)),
    ...totals,
  }))
}

/** Returns the decades in chronological order. */
export function listDecadeRows({ decades }: Statistics): PlotRow[] {
  return decades
    .toSorted((a, b) => a.decade - b.decade)
    .map(({ decade, ...totals }) => ({
      key: String(decade),
      label: t('statistics:decade', { decade: String(decade) }),
      ...totals,
    }))
}

export function listLanguageRows({ languages }: Statistics): PlotRow[] {
  return languages.slice(0, MAX_ROW_COUNT).map(({ code, ...totals }) => ({
    key: code,
    label: getLanguageName(code, getCurrentLocale()),
    ...totals,
  }))
}

export function listWeekdayRows({ weekdays }: Statistics): PlotRow[] {
  return weekdays.map((totals, weekday) => ({
    key: String(weekday),
    label: formatDayName(addDays(REFERENCE_MONDAY, weekday), { weekday: 'long' }),
    ...totals,
  }))
}

/** Returns one row for each month of the year. For all time (`year` is null), returns one row for each year. */
export function listPeriodRows({ months }: Statistics, year: number | null): PlotRow[] {
  if (year !== null)
    return Array.from({ length: 12 }, (_, index) => {
      const monthKey = `${year}-${String(index + 1).padStart(2, '0')}`
      const monthTotals = months.find(({ month }) => month === monthKey)
      return {
        key: monthKey,
        label: formatDayName(`${monthKey}-01`, { month: 'long' }),
        viewings: monthTotals?.viewings ?? 0,
        minutes: monthTotals?.minutes ?? 0,
      }
    })
  const monthsByYear = Map.groupBy(months, ({ month }) => month.slice(0, 4))
  return [...monthsByYear].map(([yearKey, yearMonths]) => ({
    key: yearKey,
    label: yearKey,
    viewings: yearMonths.reduce((sum, { viewings }) => sum + viewings, 0),
    minutes: yearMonths.reduce((sum, { minutes }) => sum + minutes, 0),
  }))
}
