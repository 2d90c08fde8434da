import { FALLBACK_LOCALE, LOCALES } from './locales.ts'

/** Parameters for `getStaticPaths`: one page per locale, the fallback locale at the root and the others below their code. */
export function getLocalePaths() {
  return LOCALES.map((locale) => ({ params: { locale: locale === FALLBACK_LOCALE ? undefined : locale } }))
}
