/**
 * Detects the language of the visitor: query, cookie, local storage, session storage, browser, in this order.
 * A locale in the path is an explicit choice, which only the query overrides.
 */
import { localisePath } from '../../lib/i18n/locale-prefix.ts'
import { FALLBACK_LOCALE, isLocale, type Locale } from '../../lib/i18n/locales.ts'
import { readStorage } from '../../lib/storage.ts'
import { LOCALE_COOKIE, LOCALE_KEY } from '../../lib/storage-keys.ts'

const LOCALE_PARAMETER = 'lng'

export const getPageLocale = () => document.documentElement.lang as Locale

export function detectLocale(): Locale {
  const query = new URLSearchParams(location.search)
  const pageLocale = getPageLocale()
  const preferredLocales = [query.get(LOCALE_PARAMETER)]
  if (pageLocale === FALLBACK_LOCALE)
    preferredLocales.push(
      new RegExp(`(?:^|; )${LOCALE_COOKIE}=(\\w+)`).exec(document.cookie)?.[1] ?? null,
      readStorage('localStorage', LOCALE_KEY),
      readStorage('sessionStorage', LOCALE_KEY),
      ...navigator.languages.map((language) => language.replace(/-.*/, '')),
    )
  return preferredLocales.find(isLocale) ?? pageLocale
}

/** Opens the same page in `locale`. Returns false if this page is already open. */
export function redirectToLocale(locale: Locale): boolean {
  const query = new URLSearchParams(location.search)
  query.delete(LOCALE_PARAMETER)
  const queryString = query.size > 0 ? `?${query}` : ''
  const targetUrl = localisePath(location.pathname, locale) + queryString + location.hash
  // The target can be the current URL, for example when a host responds to /fr/nowhere with the English not-found page.
  // Without this check, that page would reload forever.
  if (targetUrl === location.pathname + location.search + location.hash) return false
  location.replace(targetUrl)
  return true
}
