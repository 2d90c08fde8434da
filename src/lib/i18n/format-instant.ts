/** Formats points in time (ISO 8601) in the language of the page and the time zone of the viewer. */
import { capitalise } from './format.ts'
import { getCurrentLocale, t } from './t.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

// The format is created on first use, because the constructor takes milliseconds on a slow device.
let localDateFormat: Intl.DateTimeFormat | undefined

/** Formats the local day of an instant as `20/11/2026`, the form of `formatDate`. */
export function formatLocalDate(instant: string): string {
  localDateFormat ??= new Intl.DateTimeFormat('en-GB')
  return localDateFormat.format(new Date(instant))
}

/**
 * Formats a past time: "just now" below one hour, hours ago below 24 hours, days ago below 30 days, and
 * otherwise the date. `nowMs` is in milliseconds since 1970.
 */
export function formatRelativeTime(instant: string, nowMs = Date.now()): string {
  const elapsedMs = Math.max(0, nowMs - Date.parse(instant))
  if (elapsedMs < HOUR_MS) return t('common:justNow')
  if (elapsedMs < DAY_MS) return t('common:hoursAgo', { count: Math.floor(elapsedMs / HOUR_MS) })
  if (elapsedMs < 30 * DAY_MS) return t('common:daysAgo', { count: Math.floor(elapsedMs / DAY_MS) })
  return formatLocalDate(instant)
}

/** Formats a relative time for use on its own, such as the French `Il y a 3 heures`. */
export const formatStandaloneTime = (relativeTime: string) => capitalise(relativeTime, getCurrentLocale())
