import { computeWordCost } from './edit-distance.ts'
import type { SearchQuery } from './query.ts'
import { isArticle } from './tokens.ts'

/**
 * Cost of matching the words in any order. Some words may belong to the name of a cast member, and a few may be
 * missing.
 */
export function anyOrderCost(query: SearchQuery, written: string, people: string[], limit: number): number {
  let best = limit > 0.2 ? wordsCost(query, written, [], limit) : limit
  if (best <= 0.5) return best
  // A cast member is compared only when a typed word starts like a part of the name.
  for (const castName of people) {
    if (!query.words.some((word) => castName.includes(word.slice(0, 3)))) continue
    best = Math.min(best, wordsCost(query, written, castName.slice(1).split(' '), best))
  }
  return best
}

function wordsCost(query: SearchQuery, written: string, castWords: string[], limit: number): number {
  const words = written.split(' ')
  const matchedIndexes = new Set<number>()
  let total = castWords.length > 0 ? 0.5 : 0.2
  let missingCount = 0
  let lastTitleIndex = -1
  for (const [queryIndex, typedWord] of query.words.entries()) {
    const prefix = query.lastWordOpen && queryIndex === query.words.length - 1
    const wordLimit = Math.min(0.2 + 0.34 * typedWord.length, limit - total)
    const singleMatch = findNearestWord(typedWord, words, prefix, wordLimit)
    const titleMatch =
      singleMatch.cost > 0.3
        ? (findNearestPair(typedWord, words, prefix, Math.min(wordLimit, singleMatch.cost)) ?? singleMatch)
        : singleMatch
    const castMatch =
      castWords.length > 0
        ? findNearestWord(typedWord, castWords, prefix, Math.min(wordLimit, titleMatch.cost))
        : titleMatch
    if (castMatch.cost < titleMatch.cost) total += castMatch.cost
    else if (titleMatch.at >= 0) {
      total += titleMatch.cost + (titleMatch.at < lastTitleIndex ? 0.12 : 0)
      matchedIndexes.add(titleMatch.at)
      if (titleMatch !== singleMatch) matchedIndexes.add(titleMatch.at + 1)
      lastTitleIndex = titleMatch.at
    } else {
      missingCount += 1
      total += isArticle(typedWord) ? 0.25 : 0.6 + 0.3 * typedWord.length
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
  prefix: boolean,
  limit: number,
): { at: number; cost: number } {
  const exactIndex = words.indexOf(typed)
  if (exactIndex >= 0) return { at: exactIndex, cost: 0 }
  const prefixIndex = prefix ? words.findIndex((word) => word.startsWith(typed)) : -1
  if (prefixIndex >= 0) return { at: prefixIndex, cost: 0.05 }
  let nearestMatch = { at: -1, cost: Number.POSITIVE_INFINITY }
  for (const [index, word] of words.entries()) {
    const cost =
      computeWordCost(typed, word, prefix, Math.min(limit, nearestMatch.cost)) + (prefix ? 0.05 : 0)
    if (cost < nearestMatch.cost && cost <= limit + 0.05) nearestMatch = { at: index, cost }
  }
  return nearestMatch
}

/** Finds two neighbouring words of the name that were typed as one. */
function findNearestPair(typed: string, words: string[], prefix: boolean, limit: number) {
  const pairs = words.slice(1).map((word, index) => `${words[index]}${word}`)
  const pairMatch = findNearestWord(typed, pairs, prefix, Math.min(limit - 0.2, 1))
  return pairMatch.at < 0 ? undefined : { at: pairMatch.at, cost: pairMatch.cost + 0.2 }
}
