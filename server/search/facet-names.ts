/**
 * The words that name a facet, in every language of the interface: genres, languages, countries, networks and
 * kinds of titles. The names of genres come from the translations. The names of languages and countries come
 * from CLDR (`Intl.DisplayNames`).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { COUNTRY_ADJECTIVES, GENRE_SYNONYMS, NETWORK_NAMES, TYPE_NAMES } from './facet-synonyms.ts'
import { normaliseWords, splitWords } from './tokens.ts'
import type { FacetValue } from './types.ts'

const translationsFolder = new URL('../../src/i18n/', import.meta.url)
const LANGUAGES =
  'ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id is it ja ka ko lt lv ml mr ms nl no pl pt ro ru sk sl sr sv sw ta te th tl tr uk ur vi zh'
const COUNTRIES =
  'AR AT AU BE BG BR CA CH CL CN CO CU CZ DE DK DZ EG ES FI FR GB GR HK HR HU ID IE IL IN IQ IR IS IT JO JP KE KR KW LB MA MX MY NG NL NO NZ PE PH PK PL PS PT QA RO RS RU SA SD SE SG SY TH TN TR TW UA US VN ZA AE'

/** Maximum number of words of a phrase that is looked up as a facet. */
export const maxFacetWords = 4
let facetByPhrase: Map<string, FacetValue> | undefined

/** Joins words to a phrase, in the normalised form in which facets are compared. */
export const toFacetPhrase = (words: readonly string[]): string => normaliseWords(words).join(' ')

/** Returns the facet that a phrase names, or undefined. `phrase` comes from `toFacetPhrase`. */
export function findNamedFacet(phrase: string): FacetValue | undefined {
  facetByPhrase ??= buildFacetNames()
  return facetByPhrase.get(phrase)
}

/** Maps each phrase to its facet. When several lists contain a phrase, the first list wins. */
function buildFacetNames(): Map<string, FacetValue> {
  const facets = new Map<string, FacetValue>()
  const add = (text: string, facet: FacetValue) => {
    // Some Arabic words without an article begin with its letters, such as "ألماني" ("German"). Normalising a
    // query removes these letters, so the name is also added in the form that is normalised twice.
    const phrase = toFacetPhrase(splitWords(text).words)
    for (const form of [phrase, toFacetPhrase(phrase.split(' '))])
      if (form !== '' && !facets.has(form)) facets.set(form, facet)
  }
  const locales = readdirSync(translationsFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
  for (const locale of locales) addGenres(locale, add)
  for (const [texts, value] of GENRE_SYNONYMS)
    for (const text of texts.split(',')) addPlurals(text, { kind: 'genre', value }, add)
  for (const [texts, value] of NETWORK_NAMES)
    for (const text of texts.split(',')) add(text, { kind: 'network', value })
  for (const [texts, value] of TYPE_NAMES)
    for (const text of texts.split(',')) add(text, { kind: 'type', value })
  for (const [texts, value] of COUNTRY_ADJECTIVES)
    for (const text of texts.split(',')) add(text, { kind: 'country', value })
  for (const locale of locales) {
    addDisplayNames(new Intl.DisplayNames(locale, { type: 'language' }), LANGUAGES, (text, value) => {
      for (const form of listAdjectiveForms(text)) add(form, { kind: 'language', value })
    })
    addDisplayNames(new Intl.DisplayNames(locale, { type: 'region' }), COUNTRIES, (text, value) =>
      add(text, { kind: 'country', value }),
    )
  }
  return facets
}

type AddFacet = (text: string, facet: FacetValue) => void

function addGenres(locale: string, add: AddFacet): void {
  const names = JSON.parse(
    readFileSync(new URL(`${locale}/genres.json`, translationsFolder), 'utf8'),
  ) as Record<string, string>
  for (const [value, text] of Object.entries(names)) addPlurals(text, { kind: 'genre', value }, add)
}

/** Adds a name and its English or French plural. */
function addPlurals(text: string, facet: FacetValue, add: AddFacet): void {
  add(text, facet)
  if (!/[a-zé]$/i.test(text)) return
  add(`${text}s`, facet)
  if (text.endsWith('y')) add(`${text.slice(0, -1)}ies`, facet)
}

function addDisplayNames(
  names: Intl.DisplayNames,
  codes: string,
  add: (text: string, code: string) => void,
): void {
  for (const code of codes.split(' ')) {
    const text = names.of(code)
    if (text && text !== code) add(text, code)
  }
}

/** French and Arabic adjectives agree with their noun: "coréen" and "coréenne", "الكورية" and "كوري". */
function listAdjectiveForms(text: string): string[] {
  if (text.endsWith('ة')) return [text, text.replace(/ة$/, '')]
  const feminine = /(?:e|i)en$/.test(text)
    ? `${text}ne`
    : /(?:ais|ain|ol|and|ois|in)$/.test(text)
      ? `${text}e`
      : text
  return [text, feminine, `${text}s`, `${feminine}s`]
}
