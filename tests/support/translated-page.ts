import { readPageTexts } from '../../src/layouts/page-texts.ts'
import type { TranslationNamespace } from '../../src/lib/i18n/keys.ts'
import type { Locale } from '../../src/lib/i18n/locales.ts'

/** Simulates a page as Shell.astro renders it, with the real translations. */
export function openTranslatedPage(locale: Locale, namespaces: readonly TranslationNamespace[]): void {
  const textsElement = { textContent: JSON.stringify(readPageTexts(locale, namespaces)) }
  Object.assign(globalThis, {
    document: { documentElement: { lang: locale }, getElementById: () => textsElement },
  })
}
