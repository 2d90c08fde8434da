/** Formats numbers, times and dates in the language of the page. */
import { formatNumber, t } from './t.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/** Formats a runtime in seconds as `2 h 22 min`; at least one minute. */
export function formatRuntime(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60))
  return minutes < 60
    ? t('common:runtimeMinutes', { minutes })
    : t('common:runtimeHours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 })
}

/** Formats a position in seconds as `1:02:03` or `2:03`. */
export function formatClock(seconds: number): string {
  const wholeSeconds = Math.max(0, Math.floor(seconds || 0))
  const formatTwoDigits = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(wholeSeconds / 3600), Math.floor(wholeSeconds / 60) % 60]
  return hours > 0
    ? `${hours}:${formatTwoDigits(minutes)}:${formatTwoDigits(wholeSeconds % 60)}`
    : `${minutes}:${formatTwoDigits(wholeSeconds % 60)}`
}

/** Abbreviates a count with K, M or B (Spec §9), rounded down to one decimal. */
export function formatCount(value: number): string {
  const units: [number, string][] = [
    [1e9, 'B'],
    [1e6, 'M'],
    [1e3, 'K'],
  ]
  for (const [unit, suffix] of units) {
    if (value >= unit)
      return `${(Math.floor((value / unit) * 10) / 10).toString().replace(/\.0$/, '')}${suffix}`
  }
  return formatNumber(value)
}

// Created on first use, because the constructors take milliseconds on a slow device.
let dateFormat: Intl.DateTimeFormat | undefined
const displayNamesByLocale = new Map<string, Intl.DisplayNames>()

/** Formats a date as `20/11/2026`, the short en-GB form that Spec §9 requires in every language. */
export function formatDate(date: string): string {
  dateFormat ??= new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC' })
  return dateFormat.format(new Date(date))
}

/**
 * Formats a past time: hours ago below 24 hours, days ago below 30 days, otherwise the date (Spec §9). `nowMs` is in
 * milliseconds.
 */
export function formatRelativeTime(instant: string, nowMs = Date.now()): string {
  const elapsedMs = Math.max(0, nowMs - Date.parse(instant))
  if (elapsedMs < HOUR_MS) return t('common:justNow')
  if (elapsedMs < DAY_MS) return t('common:hoursAgo', { count: Math.floor(elapsedMs / HOUR_MS) })
  if (elapsedMs < 30 * DAY_MS) return t('common:daysAgo', { count: Math.floor(elapsedMs / DAY_MS) })
  return formatDate(instant)
}

/**
 * Returns the name of a language in `locale`, capitalised for use on its own (French writes language names in lower
 * case).
 */
export function getLanguageName(code: string, locale: string): string {
  const displayNames =
    displayNamesByLocale.get(locale) ?? new Intl.DisplayNames([locale], { type: 'language' })
  displayNamesByLocale.set(locale, displayNames)
  const name = displayNames.of(code) ?? code
  return name === code ? code : name.charAt(0).toLocaleUpperCase(locale) + name.slice(1)
}
