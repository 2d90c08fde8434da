/** Finds facets ("korean thriller 2019"), seasons and episodes in a query, and returns the other words. */
import { findNamedFacet, maxFacetWords, toFacetPhrase } from './facet-names.ts'
import { parseNumeral } from './numerals.ts'
import { splitWords } from './tokens.ts'
import { isStopWord, isTopicWord } from './topics.ts'
import type { EpisodeRef, FacetValue, QueryFacet } from './types.ts'

export type QueryInterpretation = {
  facets: QueryFacet[]
  /** Words that belong to no facet and for which `isTopicWord` is true. */
  topicWords: string[]
  /** The query without facets, and without connecting words at its ends: "the office" for "the office uk". */
  nameText: string
  /** True when the last word of the query belongs to no facet, and the user may still be typing it. */
  isLastWordUnfinished: boolean
}

/** Words that connect a facet with the rest of a query, in folded form. */
const CONNECTING_WORDS = new Set(
  'with by from in on of about starring avec de du des par dans sur مع من في على عن بطوله اخراج'.split(' '),
)
const ARABIC_DECADES: readonly [RegExp, string][] = [
  [/^(ال)?خمسيني?ات$/, '1950'],
  [/^(ال)?ستيني?ات$/, '1960'],
  [/^(ال)?سبعيني?ات$/, '1970'],
  [/^(ال)?ثمانيني?ات$/, '1980'],
  [/^(ال)?تسعيني?ات$/, '1990'],
]

type FindFacet = (words: readonly string[]) => Promise<FacetValue | undefined>

/**
 * Splits a query into facets and other words. `findFacet` looks up phrases that are neither in the list of facet names
 * nor a year or decade, for example to find the networks of the catalogue.
 */
export async function interpretQuery(
  words: readonly string[],
  isQueryUnfinished: boolean,
  findFacet: FindFacet,
): Promise<QueryInterpretation> {
  const facets: QueryFacet[] = []
  const wordsOutsideFacets: string[] = []
  for (let wordIndex = 0; wordIndex < words.length; ) {
    const foundFacet = await findFacetAt(words, wordIndex, findFacet)
    if (foundFacet)
      facets.push({
        ...foundFacet.facet,
        text: words.slice(wordIndex, wordIndex + foundFacet.length).join(' '),
      })
    else wordsOutsideFacets.push(words[wordIndex] ?? '')
    wordIndex += foundFacet?.length ?? 1
  }
  return {
    facets,
    topicWords: wordsOutsideFacets.filter(isTopicWord),
    nameText: removeConnectingWords(wordsOutsideFacets).join(' '),
    isLastWordUnfinished: isQueryUnfinished && wordsOutsideFacets.at(-1) === words.at(-1),
  }
}

async function findFacetAt(
  words: readonly string[],
  wordIndex: number,
  findFacet: FindFacet,
): Promise<{ facet: FacetValue; length: number } | undefined> {
  for (
    let phraseLength = Math.min(maxFacetWords, words.length - wordIndex);
    phraseLength > 0;
    phraseLength -= 1
  ) {
    const phraseWords = words.slice(wordIndex, wordIndex + phraseLength)
    const facet = findNamedFacet(toFacetPhrase(phraseWords)) ?? findPeriod(phraseWords)
    if (facet) return { facet, length: phraseLength }
    if (phraseLength > 3 || phraseWords.every(isStopWord)) continue
    const otherFacet = await findFacet(phraseWords)
    if (otherFacet) return { facet: otherFacet, length: phraseLength }
  }
  return undefined
}

/** Returns the year or decade that the words name: "2019", "90s", "1990s", "années 90". */
function findPeriod(words: readonly string[]): FacetValue | undefined {
  const [word = '', nextWord = ''] = words
  if (words.length === 2 && word === 'annees' && /^(19|20)?\d0s?$/.test(nextWord)) return toDecade(nextWord)
  if (words.length > 1) return undefined
  if (/^(18[89]|19\d|20[0-4])\d$/.test(word)) return { kind: 'year', value: word }
  if (/^(19|20)?\d0s$/.test(word)) return toDecade(word)
  const arabicDecade = ARABIC_DECADES.find(([pattern]) => pattern.test(word))
  return arabicDecade && { kind: 'decade', value: arabicDecade[1] }
}

/** Returns a decade as a facet. Two digits up to 20 mean the 21st century: "20s" is 2020, "30s" is 1930. */
function toDecade(decadeText: string): FacetValue {
  const digits = decadeText.replace(/s$/, '')
  if (digits.length === 4) return { kind: 'decade', value: digits }
  return { kind: 'decade', value: `${Number(digits) <= 20 ? 20 : 19}${digits}` }
}

function removeConnectingWords(words: readonly string[]): string[] {
  const firstIndex = words.findIndex((word) => !CONNECTING_WORDS.has(word))
  const lastIndex = words.findLastIndex((word) => !CONNECTING_WORDS.has(word))
  return firstIndex < 0 ? [] : words.slice(firstIndex, lastIndex + 1)
}

const SEASON_WORDS = 'season|saison|temporada|staffel|stagione|series|(?:ال)?موسم'
const EPISODE_WORDS = 'episode|ep|episodio|folge|puntata|(?:ال)?حلقه'
const SEASON_AND_EPISODE_PATTERN = new RegExp(
  `^(.+?) (?:${SEASON_WORDS}) (\\S+)(?: (?:${EPISODE_WORDS}) (\\S+))?$`,
)
const EPISODE_CODE_PATTERN = /^(.+?) s0*(\d{1,2})(?: ?e(?:p ?)?0*(\d{1,4}))?$/
const EPISODE_WITH_X_PATTERN = /^(.+?) (\d{1,2})x(\d{1,4})$/

/** Returns the title, season and episode that a query names; null for a query that names no season. */
export function parseEpisodeQuery(words: readonly string[]): { title: string; episode: EpisodeRef } | null {
  const queryText = words.join(' ')
  const match =
    SEASON_AND_EPISODE_PATTERN.exec(queryText) ??
    EPISODE_CODE_PATTERN.exec(queryText) ??
    EPISODE_WITH_X_PATTERN.exec(queryText)
  if (!match) return null
  const [, title = '', seasonText = '', episodeText] = match
  const seasonNumber = parseNumber(seasonText)
  const episodeNumber = episodeText === undefined ? null : parseNumber(episodeText)
  if (Number.isNaN(seasonNumber) || Number.isNaN(episodeNumber)) return null
  return { title, episode: { season: seasonNumber, episode: episodeNumber } }
}

/** Arabic ordinals from first to tenth, in folded form. */
const ARABIC_ORDINALS = 'الاول الثاني الثالث الرابع الخامس السادس السابع الثامن التاسع العاشر'.split(' ')

/** Returns the number that a word means; NaN for other words. */
function parseNumber(word: string): number {
  if (/^\d{1,4}$/.test(word)) return Number(word)
  const ordinal = ARABIC_ORDINALS.indexOf(word) + 1
  if (ordinal > 0) return ordinal
  return Number(parseNumeral(['part', word], 1)?.replace(/th$/, '') ?? Number.NaN)
}

/**
 * Removes the words of one facet, and a connecting word before them, from a query. The other words keep the
 * form that the user typed. `facetText` is the `text` of a `QueryFacet`.
 */
export function removeFacetFromText(text: string, facetText: string): string {
  const chunks = text.trim().split(/\s+/)
  const facetWords = facetText.split(' ')
  const chunkWordLists = chunks.map((chunk) => splitWords(chunk).words)
  for (let startIndex = 0; startIndex < chunks.length; startIndex += 1) {
    let endIndex = startIndex
    const collectedWords: string[] = []
    while (endIndex < chunks.length && collectedWords.length < facetWords.length)
      collectedWords.push(...(chunkWordLists[endIndex++] ?? []))
    if (collectedWords.join(' ') !== facetText) continue
    const isConnectingChunk = (chunkIndex: number) =>
      CONNECTING_WORDS.has((chunkWordLists[chunkIndex] ?? []).join(' '))
    const firstRemovedIndex =
      startIndex > 0 && isConnectingChunk(startIndex - 1) ? startIndex - 1 : startIndex
    return [...chunks.slice(0, firstRemovedIndex), ...chunks.slice(endIndex)].join(' ')
  }
  return text
}
