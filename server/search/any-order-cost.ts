import { computeWordCost } from './edit-distance.ts'
import type { SearchQuery } from './query.ts'
import { isArticle } from './tokens.ts'

type TypedWord = {
  text: string
  /** True when the user may still be typing the word. */
  isPrefix: boolean
}
type NearestWord = {
  /** Index of the word in the name; -1 when the word is not found. */
  index: number
  cost: number
  /** Lowest `limit` with which `findNearestWord` finds the word. */
  minLimit: number
  /** 2 when two neighbouring words of the name were typed as one word. `index` then belongs to the first. */
  wordCount: 1 | 2
}
const noWord: NearestWord = {
  index: -1,
  cost: Number.POSITIVE_INFINITY,
  minLimit: Number.POSITIVE_INFINITY,
  wordCount: 1,
}

const typedWordsByQuery = new WeakMap<SearchQuery, readonly TypedWord[]>()

function getTypedWords(query: SearchQuery): readonly TypedWord[] {
  const cachedWords = typedWordsByQuery.get(query)
  if (cachedWords) return cachedWords
  const typedWords = query.words.map((text, index) => ({
    text,
    isPrefix: query.isLastWordOpen && index === query.words.length - 1,
  }))
  typedWordsByQuery.set(query, typedWords)
  return typedWords
}

/**
 * Returns the cost of matching the words of the query with the words of the name, in any order. A query word
 * may match a word of a cast member's name instead. A few query words may match nothing.
 */
export function computeAnyOrderCost(
  query: SearchQuery,
  nameWords: string[],
  people: string[],
  limit: number,
): number {
  const name = new ComparedName(getTypedWords(query), nameWords)
  let best = limit > 0.2 ? computeWordsCost(query, name, [], limit) : limit
  if (best <= 0.5) return best
  // Compares only cast members whose name contains the first three letters of a typed word.
  for (const castName of people) {
    if (!query.words.some((word) => castName.includes(word.slice(0, 3)))) continue
    best = Math.min(best, computeWordsCost(query, name, castName.slice(1).split(' '), best))
  }
  return best
}

function computeWordsCost(
  query: SearchQuery,
  name: ComparedName,
  castWords: string[],
  limit: number,
): number {
  const { words } = name
  const matchedIndexes = new Set<number>()
  let total = castWords.length > 0 ? 0.5 : 0.2
  let missingCount = 0
  // The name of a sequel often lacks words of the first movie's name, as in "Furious 7". Missing words
  // therefore cost half when the name contains all numbers of the query.
  const hasNumber = query.numbers.length > 0 && query.numbers.every((number) => words.includes(number))
  let lastTitleIndex = -1
  for (const [queryIndex, typedWord] of query.words.entries()) {
    const wordLimit = Math.min(0.2 + 0.34 * typedWord.length, limit - total)
    const titleMatch = name.findNearest(queryIndex, wordLimit)
    const castMatch =
      castWords.length > 0
        ? findNearestWord(name.typedWords[queryIndex]!, castWords, Math.min(wordLimit, titleMatch.cost))
        : titleMatch
    if (castMatch.cost < titleMatch.cost) total += castMatch.cost
    else if (titleMatch.index >= 0) {
      total += titleMatch.cost + (titleMatch.index < lastTitleIndex ? 0.12 : 0)
      matchedIndexes.add(titleMatch.index)
      if (titleMatch.wordCount === 2) matchedIndexes.add(titleMatch.index + 1)
      lastTitleIndex = titleMatch.index
    } else {
      missingCount += 1
      const missingCost = isArticle(typedWord) ? 0.25 : 0.6 + 0.3 * typedWord.length
      total += hasNumber ? missingCost / 2 : missingCost
    }
    if (total > limit || missingCount > 1 + query.words.length / 4) return Number.POSITIVE_INFINITY
  }
  for (const [index, word] of words.entries())
    if (!matchedIndexes.has(index)) total += isArticle(word) ? 0.01 : 0.06 + 0.006 * word.length
  return total
}

/** Caches which words of a name are nearest to each typed word. Comparisons with cast members reuse them. */
class ComparedName {
  readonly typedWords: readonly TypedWord[]
  readonly words: string[]
  readonly #singles: NearestLookup[] = []
  readonly #pairs: NearestLookup[] = []
  #pairTexts: string[] | null = null

  constructor(typedWords: readonly TypedWord[], words: string[]) {
    this.typedWords = typedWords
    this.words = words
  }

  /** Returns the word of the name nearest to a typed word, or the nearest pair of words typed as one word. */
  findNearest(queryIndex: number, limit: number): NearestWord {
    const typedWord = this.typedWords[queryIndex]!
    this.#singles[queryIndex] ??= new NearestLookup(typedWord, this.words)
    const single = this.#singles[queryIndex]!.find(limit)
    if (single.cost <= 0.3) return single
    this.#pairTexts ??= this.words.slice(1).map((word, index) => `${this.words[index]}${word}`)
    this.#pairs[queryIndex] ??= new NearestLookup(typedWord, this.#pairTexts)
    const pair = this.#pairs[queryIndex]!.find(Math.min(Math.min(limit, single.cost) - 0.2, 1))
    return pair.index < 0 ? single : { ...pair, cost: pair.cost + 0.2, wordCount: 2 }
  }
}

/**
 * Finds the word that is nearest to a typed word within a cost limit. The nearest word does not depend on the
 * limit, so a word found with one limit is reused for other limits.
 */
class NearestLookup {
  readonly #typed: TypedWord
  readonly #words: string[]
  #nearest = noWord
  #searchedLimit = Number.NEGATIVE_INFINITY

  constructor(typedWord: TypedWord, words: string[]) {
    this.#typed = typedWord
    this.#words = words
  }

  find(limit: number): NearestWord {
    if (this.#nearest.index < 0 && limit > this.#searchedLimit) {
      this.#nearest = findNearestWord(this.#typed, this.#words, limit)
      this.#searchedLimit = limit
    }
    return this.#nearest.minLimit <= limit ? this.#nearest : noWord
  }
}

function findNearestWord({ text, isPrefix }: TypedWord, words: string[], limit: number): NearestWord {
  const found = { minLimit: Number.NEGATIVE_INFINITY, wordCount: 1 } as const
  const exactIndex = words.indexOf(text)
  if (exactIndex >= 0) return { ...found, index: exactIndex, cost: 0 }
  if (isPrefix)
    for (let index = 0; index < words.length; index += 1)
      if (words[index]!.startsWith(text)) return { ...found, index, cost: 0.05 }
  let nearest = noWord
  for (let index = 0; index < words.length; index += 1) {
    const wordCost = computeWordCost(text, words[index]!, isPrefix, Math.min(limit, nearest.cost))
    const cost = wordCost + (isPrefix ? 0.05 : 0)
    if (cost < nearest.cost && cost <= limit + 0.05)
      nearest = { index, cost, minLimit: wordCost, wordCount: 1 }
  }
  return nearest
}
