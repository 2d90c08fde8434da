/** Formats the days of the calendar in the language of the page. */
import { formatDate } from '../../lib/i18n/format.ts'
import { formatDayName } from '../../lib/i18n/format-day-name.ts'
import type { TranslationKey } from '../../lib/i18n/keys.ts'
import { getCurrentLocale, t } from '../../lib/i18n/t.ts'
import { addDays, getFirstWeekday } from '../../lib/rules/calendar-days.ts'
import type { CalendarSettings } from '../../lib/stores/calendar.ts'

export const getCalendarSettings = (today: string): CalendarSettings => ({
  today,
  firstWeekday: getFirstWeekday(getCurrentLocale(), navigator.languages),
})

const RELATIVE_DAYS: readonly [offsetDays: number, key: TranslationKey][] = [
  [-1, 'calendar:yesterday'],
  [0, 'calendar:today'],
  [1, 'calendar:tomorrow'],
]

export const formatWeekday = (day: string, style: 'long' | 'short' | 'narrow') =>
  formatDayName(day, { weekday: style })

/** Formats a month, `YYYY-MM`, as `November 2026`. */
export const formatMonth = (month: string) => formatDayName(`${month}-01`, { month: 'long', year: 'numeric' })

/** Formats a day with its weekday, as `Tuesday 24/11/2026`. */
export const formatWeekdayAndDate = (day: string) => `${formatWeekday(day, 'long')} ${formatDate(day)}`

/** Returns the word for yesterday, today and tomorrow; undefined for other days. */
export function formatRelativeDay(day: string, today: string): string | undefined {
  const relativeDay = RELATIVE_DAYS.find(([offsetDays]) => addDays(today, offsetDays) === day)
  return relativeDay && t(relativeDay[1])
}
