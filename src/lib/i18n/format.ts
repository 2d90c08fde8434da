/** Formats numbers, times and dates in the language of the page. For points in time, see format-instant.ts. */
import { formatNumber, formatOneDecimal, getCurrentLocale, t } from './t.ts'

/** Formats a runtime in seconds as `59 min`, `2 h`, `2 h 05 min` or `2 h 22 min`; at least one minute. */
export function formatRuntime(seconds: number): string {
  const wholeMinutes = Math.max(1, Math.round(seconds / 60))
  const [hours, minutes] = [Math.floor(wholeMinutes / 60), wholeMinutes % 60]
  if (hours === 0) return t('common:runtimeMinutes', { minutes })
  return minutes === 0
    ? t('common:runtimeFullHours', { hours })
    : t('common:runtimeHours', { hours, minutes: String(minutes).padStart(2, '0') })
}

/** Formats a remaining time in minutes as `1 h 36 min left`. */
export function formatTimeLeft(minutes: number): string {
  return t('common:timeLeft', { time: formatRuntime(minutes * 60) })
}

/** Formats a rating of 0 to 10 with one decimal: `8.2`, in French `8,2`. */
export const formatRating = formatOneDecimal

/** Formats a number of seconds as `1:02:03` or `2:03`, like the style `digital` of `Intl.DurationFormat`. */
export function formatDigitalDuration(seconds: number): string {
  const wholeSeconds = Math.max(0, Math.floor(seconds || 0))
  const padToTwoDigits = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(wholeSeconds / 3600), Math.floor(wholeSeconds / 60) % 60]
  return hours > 0
    ? `${hours}:${padToTwoDigits(minutes)}:${padToTwoDigits(wholeSeconds % 60)}`
    : `${minutes}:${padToTwoDigits(wholeSeconds % 60)}`
}

/** Abbreviates a count of 1,000 or more with K, M or B, or in French with k, M or Md. Rounds down to one decimal. */
export function formatCount(count: number): string {
  const [billionSuffix, millionSuffix, thousandSuffix] =
    getCurrentLocale() === 'fr' ? ['\u00a0Md', '\u00a0M', '\u00a0k'] : ['B', 'M', 'K']
  const abbreviationUnits: [number, string | undefined][] = [
    [1e9, billionSuffix],
    [1e6, millionSuffix],
    [1e3, thousandSuffix],
  ]
  for (const [unitSize, suffix] of abbreviationUnits) {
    if (count >= unitSize) return `${formatNumber(Math.floor((count / unitSize) * 10) / 10)}${suffix}`
  }
  return formatNumber(count)
}

/** Returns the age rating as displayed. Only the rating without a minimum age is translated. */
export function formatAgeRating(ageRating: string): string {
  return ageRating === 'All' ? t('common:allAges') : ageRating
}

/** Returns the video quality as displayed: `4K` for 2160p, otherwise the height such as `1080p`. */
export function formatQuality(quality: string): string {
  return quality === '2160p' ? t('common:uhd') : quality
}

// Formats are created on first use, because the constructors take milliseconds on a slow device.
const displayNamesByLocale = new Map<string, Intl.DisplayNames>()

/** Formats a date (`YYYY-MM-DD`, with or without a time) as `20/11/2026`, the short en-GB form in every language. */
export const formatDate = (date: string): string => date.slice(0, 10).split('-').reverse().join('/')

/**
 * Returns the name of a language in `locale`, capitalised for use on its own (French writes language names in lower
 * case). Returns the code if the language is not known.
 */
export function getLanguageName(languageCode: string, locale: string): string {
  const displayNames =
    displayNamesByLocale.get(locale) ?? new Intl.DisplayNames([locale], { type: 'language' })
  displayNamesByLocale.set(locale, displayNames)
  const languageName = displayNames.of(languageCode) ?? languageCode
  return languageName === languageCode ? languageCode : capitalise(languageName, locale)
}

export const capitalise = (text: string, locale: string): string =>
  text.charAt(0).toLocaleUpperCase(locale) + text.slice(1)
