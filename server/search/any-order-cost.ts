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
  /** Lowest `costLimit` with which `findNearestWord` finds the word. */
  minCostLimit: number
  /**
   * 2 when two neighbouring words of the name were typed as one word. `index` is then the index of the first of them.
   */
  wordCount: 1 | 2
}
const noWordFound: NearestWord = {
  index: -1,
  cost: Number.POSITIVE_INFINITY,
  minCostLimit: Number.POSITIVE_INFINITY,
  wordCount: 1,
}

const typedWordsByQuery = new WeakMap<SearchQuery, readonly TypedWord[]>()

function getTypedWords(query: SearchQuery): readonly TypedWord[] {
  const cachedWords = typedWordsByQuery.get(query)
  if (cachedWords) return cachedWords
  const typedWords = query.words.map((text, index) => ({
    text,
    isPrefix: query.isLastWordUnfinished && index === query.words.length - 1,
  }))
  typedWordsByQuery.set(query, typedWords)
  return typedWords
}

/**
 * Returns the cost of matching the words of the query with the words of the name, in any order. A query word may match
 * a word of a cast member's name instead. Each of `castNames` begins with `·`. One word of the query, and one more for
 * every four words of the query, may match nothing. Each of these words has an extra cost. The result is at least
 * `costLimit` when the words do not match within this limit.
 */
export function computeAnyOrderCost(
  query: SearchQuery,
  nameWords: string[],
  castNames: string[],
  costLimit: number,
): number {
  const comparedName = new ComparedName(getTypedWords(query), nameWords)
  let bestCost = costLimit > 0.2 ? computeWordsCost(query, comparedName, [], costLimit) : costLimit
  if (bestCost <= 0.5) return bestCost
  // Compares only cast members whose name contains the first three letters of a typed word.
  for (const castName of castNames) {
    if (!query.words.some((word) => castName.includes(word.slice(0, 3)))) continue
    bestCost = Math.min(
      bestCost,
      computeWordsCost(query, comparedName, castName.slice(1).split(' '), bestCost),
    )
  }
  return bestCost
}

function computeWordsCost(
  query: SearchQuery,
  comparedName: ComparedName,
  castWords: string[],
  costLimit: number,
): number {
  const { words } = comparedName
  const matchedWordIndexes = new Set<number>()
  let totalCost = castWords.length > 0 ? 0.5 : 0.2
  let missingWordCount = 0
  // The name of a sequel often lacks words of the first movie's name, as in "Furious 7". Missing words
  // therefore cost half when the name contains all numbers of the query.
  const hasAllNumbers = query.numbers.length > 0 && query.numbers.every((number) => words.includes(number))
  let lastTitleWordIndex = -1
  for (const [queryIndex, typedWord] of query.words.entries()) {
    const wordCostLimit = Math.min(0.2 + 0.34 * typedWord.length, costLimit - totalCost)
    const titleMatch = comparedName.findNearestToTypedWord(queryIndex, wordCostLimit)
    const castMatch =
      castWords.length > 0
        ? findNearestWord(
            comparedName.typedWords[queryIndex]!,
            castWords,
            Math.min(wordCostLimit, titleMatch.cost),
          )
        : titleMatch
    if (castMatch.cost < titleMatch.cost) totalCost += castMatch.cost
    else if (titleMatch.index >= 0) {
      totalCost += titleMatch.cost + (titleMatch.index < lastTitleWordIndex ? 0.12 : 0)
      matchedWordIndexes.add(titleMatch.index)
      if (titleMatch.wordCount === 2) matchedWordIndexes.add(titleMatch.index + 1)
      lastTitleWordIndex = titleMatch.index
    } else {
      missingWordCount += 1
      const missingWordCost = isArticle(typedWord) ? 0.25 : 0.6 + 0.3 * typedWord.length
      totalCost += hasAllNumbers ? missingWordCost / 2 : missingWordCost
    }
    if (totalCost > costLimit || missingWordCount > 1 + query.words.length / 4)
      return Number.POSITIVE_INFINITY
  }
  for (const [index, word] of words.entries())
    if (!matchedWordIndexes.has(index)) totalCost += isArticle(word) ? 0.01 : 0.06 + 0.006 * word.length
  return totalCost
}

/**
 * The words of a title's name, with a cache of the word nearest to each typed word. The query is compared with the name
 * alone and then with the name and each cast member, so the cache avoids computing the nearest words of the name again.
 */
class ComparedName {
  readonly typedWords: readonly TypedWord[]
  readonly words: string[]
  readonly #singleLookups: NearestWordLookup[] = []
  readonly #pairLookups: NearestWordLookup[] = []
  #pairTexts: string[] | null = null

  constructor(typedWords: readonly TypedWord[], words: string[]) {
    this.typedWords = typedWords
    this.words = words
  }

  /**
   * Returns the word of the name that is nearest to a typed word. If the user seems to have typed two neighbouring
   * words as one, returns that pair. Returns `noWordFound` when nothing is within `costLimit`.
   */
  findNearestToTypedWord(queryIndex: number, costLimit: number): NearestWord {
    const typedWord = this.typedWords[queryIndex]!
    this.#singleLookups[queryIndex] ??= new NearestWordLookup(typedWord, this.words)
    const nearestSingleWord = this.#singleLookups[queryIndex]!.findWord(costLimit)
    if (nearestSingleWord.cost <= 0.3) return nearestSingleWord
    this.#pairTexts ??= this.words.slice(1).map((word, index) => `${this.words[index]}${word}`)
    this.#pairLookups[queryIndex] ??= new NearestWordLookup(typedWord, this.#pairTexts)
    const nearestWordPair = this.#pairLookups[queryIndex]!.findWord(
      Math.min(Math.min(costLimit, nearestSingleWord.cost) - 0.2, 1),
    )
    return nearestWordPair.index < 0
      ? nearestSingleWord
      : { ...nearestWordPair, cost: nearestWordPair.cost + 0.2, wordCount: 2 }
  }
}

/**
 * Finds the word that is nearest to a typed word within a cost limit. The nearest word does not depend on the
 * limit, so a word found with one limit is reused for other limits.
 */
class NearestWordLookup {
  readonly #typedWord: TypedWord
  readonly #words: string[]
  #nearestWord = noWordFound
  #searchedCostLimit = Number.NEGATIVE_INFINITY

  constructor(typedWord: TypedWord, words: string[]) {
    this.#typedWord = typedWord
    this.#words = words
  }

  findWord(costLimit: number): NearestWord {
    if (this.#nearestWord.index < 0 && costLimit > this.#searchedCostLimit) {
      this.#nearestWord = findNearestWord(this.#typedWord, this.#words, costLimit)
      this.#searchedCostLimit = costLimit
    }
    return this.#nearestWord.minCostLimit <= costLimit ? this.#nearestWord : noWordFound
  }
}

function findNearestWord({ text, isPrefix }: TypedWord, words: string[], costLimit: number): NearestWord {
  const singleWordMatch = { minCostLimit: Number.NEGATIVE_INFINITY, wordCount: 1 } as const
  const exactIndex = words.indexOf(text)
  if (exactIndex >= 0) return { ...singleWordMatch, index: exactIndex, cost: 0 }
  if (isPrefix)
    for (let index = 0; index < words.length; index += 1)
      if (words[index]!.startsWith(text)) return { ...singleWordMatch, index, cost: 0.05 }
  let nearestWord = noWordFound
  for (let index = 0; index < words.length; index += 1) {
    const wordCost = computeWordCost(text, words[index]!, isPrefix, Math.min(costLimit, nearestWord.cost))
    const cost = wordCost + (isPrefix ? 0.05 : 0)
    if (cost < nearestWord.cost && cost <= costLimit + 0.05)
      nearestWord = { index, cost, minCostLimit: wordCost, wordCount: 1 }
  }
  return nearestWord
}
