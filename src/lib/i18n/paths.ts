import { LOCALES } from './locales.ts'

/** Every page once per locale: English at the root, the others under their code. */
export function localePaths() {
  return LOCALES.map((locale) => ({ params: { locale: locale === 'en' ? undefined : locale } }))
}
