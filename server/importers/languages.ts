/** Maps a country, a language code or the script of a text to one of the product's 26 languages. */
import { TITLE_LANGUAGES } from '../../src/lib/rules/title-options.ts'

const PRODUCT_LANGUAGES: ReadonlySet<string> = new Set(TITLE_LANGUAGES)

/**
 * Countries by the language of their movie titles. The first country of each list is the home country of the language.
 * Two-letter codes are ISO 3166-1; IMDb has longer ones for former countries and regions.
 */
const COUNTRIES_BY_LANGUAGE: Record<string, string> = {
  en: 'US GB XWW AU CA IE NZ XEU XNA XAS IN ZA PH SG MY NG PK BD KE GH JM',
  fr: 'FR MC SN CI CM',
  es: 'ES MX AR CL CO PE UY VE EC BO PY CR DO GT HN NI PA PR SV CU',
  it: 'IT SM',
  de: 'DE AT XWG DDDE LI',
  ko: 'KR KP',
  tr: 'TR',
  pt: 'PT BR AO MZ',
  fi: 'FI',
  nl: 'NL',
  ru: 'RU SUHH',
  cs: 'CZ CSHH',
  is: 'IS',
  ja: 'JP',
  zh: 'CN TW HK MO',
  sv: 'SE',
  ro: 'RO MD',
  id: 'ID',
  ar: 'EG SA AE LB SY JO IQ KW QA BH OM YE PS LY TN DZ MA SD',
  th: 'TH',
  no: 'NO',
  hu: 'HU',
  el: 'GR CY',
  pl: 'PL',
  da: 'DK',
}
const LANGUAGE_BY_COUNTRY = new Map(
  Object.entries(COUNTRIES_BY_LANGUAGE).flatMap(([lang, countries]) =>
    countries.split(' ').map((country) => [country, lang]),
  ),
)
const HOME_COUNTRIES = new Set(
  Object.values(COUNTRIES_BY_LANGUAGE).map((countries) => countries.split(' ')[0]),
)
// Every Arab country counts as a home country of Arabic, not only Egypt, which is the first of the list.
for (const country of (COUNTRIES_BY_LANGUAGE['ar'] ?? '').split(' ')) HOME_COUNTRIES.add(country)

/** Other codes that sources use for a language of the product. */
const LANGUAGE_ALIASES: Record<string, string> = {
  cmn: 'zh',
  yue: 'zh',
  cn: 'zh',
  nan: 'zh',
  wuu: 'zh',
  nb: 'no',
  nn: 'no',
  arb: 'ar',
  arz: 'ar',
}
/**
 * Languages that are not written in Latin script, each with a pattern of its script. In these languages, a title in
 * Latin script is a transliteration or a foreign title.
 */
const SCRIPT_PATTERNS: [string, RegExp][] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['ko', /\p{Script=Hangul}/u],
  ['zh', /\p{Script=Han}/u],
  ['ar', /\p{Script=Arabic}/u],
  ['th', /\p{Script=Thai}/u],
  ['el', /\p{Script=Greek}/u],
  ['hi', /\p{Script=Devanagari}/u],
  ['ru', /\p{Script=Cyrillic}/u],
]
const LATIN_TEXT_PATTERN = /^[\p{ASCII}\p{Script=Latin}\p{P}\p{S}\p{N}\p{Z}\p{M}]*$/u
/** Accepts most Latin texts, and is faster than LATIN_TEXT_PATTERN. */
const BASIC_LATIN_TEXT_PATTERN = /^[\0-\u024f]*$/
const isLatinText = (text: string) => BASIC_LATIN_TEXT_PATTERN.test(text) || LATIN_TEXT_PATTERN.test(text)
const NON_LATIN_LANGUAGES = new Set(SCRIPT_PATTERNS.map(([lang]) => lang))

/** Returns the product's code for a source's language code; undefined if the product does not have the language. */
export function toProductLanguage(code: string | null | undefined): string | undefined {
  if (!code) return undefined
  const lang = LANGUAGE_ALIASES[code] ?? code
  return PRODUCT_LANGUAGES.has(lang) ? lang : undefined
}

/** Returns the language of movie titles in a country; undefined for codes that are not in COUNTRIES_BY_LANGUAGE. */
export const getLanguageOfCountry = (country: string): string | undefined => LANGUAGE_BY_COUNTRY.get(country)

/**
 * True for the home country of a language. For Arabic, true for every Arab country. Importers prefer names and texts
 * from a home country.
 */
export const isHomeCountry = (country: string): boolean => HOME_COUNTRIES.has(country)

/**
 * Returns the language whose script the text uses; undefined for Latin script and for scripts of no product language.
 */
export function findLanguageOfScript(text: string): string | undefined {
  if (isLatinText(text)) return undefined
  return SCRIPT_PATTERNS.find(([, pattern]) => pattern.test(text))?.[0]
}

/**
 * Returns the language in which screen readers read a text. `language` is the language that the source states, if any.
 * A text in Latin letters whose language has another script is a transliteration, which is read as English.
 */
export function findTextLanguage(text: string, language: string | undefined): string | undefined {
  if (language === undefined) return findLanguageOfScript(text)
  return isLatinText(text) && !hasScriptOfLanguage(text, language) ? 'en' : language
}

/** True if the text uses the script of the language, such as Cyrillic for Russian and Latin for French. */
export function hasScriptOfLanguage(text: string, lang: string): boolean {
  if (isLatinText(text)) return !NON_LATIN_LANGUAGES.has(lang) || !/\p{L}/u.test(text)
  const pattern = SCRIPT_PATTERNS.find(([patternLanguage]) => patternLanguage === lang)?.[1]
  if (lang === 'ja') return /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(text)
  return pattern ? pattern.test(text) : findLanguageOfScript(text) === undefined
}
