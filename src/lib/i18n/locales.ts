/** The languages of the interface. src/i18n/README.md describes how to add a language. */

/** ISO 639-1 codes. Except for the fallback locale, the code is also the first part of the path. */
export const LOCALES = ['en', 'fr', 'ar'] as const
export type Locale = (typeof LOCALES)[number]
/** The locale of paths without a prefix. Texts that are missing in another locale are shown in this locale. */
export const FALLBACK_LOCALE: Locale = 'en'
/** The name of each language in that language. */
export const LOCALE_NAMES: Readonly<Record<Locale, string>> = { en: 'English', fr: 'Français', ar: 'العربية' }
/** Languages that are written from right to left. */
const RIGHT_TO_LEFT_LOCALES: readonly string[] = ['ar'] satisfies Locale[]

export const isLocale = (value: unknown): value is Locale => LOCALES.some((locale) => locale === value)
export const getTextDirection = (locale: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT_LOCALES.includes(locale) ? 'rtl' : 'ltr'
