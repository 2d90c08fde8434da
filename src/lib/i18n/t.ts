/** Translations in the browser. Each page embeds the texts that it needs in its locale (see Shell.astro). */
import type { TranslationKey } from './keys.ts'
import { FALLBACK_LOCALE, getTextDirection, isLocale, type Locale } from './locales.ts'

type TranslationValues = Record<string, string | number>
const textsByKey = new Map<string, string>()
let loadedTextsElement: Element | null = null
let locale: Locale = FALLBACK_LOCALE
let pluralRules = new Intl.PluralRules(FALLBACK_LOCALE)
/** Formats are created on first use, because the constructor takes milliseconds on a slow device. */
const numberFormatsByKey = new Map<string, Intl.NumberFormat>()

/** Loads the texts of the page once, and again after each client-side navigation. */
function loadTexts(): void {
  const textsElement = globalThis.document?.getElementById('words')
  if (!textsElement || textsElement === loadedTextsElement) return
  loadedTextsElement = textsElement
  const lang = document.documentElement.lang
  const nextLocale = isLocale(lang) ? lang : FALLBACK_LOCALE
  if (nextLocale !== locale) textsByKey.clear()
  locale = nextLocale
  pluralRules = new Intl.PluralRules(locale)
  const tables = JSON.parse(textsElement.textContent ?? '{}') as Record<string, Record<string, string>>
  for (const [namespace, table] of Object.entries(tables)) {
    for (const [key, text] of Object.entries(table)) textsByKey.set(`${namespace}:${key}`, text)
  }
}

/**
 * Returns the text of `namespace:key` with its `{{name}}` placeholders filled in; the key itself when there is no text.
 * With `count`, selects the plural form of the locale.
 */
export function t(key: TranslationKey, values: TranslationValues = {}): string {
  loadTexts()
  const count = values['count']
  const translation =
    (typeof count === 'number'
      ? (textsByKey.get(`${key}_${pluralRules.select(count)}`) ?? textsByKey.get(`${key}_other`))
      : undefined) ??
    textsByKey.get(key) ??
    key
  return translation.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => {
    const placeholderValue = values[name]
    // Numbers that name something, such as an episode, have no thousands separators.
    return typeof placeholderValue === 'number' && !/^(season|episode|number|first|last|line)$/.test(name)
      ? formatNumber(placeholderValue)
      : `${placeholderValue ?? placeholder}`
  })
}

/**
 * Returns the text of a key that is built at run time, such as `genres:35`, or `fallback` when there is no such key.
 */
export function translateDynamicKey(key: string, fallback: string): string {
  loadTexts()
  return textsByKey.get(key) ?? fallback
}

export function getCurrentLocale(): Locale {
  loadTexts()
  return locale
}

export function getCurrentDirection(): 'ltr' | 'rtl' {
  return getTextDirection(getCurrentLocale())
}

/** Formats a number with Western digits in every language (docs/decisions/0003-western-digits.md). */
export function formatNumber(value: number, options?: Intl.NumberFormatOptions): string {
  // Small numbers do not need `Intl.NumberFormat`, whose first use takes up to 150 ms on a slow device.
  if (!options && Number.isInteger(value) && value >= 0 && value < 1_000) return String(value)
  const localeTag = `${getCurrentLocale()}-u-nu-latn`
  const numberFormatKey = localeTag + JSON.stringify(options)
  const numberFormat = numberFormatsByKey.get(numberFormatKey) ?? new Intl.NumberFormat(localeTag, options)
  numberFormatsByKey.set(numberFormatKey, numberFormat)
  return numberFormat.format(value)
}

/**
 * Formats a number from 0 to 999 with one decimal, such as `8.2`, in French `8,2`. Does not use `Intl.NumberFormat`,
 * whose first use is slow (see `formatNumber`).
 */
export function formatOneDecimal(value: number): string {
  loadTexts()
  const decimalSeparator = textsByKey.get('number:decimal') ?? '.'
  return (Math.round(value * 10) / 10).toFixed(1).replace('.', decimalSeparator)
}
