import { getCurrentLocale } from './t.ts'

const timeFormatsByLocale = new Map<string, Intl.DateTimeFormat>()

/**
 * Formats minutes since midnight as a clock time, such as `21:30`, in the format of the locale and with Western digits.
 */
export function formatClockTime(minuteOfDay: number): string {
  const locale = getCurrentLocale()
  const timeFormat =
    timeFormatsByLocale.get(locale) ??
    new Intl.DateTimeFormat(`${locale === 'en' ? 'en-GB' : locale}-u-nu-latn`, {
      hour: '2-digit',
      minute: '2-digit',
      timeZone: 'UTC',
    })
  timeFormatsByLocale.set(locale, timeFormat)
  // In Arabic, a space separates the time from the letter for morning or afternoon. A no-break space keeps the time
  // and the letter on the same line.
  return timeFormat.format(minuteOfDay * 60_000).replace(' ', '\u00a0')
}
