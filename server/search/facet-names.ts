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
const LANGUAGE_CODES =
  'ar bg bn ca cs da de el en es et fa fi fr he hi hr hu id is it ja ka ko lt lv ml mr ms nl no pl pt ro ru sk sl sr sv sw ta te th tl tr uk ur vi zh'
const COUNTRY_CODES =
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
  const facetByPhraseForm = new Map<string, FacetValue>()
  const addFacet = (text: string, facet: FacetValue) => {
    // Some Arabic words, such as "ألماني" ("German"), begin with the letters of the article. Normalising such a word in
    // a query removes these letters, too. If a name consists of the article and such a word, normalising it once
    // removes only the article. The name is therefore also added in a form that is normalised twice.
    const phrase = toFacetPhrase(splitWords(text).words)
    for (const phraseForm of [phrase, toFacetPhrase(phrase.split(' '))])
      if (phraseForm !== '' && !facetByPhraseForm.has(phraseForm)) facetByPhraseForm.set(phraseForm, facet)
  }
  const locales = readdirSync(translationsFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
  for (const locale of locales) addGenres(locale, addFacet)
  for (const [phraseList, genre] of GENRE_SYNONYMS)
    for (const genrePhrase of phraseList.split(','))
      addPlurals(genrePhrase, { kind: 'genre', value: genre }, addFacet)
  for (const [phraseList, network] of NETWORK_NAMES)
    for (const networkPhrase of phraseList.split(','))
      addFacet(networkPhrase, { kind: 'network', value: network })
  for (const [phraseList, titleType] of TYPE_NAMES)
    for (const typePhrase of phraseList.split(',')) addFacet(typePhrase, { kind: 'type', value: titleType })
  for (const [phraseList, country] of COUNTRY_ADJECTIVES)
    for (const countryPhrase of phraseList.split(','))
      addFacet(countryPhrase, { kind: 'country', value: country })
  for (const locale of locales) {
    addDisplayNames(
      new Intl.DisplayNames(locale, { type: 'language' }),
      LANGUAGE_CODES,
      (displayName, languageCode) => {
        for (const adjectiveForm of listAdjectiveForms(displayName))
          addFacet(adjectiveForm, { kind: 'language', value: languageCode })
      },
    )
    addDisplayNames(
      new Intl.DisplayNames(locale, { type: 'region' }),
      COUNTRY_CODES,
      (displayName, countryCode) => addFacet(displayName, { kind: 'country', value: countryCode }),
    )
  }
  return facetByPhraseForm
}

type AddFacet = (text: string, facet: FacetValue) => void

function addGenres(locale: string, addFacet: AddFacet): void {
  const genreNameById = JSON.parse(
    readFileSync(new URL(`${locale}/genres.json`, translationsFolder), 'utf8'),
  ) as Record<string, string>
  for (const [genreId, genreName] of Object.entries(genreNameById))
    addPlurals(genreName, { kind: 'genre', value: genreId }, addFacet)
}

/** Adds a name and its English or French plural. */
function addPlurals(text: string, facet: FacetValue, addFacet: AddFacet): void {
  addFacet(text, facet)
  if (!/[a-zé]$/i.test(text)) return
  addFacet(`${text}s`, facet)
  if (text.endsWith('y')) addFacet(`${text.slice(0, -1)}ies`, facet)
}

function addDisplayNames(
  displayNames: Intl.DisplayNames,
  codes: string,
  addDisplayName: (text: string, code: string) => void,
): void {
  for (const code of codes.split(' ')) {
    const displayName = displayNames.of(code)
    if (displayName && displayName !== code) addDisplayName(displayName, code)
  }
}

/**
 * Returns the forms that a name has as a French or Arabic adjective, which agrees with its noun: "coréen" and
 * "coréenne", "الكورية" and "كوري".
 */
function listAdjectiveForms(text: string): string[] {
  if (text.endsWith('ة')) return [text, text.replace(/ة$/, '')]
  const feminineForm = /(?:e|i)en$/.test(text)
    ? `${text}ne`
    : /(?:ais|ain|ol|and|ois|in)$/.test(text)
      ? `${text}e`
      : text
  return [text, feminineForm, `${text}s`, `${feminineForm}s`]
}
