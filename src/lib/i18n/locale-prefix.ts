/**
 * The locale in a path. Paths of the fallback locale have no prefix; other paths start with the code of their locale.
 */
import { FALLBACK_LOCALE, LOCALES, type Locale } from './locales.ts'

/** Returns the first part of the path: empty, or `/fr`. */
export const getLocalePrefix = (locale: Locale) => (locale === FALLBACK_LOCALE ? '' : `/${locale}`)

/** Splits a path into locale and path without locale: `/fr/movies/` into `fr` and `/movies/`. */
export function splitLocale(pathname: string): { locale: Locale; path: string } {
  const prefixLocale = LOCALES.find(
    (locale) =>
      locale !== FALLBACK_LOCALE &&
      pathname.startsWith(`/${locale}`) &&
      /^([/?#]|$)/.test(pathname.slice(locale.length + 1)),
  )
  if (!prefixLocale) return { locale: FALLBACK_LOCALE, path: pathname }
  const unprefixedPath = pathname.slice(prefixLocale.length + 1)
  return {
    locale: prefixLocale,
    path: unprefixedPath.startsWith('/') ? unprefixedPath : `/${unprefixedPath}`,
  }
}

/**
 * Returns the path of the same page in another locale, with its query. The result is always a path on this site:
 * browsers read `//host`, `/\host` and `/<TAB>/host` as another host, so leading separators are replaced with one `/`.
 */
export function localisePath(path: string, locale: Locale): string {
  const localPath = splitLocale(path).path.replace(LEADING_SEPARATORS, '/')
  return `${getLocalePrefix(locale)}${localPath}`
}
// Browsers remove tabs and line breaks from a URL, and treat a backslash as a slash. To be safe, the pattern matches
// all control characters and white space.
const LEADING_SEPARATORS = /^[/\\\s\p{Cc}]*/u
