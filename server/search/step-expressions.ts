/** The token expressions that the wider steps of a search ask the index for. */
import { computeWordCost } from './edit-distance.ts'
import { isVocabularyWord } from './entry.ts'
import type { SearchRun } from './evaluate.ts'
import type { IndexWords } from './index-words.ts'
import {
  allOf,
  anyOf,
  joinedPairExpressions,
  literalExpression,
  literalOrCastExpression,
  splitWordExpressions,
} from './query.ts'
import { isArticle, wordToken, wordVariants } from './tokens.ts'
import type { TokenExpression } from './types.ts'

/** Maximum number of near words looked up for one word, and for all words of a query together. */
const maxNearPerWord = 48
const maxNearPerQuery = 120

export function isUnknownWord({ query }: SearchRun, words: IndexWords, index: number): boolean {
  const word = query.words[index] ?? ''
  if (query.lastWordOpen && index === query.words.length - 1) return false
  return isVocabularyWord(word) && !words.has(word) && wordVariants(query.words, index).length === 0
}

/** Expressions for words written together or split, and for words that belong to the name of a cast member. */
export function spacingExpressions(run: SearchRun, words: IndexWords): TokenExpression[] {
  const { query } = run
  const wordExpression = (index: number) =>
    anyOf([literalOrCastExpression(query, index), ...splitWordExpressions(query, index, words.has)])
  const splitExpressions = query.words.map((_, index) => splitWordExpressions(query, index, words.has))
  const alternatives = joinedPairExpressions(
    query,
    (index) => literalExpression(query, index),
    (pair, index) => {
      const prefix = query.lastWordOpen && index + 2 === query.words.length
      return prefix || words.has(pair) ? [{ token: wordToken(pair), prefix }] : []
    },
  )
  if (query.words.length > 1 || splitExpressions.some((expressions) => expressions.length > 0)) {
    alternatives.push(allOf(query.words.map((_, index) => wordExpression(index))))
  }
  return alternatives
}

/** Number of edits allowed for a word of this length. */
const editsFor = (length: number) => (length < 2 ? 0 : length < 5 ? 1 : 2)

/** Expressions for the words of the index nearest to the typed one, the likeliest first. */
export function nearWordExpressions(
  run: SearchRun,
  words: IndexWords,
  word: string,
  index: number,
): TokenExpression[] {
  const prefix = run.query.lastWordOpen && index === run.query.words.length - 1
  const edits = editsFor(word.length)
  if (edits === 0 || /^\d+$/.test(word)) return []
  const nearMatches = [
    ...words.findNear(word, { edits: 1, sameFirst: false, open: prefix && word.length > 3 }),
  ]
  if (edits === 2) nearMatches.push(...words.findNear(word, { edits: 2, sameFirst: true, open: false }))
  const costByToken = new Map<string, number>()
  for (const { word: nearWord, weight, isPrefix } of nearMatches) {
    if (nearWord === word) continue
    const cost = computeWordCost(word, nearWord, false, 3) - weight / 500 + (isPrefix ? 0.3 : 0)
    costByToken.set(`${nearWord}${isPrefix ? '*' : ''}`, cost)
  }
  return [...costByToken]
    .sort((a, b) => a[1] - b[1])
    .slice(0, Math.min(maxNearPerWord, Math.ceil(maxNearPerQuery / run.query.words.length)))
    .map(([nearWord]) =>
      nearWord.endsWith('*')
        ? { token: nearWord.slice(0, -1), prefix: true }
        : { token: nearWord, prefix: false },
    )
}

export function oneMisspelt(
  literalExpressions: TokenExpression[],
  nearWords: TokenExpression[][],
  misspeltIndex: number,
): TokenExpression[] {
  const replacements = nearWords[misspeltIndex] ?? []
  if (replacements.length === 0) return []
  return [
    allOf(
      literalExpressions.map((expression, index) =>
        index === misspeltIndex ? anyOf(replacements) : expression,
      ),
    ),
  ]
}

/** Expressions for all words but one. Articles and single letters are left out as well. */
export function oneMissing(
  run: SearchRun,
  tolerantExpressions: TokenExpression[],
  literalExpressions: TokenExpression[],
): TokenExpression[] {
  const significantIndexes = run.query.words.flatMap((word, index) =>
    isArticle(word) || word.length < 2 ? [] : [index],
  )
  if (significantIndexes.length === 0) return []
  const indexesWithout = (omitted: number) => significantIndexes.filter((index) => index !== omitted)
  const alternatives =
    significantIndexes.length < 2
      ? []
      : significantIndexes
          .slice(0, 12)
          .map((omitted) => allOf(indexesWithout(omitted).map((index) => literalExpressions[index]!)))
  return significantIndexes.length < run.query.words.length
    ? [allOf(significantIndexes.map((index) => tolerantExpressions[index]!)), ...alternatives]
    : alternatives
}
