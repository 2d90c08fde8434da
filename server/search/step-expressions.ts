/** Creates the token expressions that the tolerant steps of a search look up in the index. */
import { computeWordCost } from './edit-distance.ts'
import { isVocabularyWord } from './entry.ts'
import type { SearchRun } from './evaluate.ts'
import type { IndexWords } from './index-words.ts'
import {
  createAndExpression,
  createJoinedPairExpressions,
  createLiteralExpression,
  createLiteralOrCastExpression,
  createOrExpression,
  createSplitWordExpressions,
} from './query.ts'
import { getWordVariants, isArticle, toWordToken } from './tokens.ts'
import type { TokenExpression } from './types.ts'

/**
 * Maximum number of near words that are looked up for one word of a query. Near words are words of the index that
 * differ from the typed word by a few letters.
 */
const maxNearWordsPerWord = 48
/** Maximum number of near words that are looked up for all words of a query together. */
const maxNearWordsPerQuery = 120

export function isUnknownWord({ query }: SearchRun, indexWords: IndexWords, wordIndex: number): boolean {
  const word = query.words[wordIndex] ?? ''
  if (query.isLastWordUnfinished && wordIndex === query.words.length - 1) return false
  return (
    isVocabularyWord(word) && !indexWords.has(word) && getWordVariants(query.words, wordIndex).length === 0
  )
}

/** Returns expressions in which words are joined, split in two, or matched with the names of cast members. */
export function createSpacingExpressions(run: SearchRun, indexWords: IndexWords): TokenExpression[] {
  const { query } = run
  const createWordExpression = (wordIndex: number) =>
    createOrExpression([
      createLiteralOrCastExpression(query, wordIndex),
      ...createSplitWordExpressions(query, wordIndex, indexWords.has),
    ])
  const splitExpressions = query.words.map((_, index) =>
    createSplitWordExpressions(query, index, indexWords.has),
  )
  const alternatives = createJoinedPairExpressions(
    query,
    (index) => createLiteralExpression(query, index),
    (pair, index) => {
      const isPrefix = query.isLastWordUnfinished && index + 2 === query.words.length
      return isPrefix || indexWords.has(pair) ? [{ token: toWordToken(pair), prefix: isPrefix }] : []
    },
  )
  if (query.words.length > 1 || splitExpressions.some((expressions) => expressions.length > 0)) {
    alternatives.push(createAndExpression(query.words.map((_, index) => createWordExpression(index))))
  }
  return alternatives
}

/** Returns the number of edits that are accepted for a word of this length. */
const getMaxEdits = (wordLength: number) => (wordLength < 2 ? 0 : wordLength < 5 ? 1 : 2)

/** Returns expressions for the words of the index that are nearest to `word`, the likeliest first. */
export function createNearWordExpressions(
  run: SearchRun,
  indexWords: IndexWords,
  word: string,
  wordIndex: number,
): TokenExpression[] {
  const isWordUnfinished = run.query.isLastWordUnfinished && wordIndex === run.query.words.length - 1
  const maxEdits = getMaxEdits(word.length)
  if (maxEdits === 0 || /^\d+$/.test(word)) return []
  const nearWordMatches = [
    ...indexWords.findNearWords(word, {
      maxEdits: 1,
      hasSameFirstLetter: false,
      isWordUnfinished: isWordUnfinished && word.length > 3,
    }),
  ]
  if (maxEdits === 2)
    nearWordMatches.push(
      ...indexWords.findNearWords(word, { maxEdits: 2, hasSameFirstLetter: true, isWordUnfinished: false }),
    )
  const costByToken = new Map<string, number>()
  for (const { word: nearWord, weight, isPrefix } of nearWordMatches) {
    if (nearWord === word) continue
    const cost = computeWordCost(word, nearWord, false, 3) - weight / 500 + (isPrefix ? 0.3 : 0)
    costByToken.set(`${nearWord}${isPrefix ? '*' : ''}`, cost)
  }
  return [...costByToken]
    .sort((a, b) => a[1] - b[1])
    .slice(0, Math.min(maxNearWordsPerWord, Math.ceil(maxNearWordsPerQuery / run.query.words.length)))
    .map(([nearWord]) =>
      nearWord.endsWith('*')
        ? { token: nearWord.slice(0, -1), prefix: true }
        : { token: nearWord, prefix: false },
    )
}

/**
 * Returns a list of one expression, in which near words replace the word at `misspeltWordIndex`. Returns an empty list
 * when there are no near words.
 */
export function createOneMisspeltExpressions(
  literalExpressions: TokenExpression[],
  nearWordExpressionLists: TokenExpression[][],
  misspeltWordIndex: number,
): TokenExpression[] {
  const replacements = nearWordExpressionLists[misspeltWordIndex] ?? []
  if (replacements.length === 0) return []
  return [
    createAndExpression(
      literalExpressions.map((expression, index) =>
        index === misspeltWordIndex ? createOrExpression(replacements) : expression,
      ),
    ),
  ]
}

/**
 * Returns one expression for each way to omit one word. Articles and single letters are always omitted. If the query
 * has such words, the first expression contains all other words of the query and accepts misspellings.
 */
export function createOneOmittedExpressions(
  run: SearchRun,
  tolerantExpressions: TokenExpression[],
  literalExpressions: TokenExpression[],
): TokenExpression[] {
  const significantWordIndexes = run.query.words.flatMap((word, index) =>
    isArticle(word) || word.length < 2 ? [] : [index],
  )
  if (significantWordIndexes.length === 0) return []
  const listWordIndexesWithout = (omittedWordIndex: number) =>
    significantWordIndexes.filter((index) => index !== omittedWordIndex)
  const alternatives =
    significantWordIndexes.length < 2
      ? []
      : significantWordIndexes
          .slice(0, 12)
          .map((omittedWordIndex) =>
            createAndExpression(
              listWordIndexesWithout(omittedWordIndex).map((index) => literalExpressions[index]!),
            ),
          )
  return significantWordIndexes.length < run.query.words.length
    ? [
        createAndExpression(significantWordIndexes.map((index) => tolerantExpressions[index]!)),
        ...alternatives,
      ]
    : alternatives
}
