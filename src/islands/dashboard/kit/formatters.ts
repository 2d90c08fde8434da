/** Formats sizes, durations and dates for administrators, in the language of the page with Western digits. */
import { formatLocalDate } from '../../../lib/i18n/format-instant.ts'
import { formatNumber, getCurrentLocale, t } from '../../../lib/i18n/t.ts'

const BYTE_UNITS = ['kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
const SECONDS_PER_MINUTE = 60
const SECONDS_PER_HOUR = 3_600
const SECONDS_PER_DAY = 86_400
const LARGE_TIME_UNITS = [
  ['day', SECONDS_PER_DAY],
  ['hour', SECONDS_PER_HOUR],
  ['minute', SECONDS_PER_MINUTE],
] as const

/**
 * Formats a size, such as `12.4 MB`. Units are decimal (1 MB = 1000 kB). The smallest unit is the kilobyte.
 * Arabic uses narrow units, because its short units mix abbreviations and whole words.
 */
export function formatBytes(bytes: number): string {
  const unitIndex = bytes < 1_000 ? 0 : Math.min(BYTE_UNITS.length - 1, Math.floor(Math.log10(bytes) / 3) - 1)
  const scaledSize = bytes / 1_000 ** (unitIndex + 1)
  return formatNumber(scaledSize, {
    style: 'unit',
    unit: BYTE_UNITS[unitIndex] ?? 'kilobyte',
    unitDisplay: getCurrentLocale() === 'ar' ? 'narrow' : 'short',
    maximumFractionDigits: scaledSize >= 100 ? 0 : 1,
  })
}

/** Formats a duration in its largest unit, rounded down: `3 days`, `2 hours`, `15 minutes`, `4 seconds`. */
export function formatDurationSeconds(seconds: number): string {
  const [unit, unitSeconds] = LARGE_TIME_UNITS.find(([, size]) => seconds >= size) ?? (['second', 1] as const)
  return formatNumber(Math.max(0, Math.floor(seconds / unitSeconds)), {
    style: 'unit',
    unit,
    unitDisplay: 'long',
  })
}

/** Formats the time from now until an instant, such as `in 6 days`. The shortest result is `in 1 minute`. */
export function formatTimeUntil(instant: string, nowMs = Date.now()): string {
  const seconds = Math.max(0, (Date.parse(instant) - nowMs) / 1_000)
  const relativeTimeFormat = new Intl.RelativeTimeFormat(`${getCurrentLocale()}-u-nu-latn`)
  if (seconds >= SECONDS_PER_DAY)
    return relativeTimeFormat.format(Math.round(seconds / SECONDS_PER_DAY), 'day')
  if (seconds >= SECONDS_PER_HOUR)
    return relativeTimeFormat.format(Math.round(seconds / SECONDS_PER_HOUR), 'hour')
  return relativeTimeFormat.format(Math.max(1, Math.round(seconds / SECONDS_PER_MINUTE)), 'minute')
}

/**
 * Formats the time since an instant, such as `5 minutes ago`. After 30 days, returns the date. The shortest
 * result is `now`.
 */
export function formatTimeSince(instant: string, nowMs = Date.now()): string {
  const seconds = Math.max(0, (nowMs - Date.parse(instant)) / 1_000)
  if (seconds >= 30 * SECONDS_PER_DAY) return formatLocalDate(instant)
  const relativeTimeFormat = new Intl.RelativeTimeFormat(`${getCurrentLocale()}-u-nu-latn`, {
    numeric: 'always',
  })
  if (seconds >= SECONDS_PER_DAY)
    return relativeTimeFormat.format(-Math.floor(seconds / SECONDS_PER_DAY), 'day')
  if (seconds >= SECONDS_PER_HOUR)
    return relativeTimeFormat.format(-Math.floor(seconds / SECONDS_PER_HOUR), 'hour')
  if (seconds >= SECONDS_PER_MINUTE)
    return relativeTimeFormat.format(-Math.floor(seconds / SECONDS_PER_MINUTE), 'minute')
  return t('common:justNow')
}

/** Formats an instant as `20/11/2026 14:05:09`, in the time zone of the browser. */
export function formatLocalDateTime(instant: string): string {
  const date = new Date(instant)
  const padToTwoDigits = (number: number) => String(number).padStart(2, '0')
  const datePart = `${padToTwoDigits(date.getDate())}/${padToTwoDigits(date.getMonth() + 1)}/${date.getFullYear()}`
  return `${datePart} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(padToTwoDigits).join(':')}`
}

/** Formats a fraction between 0 and 1 as a percentage, such as `42%`. */
export const formatPercent = (fraction: number) =>
  formatNumber(fraction, { style: 'percent', maximumFractionDigits: 0 })
