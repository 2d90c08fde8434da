/** Parses a typed query and builds the token expressions that the search looks up. */
import { foldName, toCastToken, toYearToken } from './entry.ts'
import { computeSoundSkeleton, romanise } from './sound.ts'
import {
  createNameKeys,
  getWordVariants,
  isUnspacedScript,
  maxQueryWords,
  normaliseWords,
  splitWords,
  toCharPairs,
  toWordToken,
} from './tokens.ts'
import type { TokenExpression } from './types.ts'

export type SearchQuery = {
  words: string[]
  writtenText: string
  plainText: string
  keys: { fullNameKey: string; bareNameKey: string }
  symbols: string[]
  /** Acronym token when the query is one word written with dots, such as "E.T."; otherwise undefined. */
  acronymToken: string | undefined
  /** True when the user may still be typing the last word. The word then also matches as a prefix. */
  isLastWordUnfinished: boolean
  /** Numbers that may belong to a sequel, as digits: "7" for "fast and furious VII". */
  numbers: string[]
  /** Index of the word that looks like a year, or -1. */
  yearIndex: number
  year: number
  /** The consonant skeletons of the words, separated by spaces. */
  soundSkeletons: string
  /** The words transliterated to Latin letters, separated by spaces. */
  romanisedText: string
}

const maxQueryLength = 200

export function parseQuery(input: string): SearchQuery {
  const queryText = input.slice(0, maxQueryLength).toWellFormed()
  const tokenisedQuery = splitWords(queryText)
  const words = tokenisedQuery.words.slice(0, maxQueryWords)
  const { writtenText, plainText } = foldName(queryText)
  const yearIndex =
    words.length > 1 ? words.findLastIndex((word) => /^(18[89]|19\d|20[0-4])\d$/.test(word)) : -1
  return {
    words,
    writtenText,
    plainText,
    keys:
      words.length > 0 ? createNameKeys(words) : { fullNameKey: writtenText.slice(0, 80), bareNameKey: '' },
    symbols: tokenisedQuery.extraWords.filter((token) => /^§[\da-f]+$/.test(token)).slice(0, 8),
    acronymToken:
      words.length === 1 ? tokenisedQuery.extraWords.find((token) => token.startsWith('§i')) : undefined,
    isLastWordUnfinished: words.length > 0 && /[\p{L}\p{N}\p{M}+#]$/u.test(queryText),
    numbers: normaliseWords(words)
      .slice(1)
      .filter((word) => /^\d{1,2}$/.test(word)),
    yearIndex,
    year: yearIndex < 0 ? 0 : Number(words[yearIndex]),
    soundSkeletons: words.map(computeSoundSkeleton).join(' ').trim(),
    romanisedText: words.map(romanise).join(' '),
  }
}

const createTokenExpression = (text: string, isPrefix = false): TokenExpression => ({
  token: text,
  prefix: isPrefix,
})
export const createAndExpression = (parts: TokenExpression[]): TokenExpression =>
  parts.length === 1 ? parts[0]! : { all: parts }
export const createOrExpression = (parts: TokenExpression[]): TokenExpression =>
  parts.length === 1 ? parts[0]! : { any: parts }

/**
 * Returns the expression for the word at `wordIndex` as typed, and for its variants: its number, its form without the
 * Arabic article and, if the word looks like a year, the release year. For a word in an unspaced script, returns the
 * expression for the character pairs of the word.
 */
export function createLiteralExpression(query: SearchQuery, wordIndex: number): TokenExpression {
  const word = query.words[wordIndex] ?? ''
  const isPrefix = query.isLastWordUnfinished && wordIndex === query.words.length - 1
  if (isUnspacedScript(word)) {
    const charPairs = toCharPairs(word)
    if (charPairs.length === 1) return createTokenExpression(word, true)
    return createAndExpression(charPairs.slice(0, -1).map((charPair) => createTokenExpression(charPair)))
  }
  const alternatives = [
    createTokenExpression(toWordToken(word), isPrefix),
    ...getWordVariants(query.words, wordIndex).map((variant) =>
      createTokenExpression(variant, isPrefix && variant.length > 2),
    ),
  ]
  if (wordIndex === query.yearIndex) alternatives.push(createTokenExpression(toYearToken(word)))
  return createOrExpression(alternatives)
}

/** Returns the expression for the word at `wordIndex` as typed, or as part of the name of a cast member. */
export function createLiteralOrCastExpression(query: SearchQuery, wordIndex: number): TokenExpression {
  const isPrefix = query.isLastWordUnfinished && wordIndex === query.words.length - 1
  return createOrExpression([
    createLiteralExpression(query, wordIndex),
    createTokenExpression(toCastToken(query.words[wordIndex] ?? ''), isPrefix),
  ])
}

/**
 * Returns expressions for the word at `wordIndex`, split into two words. A part of three or more letters must be a
 * known word, unless the user may still be typing it. Returns an empty list for a word of fewer than four letters.
 */
export function createSplitWordExpressions(
  query: SearchQuery,
  wordIndex: number,
  isKnownWord: (word: string) => boolean,
): TokenExpression[] {
  const word = query.words[wordIndex] ?? ''
  const isPrefix = query.isLastWordUnfinished && wordIndex === query.words.length - 1
  const alternatives: TokenExpression[] = []
  for (let splitIndex = 1; splitIndex < word.length && word.length >= 4; splitIndex += 1) {
    const [leftPart, rightPart] = [word.slice(0, splitIndex), word.slice(splitIndex)]
    if (
      (leftPart.length < 3 || isKnownWord(leftPart)) &&
      (rightPart.length < 3 || isPrefix || isKnownWord(rightPart))
    ) {
      alternatives.push(
        createAndExpression([createTokenExpression(leftPart), createTokenExpression(rightPart, isPrefix)]),
      )
    }
  }
  return alternatives
}

/**
 * Returns one expression for each of the first eight pairs of neighbouring words of the query. In each expression, the
 * pair is joined to one word, and all other words of the query must match too. `createPairExpressions` returns the
 * expressions for the joined pair; a pair without such expressions is skipped.
 */
export function createJoinedPairExpressions(
  query: SearchQuery,
  createWordExpression: (wordIndex: number) => TokenExpression,
  createPairExpressions: (pair: string, wordIndex: number) => TokenExpression[],
): TokenExpression[] {
  const alternatives: TokenExpression[] = []
  for (let index = 0; index + 1 < query.words.length && index < 8; index += 1) {
    const pairAlternatives = createPairExpressions(`${query.words[index]}${query.words[index + 1]}`, index)
    if (pairAlternatives.length === 0) continue
    const otherWords = query.words.flatMap((_, wordIndex) =>
      wordIndex === index || wordIndex === index + 1 ? [] : [createWordExpression(wordIndex)],
    )
    alternatives.push(createAndExpression([createOrExpression(pairAlternatives), ...otherWords]))
  }
  return alternatives
}
