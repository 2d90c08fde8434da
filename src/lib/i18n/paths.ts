import { LOCALES } from './locales.ts'

/** Parameters for `getStaticPaths`: one page per locale, English at the root and the others below their code. */
export function getLocalePaths() {
  return LOCALES.map((locale) => ({ params: { locale: locale === 'en' ? undefined : locale } }))
}
