import { computeWordCost } from './edit-distance.ts'
import type { SearchQuery } from './query.ts'
import { isArticle } from './tokens.ts'

/**
 * Returns the cost of matching the words of the query in any order. Some words may belong to the
 * name of a cast member, and a few may be missing.
 */
export function computeAnyOrderCost(
  query: SearchQuery,
  written: string,
  people: string[],
  limit: number,
): number {
  let best = limit > 0.2 ? computeWordsCost(query, written, [], limit) : limit
  if (best <= 0.5) return best
  // A cast member is compared only when a typed word starts like a part of the name.
  for (const castName of people) {
    if (!query.words.some((word) => castName.includes(word.slice(0, 3)))) continue
    best = Math.min(best, computeWordsCost(query, written, castName.slice(1).split(' '), best))
  }
  return best
}

function computeWordsCost(query: SearchQuery, written: string, castWords: string[], limit: number): number {
  const words = written.split(' ')
  const matchedIndexes = new Set<number>()
  let total = castWords.length > 0 ? 0.5 : 0.2
  let missingCount = 0
  // Names of sequels often omit words of the first part: "Furious 7".
  const hasNumber = query.numbers.length > 0 && query.numbers.every((number) => words.includes(number))
  let lastTitleIndex = -1
  for (const [queryIndex, typedWord] of query.words.entries()) {
    const isPrefix = query.isLastWordOpen && queryIndex === query.words.length - 1
    const wordLimit = Math.min(0.2 + 0.34 * typedWord.length, limit - total)
    const singleMatch = findNearestWord(typedWord, words, isPrefix, wordLimit)
    const titleMatch =
      singleMatch.cost > 0.3
        ? (findNearestPair(typedWord, words, isPrefix, Math.min(wordLimit, singleMatch.cost)) ?? singleMatch)
        : singleMatch
    const castMatch =
      castWords.length > 0
        ? findNearestWord(typedWord, castWords, isPrefix, Math.min(wordLimit, titleMatch.cost))
        : titleMatch
    if (castMatch.cost < titleMatch.cost) total += castMatch.cost
    else if (titleMatch.index >= 0) {
      total += titleMatch.cost + (titleMatch.index < lastTitleIndex ? 0.12 : 0)
      matchedIndexes.add(titleMatch.index)
      if (titleMatch !== singleMatch) matchedIndexes.add(titleMatch.index + 1)
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

function findNearestWord(
  typed: string,
  words: string[],
  isPrefix: boolean,
  limit: number,
): { index: number; cost: number } {
  const exactIndex = words.indexOf(typed)
  if (exactIndex >= 0) return { index: exactIndex, cost: 0 }
  const prefixIndex = isPrefix ? words.findIndex((word) => word.startsWith(typed)) : -1
  if (prefixIndex >= 0) return { index: prefixIndex, cost: 0.05 }
  let nearestMatch = { index: -1, cost: Number.POSITIVE_INFINITY }
  for (const [index, word] of words.entries()) {
    const cost =
      computeWordCost(typed, word, isPrefix, Math.min(limit, nearestMatch.cost)) + (isPrefix ? 0.05 : 0)
    if (cost < nearestMatch.cost && cost <= limit + 0.05) nearestMatch = { index, cost }
  }
  return nearestMatch
}

/** Finds two neighbouring words of the name that were typed as one. */
function findNearestPair(typed: string, words: string[], isPrefix: boolean, limit: number) {
  const pairs = words.slice(1).map((word, index) => `${words[index]}${word}`)
  const pairMatch = findNearestWord(typed, pairs, isPrefix, Math.min(limit - 0.2, 1))
  return pairMatch.index < 0 ? undefined : { index: pairMatch.index, cost: pairMatch.cost + 0.2 }
}
