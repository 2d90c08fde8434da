/** Translations in the browser: the page carries its own, for its locale alone (see Shell.astro). */
import type { Key } from './keys.ts'
import { directionOf, FALLBACK, isLocale, type Locale } from './locales.ts'

type Values = Record<string, string | number>
const words = new Map<string, string>()
let readFrom: Element | null = null
let locale: Locale = FALLBACK
let plurals = new Intl.PluralRules(FALLBACK)
/** Made with the first number of a page. */
let numbers: Intl.NumberFormat | undefined

/** Reads the page's translations once; a page that was swapped in brings its own. */
function load(): void {
  const element = globalThis.document?.getElementById('words')
  if (!element || element === readFrom) return
  readFrom = element
  const lang = document.documentElement.lang
  const next = isLocale(lang) ? lang : FALLBACK
  if (next !== locale) words.clear()
  locale = next
  plurals = new Intl.PluralRules(locale)
  numbers = undefined
  const tables = JSON.parse(element.textContent ?? '{}') as Record<string, Record<string, string>>
  for (const [namespace, table] of Object.entries(tables)) {
    for (const [key, text] of Object.entries(table)) words.set(`${namespace}:${key}`, text)
  }
}

/** The text of `namespace:key`, with `{{name}}` filled in. With `count`, the plural form of the locale. */
export function t(key: Key, values: Values = {}): string {
  load()
  const count = values['count']
  const text =
    (typeof count === 'number'
      ? (words.get(`${key}_${plurals.select(count)}`) ?? words.get(`${key}_other`))
      : undefined) ??
    words.get(key) ??
    key
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const value = values[name]
    if (value === undefined) return whole
    return typeof value === 'number' ? formatNumber(value) : value
  })
}

/** A key made of data (`genres:35`); falls back to `otherwise` where there is none. */
export function tData(key: string, otherwise: string): string {
  load()
  return words.get(key) ?? otherwise
}

export function currentLocale(): Locale {
  load()
  return locale
}

export function currentDirection(): 'ltr' | 'rtl' {
  return directionOf(currentLocale())
}

/** Western digits in every language: codes, years and times read alike (docs/decisions/0003). */
export function formatNumber(value: number, options?: Intl.NumberFormatOptions): string {
  const locale = `${currentLocale()}-u-nu-latn`
  if (options) return new Intl.NumberFormat(locale, options).format(value)
  numbers ??= new Intl.NumberFormat(locale)
  return numbers.format(value)
}
