/**
 * Tokens under which a title is found by its content: its facets, the names of its people, the words of its own names,
 * and the words of its topics (keywords, characters, the plot). There is one token for each complete word, and none for
 * the beginning of a word. A light stemmer makes singular and plural equal.
 */
import { isUnspacedScript, normaliseWords, splitWords, toWordToken } from './tokens.ts'
import type { FacetValue, SearchDoc } from './types.ts'

/**
 * Marks documents that are safe for kids. This token and the tokens below cannot collide with words, because `§`, `¶`
 * and `¤` are never part of a word.
 */
export const kidsToken = '§k'
/** Marks titles of unknown country. A search for a country finds these titles by the main language of the country. */
export const unknownCountryToken = '§c0'
/** Maximum number of words of keywords and topics that are stored for a title. */
const maxTopicWords = 40
const maxKeywords = 24
const maxPeople = 14
const maxTitleNames = 6

const FACET_LETTERS: Record<FacetValue['kind'], string> = {
  genre: 'g',
  network: 'n',
  language: 'l',
  country: 'c',
  year: 'y',
  decade: 'd',
  type: 't',
  person: 'p',
}

export const toFacetToken = ({ kind, value }: FacetValue) =>
  `§${FACET_LETTERS[kind]}${splitWords(value).words.map(toWordToken).join('')}`
export const toPersonToken = (word: string) => `¶${toWordToken(word)}`
/**
 * Returns the token of a whole keyword, such as "time travel". A text that contains both words separately has no such
 * token.
 */
export const toKeywordToken = (words: readonly string[]) =>
  `§w${words
    .filter(isTopicWord)
    .map((word) => stemWord(toWordToken(word)))
    .join('')}`
export const toTopicToken = (word: string) => `¤${stemWord(toWordToken(word))}`

/** Maximum number of cached topic tokens. The texts of different titles share most of their words. */
const MAX_CACHED_TOKENS = 20_000
const topicTokenCache = new Map<string, string>()

/** Returns the token of a word of a topic, or an empty string for a word that `isTopicWord` rejects. */
function getStoredTopicToken(word: string): string {
  const cachedToken = topicTokenCache.get(word)
  if (cachedToken !== undefined) return cachedToken
  if (topicTokenCache.size >= MAX_CACHED_TOKENS) topicTokenCache.clear()
  const token = isTopicWord(word) ? toTopicToken(word) : ''
  topicTokenCache.set(word, token)
  return token
}

/** English, French and Arabic words that say nothing about the content of a title, in folded form. */
const STOP_WORDS = new Set(
  `a about after all an and are as at be been before but by can for from had has have he her him his how i in into is it its
  more new no not of off on one or our out over she so some than that the their them then there they this to up was we what
  when where which while who will with you your starring directed featuring
  au aux avec ce ces cette dans de des du elle en est et il ils la le les leur lui mais ne ou par pas plus pour qu que qui
  sa se ses son sont sous sur un une vers
  ان الى او التي الذي بعد بين حتى ثم عن على علي عند غير في قد كان كل لا لم ما مع من هذا هذه هو هي و وهو يا اخراج بطوله`
    .split(/\s+/)
    .filter(Boolean),
)
export const isStopWord = (word: string) => STOP_WORDS.has(word)

/** Removes the plural ending of English and French words, and the article of Arabic words. */
function stemWord(word: string): string {
  const [stem = word] = normaliseWords([word])
  if (stem.length > 4 && stem.endsWith('ies')) return `${stem.slice(0, -3)}y`
  return stem.length > 3 && /[^s]s$/.test(stem) ? stem.slice(0, -1) : stem
}

/** True for words that are stored as topic words. False for single letters, stop words and unspaced scripts. */
export const isTopicWord = (word: string) =>
  (word.length > 1 || /\d/.test(word)) && !isStopWord(word) && !isUnspacedScript(word)

export function createTopicTokens(doc: SearchDoc): string[] {
  const tokens = new Set<string>()
  if (doc.kids) tokens.add(kidsToken)
  for (const facet of doc.facets ?? []) tokens.add(toFacetToken(facet))
  if (!doc.facets?.some((facet) => facet.kind === 'country')) tokens.add(unknownCountryToken)
  if (doc.year !== undefined) {
    tokens.add(toFacetToken({ kind: 'year', value: String(doc.year) }))
    tokens.add(toFacetToken({ kind: 'decade', value: String(Math.floor(doc.year / 10) * 10) }))
  }
  for (const person of [...(doc.people ?? []), ...(doc.crew ?? [])].slice(0, maxPeople))
    for (const word of splitWords(person).words) tokens.add(toPersonToken(word))
  for (const name of doc.names.slice(0, maxTitleNames))
    addTopicWords(name.text, tokens, Number.POSITIVE_INFINITY)
  const keywords = (doc.keywords ?? []).slice(0, maxKeywords)
  for (const keyword of keywords) tokens.add(toKeywordToken(splitWords(keyword).words))
  tokens.delete(toKeywordToken([]))
  const maxTokenCount = tokens.size + maxTopicWords
  for (const topic of [...keywords, ...(doc.topics ?? [])]) addTopicWords(topic, tokens, maxTokenCount)
  return [...tokens]
}

function addTopicWords(text: string, tokens: Set<string>, maxTokenCount: number): void {
  for (const word of splitWords(text).words) {
    if (tokens.size >= maxTokenCount) return
    const token = getStoredTopicToken(word)
    if (token !== '') tokens.add(token)
  }
}
