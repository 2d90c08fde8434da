import { FALLBACK_LOCALE, LOCALES } from './locales.ts'

/**
 * Returns the parameters for `getStaticPaths`: one page per locale. The fallback locale is at the root, others are below
 * their code.
 */
export function getLocalePaths() {
  return LOCALES.map((locale) => ({ params: { locale: locale === FALLBACK_LOCALE ? undefined : locale } }))
}
