/** Numbers, times and dates as people read them in the page's language. */
import { formatNumber, t } from './t.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/** `2 h 22 min`, from seconds. */
export function formatRuntime(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60))
  return minutes < 60
    ? t('common:runtimeMinutes', { minutes })
    : t('common:runtimeHours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 })
}

/** `1:02:03`, from seconds; left to right in every language. */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds || 0))
  const two = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}

/** Counts use K, M and B (Spec §9). */
export function formatCount(value: number): string {
  const steps: [number, string][] = [
    [1e9, 'B'],
    [1e6, 'M'],
    [1e3, 'K'],
  ]
  for (const [step, suffix] of steps) {
    if (value >= step)
      return `${(Math.floor((value / step) * 10) / 10).toString().replace(/\.0$/, '')}${suffix}`
  }
  return formatNumber(value)
}

/* Made once, when first needed: making one costs a slow device milliseconds. */
let dates: Intl.DateTimeFormat | undefined
const languages = new Map<string, Intl.DisplayNames>()

/** The short en-GB form of the specification: `20/11/2026`. */
export function formatDate(date: string): string {
  dates ??= new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC' })
  return dates.format(new Date(date))
}

/** Under 24 hours, hours ago; under 30 days, days ago; otherwise a date (Spec §9). */
export function formatAgo(instant: string, now = Date.now()): string {
  const past = Math.max(0, now - Date.parse(instant))
  if (past < HOUR_MS) return t('common:justNow')
  if (past < DAY_MS) return t('common:hoursAgo', { count: Math.floor(past / HOUR_MS) })
  if (past < 30 * DAY_MS) return t('common:daysAgo', { count: Math.floor(past / DAY_MS) })
  return formatDate(instant)
}

/** A language by its code, in the page's language, as it stands by itself: French writes it small within a sentence. */
export function languageName(code: string, locale: string): string {
  const names = languages.get(locale) ?? new Intl.DisplayNames([locale], { type: 'language' })
  languages.set(locale, names)
  const name = names.of(code) ?? code
  return name === code ? code : name.charAt(0).toLocaleUpperCase(locale) + name.slice(1)
}
