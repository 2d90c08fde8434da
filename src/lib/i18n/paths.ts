import { FALLBACK_LOCALE, LOCALES } from './locales.ts'

/**
 * Returns the parameters for `getStaticPaths`: one page per locale. The page of the fallback locale is at the root. The
 * page of any other locale is in the folder with the code of that locale.
 */
export function getLocalePaths() {
  return LOCALES.map((locale) => ({ params: { locale: locale === FALLBACK_LOCALE ? undefined : locale } }))
}
