/** Which of the product's 26 languages (Spec §3) a title is in, from what sources tell: a country, a code, its letters. */
import { LANGUAGES } from '../../src/lib/rules/limits.ts'

const KNOWN: ReadonlySet<string> = new Set(LANGUAGES)

/** Countries where one language names films; the first of each list is its home. Two-letter codes are ISO 3166-1. */
const COUNTRIES: Record<string, string> = {
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
const LANGUAGE_OF = new Map(
  Object.entries(COUNTRIES).flatMap(([lang, list]) => list.split(' ').map((country) => [country, lang])),
)
const HOMES = new Set(Object.values(COUNTRIES).map((list) => list.split(' ')[0]))
/** Egypt leads the Arabic list, but a title of any Arab country is as good. */
for (const country of (COUNTRIES['ar'] ?? '').split(' ')) HOMES.add(country)

/** Codes that sources use for a language of ours. */
const ALIASES: Record<string, string> = {
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
/** Languages with letters of their own: a title of theirs in Latin letters is a transliteration, or foreign. */
const LETTERS: [string, RegExp][] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['ko', /\p{Script=Hangul}/u],
  ['zh', /\p{Script=Han}/u],
  ['ar', /\p{Script=Arabic}/u],
  ['th', /\p{Script=Thai}/u],
  ['el', /\p{Script=Greek}/u],
  ['hi', /\p{Script=Devanagari}/u],
  ['ru', /\p{Script=Cyrillic}/u],
]
const PLAIN = /^[\p{ASCII}\p{Script=Latin}\p{P}\p{S}\p{N}\p{Z}\p{M}]*$/u
/** The same, told at once for most. */
const WESTERN = /^[\0-\u024f]*$/
const isPlain = (text: string) => WESTERN.test(text) || PLAIN.test(text)
const OWN_LETTERS = new Set(LETTERS.map(([lang]) => lang))

/** The product's code of a source's language code, if it is one of the 26. */
export function knownLanguage(code: string | null | undefined): string | undefined {
  if (!code) return undefined
  const lang = ALIASES[code] ?? code
  return KNOWN.has(lang) ? lang : undefined
}

/** Of a country's titles. */
export const languageOfCountry = (country: string): string | undefined => LANGUAGE_OF.get(country)
export const isHome = (country: string): boolean => HOMES.has(country)

/** By its letters alone, where they belong to one of the languages; none for Latin letters. */
export function languageOfLetters(text: string): string | undefined {
  if (isPlain(text)) return undefined
  return LETTERS.find(([, letters]) => letters.test(text))?.[0]
}

/** Whether a text is written as its language is: Russian in Cyrillic, French in Latin letters. */
export function fitsLetters(text: string, lang: string): boolean {
  if (isPlain(text)) return !OWN_LETTERS.has(lang) || !/\p{L}/u.test(text)
  const letters = LETTERS.find(([one]) => one === lang)?.[1]
  if (lang === 'ja') return /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(text)
  return letters ? letters.test(text) : languageOfLetters(text) === undefined
}
