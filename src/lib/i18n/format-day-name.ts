import { capitalise } from './format.ts'
import { getCurrentLocale } from './t.ts'

/**
 * Formats the weekday, month or year of a day (`YYYY-MM-DD`) in the language of the page. The result is capitalised for
 * use on its own, because French writes weekdays and months in lower case.
 */
export function formatDayName(day: string, options: Intl.DateTimeFormatOptions): string {
  const locale = getCurrentLocale()
  const name = new Intl.DateTimeFormat(`${locale}-u-nu-latn-ca-gregory`, {
    ...options,
    timeZone: 'UTC',
  }).format(new Date(day))
  return capitalise(name, locale)
}
