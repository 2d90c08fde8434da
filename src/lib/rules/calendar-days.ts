/**
 * Arithmetic with days (`YYYY-MM-DD`) and months (`YYYY-MM`). Days have no time zone, so their arithmetic uses UTC.
 */

const DAY_MS = 86_400_000
const DAYS_PER_WEEK = 7

/** Returns the day (`YYYY-MM-DD`) that `date` has in the time zone of the viewer. The default is today. */
export function formatLocalDay(date = new Date()): string {
  const padToTwoDigits = (number: number) => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${padToTwoDigits(date.getMonth() + 1)}-${padToTwoDigits(date.getDate())}`
}

/** Returns whether an instant, such as `2026-11-27T20:00:00Z`, is on the same local day as `now`. */
export const isOnCurrentLocalDay = (instant: string, now = new Date()): boolean =>
  formatLocalDay(new Date(instant)) === formatLocalDay(now)

export function addDays(day: string, dayCount: number): string {
  return new Date(Date.parse(day) + dayCount * DAY_MS).toISOString().slice(0, 10)
}

export function addMonths(month: string, monthCount: number): string {
  const [year = 0, monthNumber = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, monthNumber - 1 + monthCount, 1)).toISOString().slice(0, 7)
}

/** Returns the number of days from `fromDay` to `untilDay`. */
export const countDays = (fromDay: string, untilDay: string) =>
  (Date.parse(untilDay) - Date.parse(fromDay)) / DAY_MS

/** Returns the first day of the week that contains a day. `firstWeekday` is 1 for Monday to 7 for Sunday. */
export function getWeekStart(day: string, firstWeekday: number): string {
  const weekday = new Date(day).getUTCDay()
  return addDays(day, -((weekday - firstWeekday + 2 * DAYS_PER_WEEK) % DAYS_PER_WEEK))
}

/** Returns the complete weeks that contain the days of a month. They may include days of adjacent months. */
export function listWeeks(month: string, firstWeekday: number): string[][] {
  const weeks: string[][] = []
  const nextMonth = addMonths(month, 1)
  for (
    let weekStart = getWeekStart(`${month}-01`, firstWeekday);
    weekStart < `${nextMonth}-01`;
    weekStart = addDays(weekStart, DAYS_PER_WEEK)
  )
    weeks.push(Array.from({ length: DAYS_PER_WEEK }, (_, index) => addDays(weekStart, index)))
  return weeks
}

interface WeekInfo {
  firstDay: number
}
type LocaleWithWeeks = Intl.Locale & { getWeekInfo?: () => WeekInfo; weekInfo?: WeekInfo }

/**
 * Returns the weekday on which a week starts for the viewer, 1 for Monday to 7 for Sunday. The region comes from the
 * first preferred language of the browser that matches the language of the page. When the browser has no week data, a
 * week starts on Monday.
 */
export function getFirstWeekday(locale: string, preferredLanguages: readonly string[]): number {
  const preferredLanguage = preferredLanguages.find(
    (language) => new Intl.Locale(language).language === locale,
  )
  const localeWithWeeks: LocaleWithWeeks = new Intl.Locale(preferredLanguage ?? locale)
  return (localeWithWeeks.getWeekInfo?.() ?? localeWithWeeks.weekInfo)?.firstDay ?? 1
}
