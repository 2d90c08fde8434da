/** Parses a typed query and builds the token expressions that are looked up for it. */
import { castToken, foldName, yearToken } from './entry.ts'
import { romanise, soundSkeleton } from './sound.ts'
import {
  isUnspacedScript,
  maxQueryWords,
  nameKeys,
  splitWords,
  toCharPairs,
  wordToken,
  wordVariants,
} from './tokens.ts'
import type { TokenExpression } from './types.ts'

export type SearchQuery = {
  words: string[]
  written: string
  plain: string
  keys: { full: string; bare: string }
  symbols: string[]
  /** True when the user may still be typing the last word, so it also matches as a prefix. */
  lastWordOpen: boolean
  /** Index of the word that looks like a year, or -1. */
  yearIndex: number
  year: number
  /** The consonant skeletons of its words, and its words in Latin letters. */
  sound: string
  latin: string
}

const maxQueryLength = 200

export function parseQuery(input: string): SearchQuery {
  const text = input.slice(0, maxQueryLength).toWellFormed()
  const splitQuery = splitWords(text)
  const words = splitQuery.words.slice(0, maxQueryWords)
  const { written, plain } = foldName(text)
  const yearAt = words.length > 1 ? words.findLastIndex((word) => /^(18[89]|19\d|20[0-4])\d$/.test(word)) : -1
  return {
    words,
    written,
    plain,
    keys: words.length > 0 ? nameKeys(words) : { full: written.slice(0, 80), bare: '' },
    symbols: splitQuery.extra.filter((tokenExpression) => tokenExpression.startsWith('§')).slice(0, 8),
    lastWordOpen: words.length > 0 && /[\p{L}\p{N}\p{M}+#]$/u.test(text),
    yearIndex: yearAt,
    year: yearAt < 0 ? 0 : Number(words[yearAt]),
    sound: words.map(soundSkeleton).join(' ').trim(),
    latin: words.map(romanise).join(' '),
  }
}

const tokenExpression = (text: string, prefix = false): TokenExpression => ({ token: text, prefix })
export const allOf = (parts: TokenExpression[]): TokenExpression =>
  parts.length === 1 ? parts[0]! : { all: parts }
export const anyOf = (parts: TokenExpression[]): TokenExpression =>
  parts.length === 1 ? parts[0]! : { any: parts }

/** Expression for the word at `index` as typed, including its variants (numerals, Arabic without the article, year). */
export function literalExpression(query: SearchQuery, index: number): TokenExpression {
  const word = query.words[index] ?? ''
  const prefix = query.lastWordOpen && index === query.words.length - 1
  if (isUnspacedScript(word)) {
    const charPairs = toCharPairs(word)
    if (charPairs.length === 1) return tokenExpression(word, true)
    return allOf(charPairs.slice(0, -1).map((charPair) => tokenExpression(charPair)))
  }
  const alternatives = [
    tokenExpression(wordToken(word), prefix),
    ...wordVariants(query.words, index).map((variant) =>
      tokenExpression(variant, prefix && variant.length > 2),
    ),
  ]
  if (index === query.yearIndex) alternatives.push(tokenExpression(yearToken(word)))
  return anyOf(alternatives)
}

/** Expression for the word at `index` as typed, or as part of the name of a cast member. */
export function literalOrCastExpression(query: SearchQuery, index: number): TokenExpression {
  const prefix = query.lastWordOpen && index === query.words.length - 1
  return anyOf([
    literalExpression(query, index),
    tokenExpression(castToken(query.words[index] ?? ''), prefix),
  ])
}

/** Expressions for the word at `index` split into two words. A part of three letters or more must be a known word. */
export function splitWordExpressions(
  query: SearchQuery,
  index: number,
  isKnownWord: (word: string) => boolean,
): TokenExpression[] {
  const word = query.words[index] ?? ''
  const prefix = query.lastWordOpen && index === query.words.length - 1
  const alternatives: TokenExpression[] = []
  for (let splitIndex = 1; splitIndex < word.length && word.length >= 4; splitIndex += 1) {
    const [left, right] = [word.slice(0, splitIndex), word.slice(splitIndex)]
    if ((left.length < 3 || isKnownWord(left)) && (right.length < 3 || prefix || isKnownWord(right))) {
      alternatives.push(allOf([tokenExpression(left), tokenExpression(right, prefix)]))
    }
  }
  return alternatives
}

/**
 * Expressions for all words of the query where one pair of neighbours is written as one word. `pairExpressions`
 * returns the expressions for the joined pair.
 */
export function joinedPairExpressions(
  query: SearchQuery,
  wordExpression: (index: number) => TokenExpression,
  pairExpressions: (pairAlternatives: string, index: number) => TokenExpression[],
): TokenExpression[] {
  const alternatives: TokenExpression[] = []
  for (let index = 0; index + 1 < query.words.length && index < 8; index += 1) {
    const pairAlternatives = pairExpressions(`${query.words[index]}${query.words[index + 1]}`, index)
    if (pairAlternatives.length === 0) continue
    const otherWords = query.words.flatMap((_, wordIndex) =>
      wordIndex === index || wordIndex === index + 1 ? [] : [wordExpression(wordIndex)],
    )
    alternatives.push(allOf([anyOf(pairAlternatives), ...otherWords]))
  }
  return alternatives
}
