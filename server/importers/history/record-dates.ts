/**
 * Converts date formats that only programs write, such as Unix times, to ISO 8601. This happens before the order of
 * day, month and year is inferred from the other dates.
 */
import { formatHistoryTime } from './date-order.ts'
import { isPlaceholderDateText } from './machine-date.ts'

const MAX_DATE_LENGTH = 100
const MIN_UNIX_SECONDS = 315_532_800

/**
 * Returns a text with a date that a `DateParser` can read: Unix times and `20190131` become ISO 8601. Returns an empty
 * text for a date without a day (`2014-05-00`), and for a text that is no date, such as `yes`.
 */
export function toParsableDate(text: string): string {
  if (text.length > MAX_DATE_LENGTH) return ''
  if (/^\d{10}$/.test(text)) return toIsoTime(Number(text))
  if (/^\d{13}$/.test(text)) return toIsoTime(Number(text) / 1_000)
  if (/^\d{16}$/.test(text)) return toIsoTime(Number(text) / 1_000_000)
  const compactDateMatch = /^((?:19|20)\d\d)(\d\d)(\d\d)$/.exec(text)
  if (compactDateMatch) return `${compactDateMatch[1]}-${compactDateMatch[2]}-${compactDateMatch[3]}`
  // A date without a day is unusable. A number such as 0.5 is not a date: Tautulli writes 0.5 in place of a date if
  // half of a title was watched.
  if (/^\d{4}-(?:00-|\d\d-00)|^\d+[.,]\d+$/.test(text)) return ''
  return /\p{Nd}\D+\p{Nd}/u.test(text) ? text : ''
}

const toIsoTime = (seconds: number) =>
  seconds >= MIN_UNIX_SECONDS ? (formatHistoryTime(Math.floor(seconds) * 1_000) ?? '') : ''

/**
 * True for a text with a digit, which counts as a date of any form, such as `24 août 2022` or `2019`. False for a text
 * without digits, and for dates that stand for "never", such as `0000-00-00`.
 */
export const isDateText = (text: string): boolean =>
  /\p{Nd}/u.test(text) && !/^[0:/. T-]*$/.test(text) && !isPlaceholderDateText(text)
