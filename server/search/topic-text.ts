/** Finds the words of a query in the texts of a title, in order to explain why it was found. */
import { foldText } from './fold.ts'
import { splitWords } from './tokens.ts'
import { toTopicToken } from './topics.ts'

/** Number of words of an excerpt before and after the found word. */
const WORDS_BEFORE = 3
const WORDS_AFTER = 5

/** Folded words are equal to a topic word, or begin with it if it is the last, which may be incomplete. */
function isTopicWordMatch(word: string, topicWords: readonly string[]): boolean {
  const token = toTopicToken(word)
  return topicWords.some((topicWord, index) =>
    index === topicWords.length - 1 && topicWord.length > 3
      ? token.startsWith(toTopicToken(topicWord))
      : token === toTopicToken(topicWord),
  )
}

/** Returns how many of the words a text contains. */
export function countTopicWords(text: string, topicWords: readonly string[]): number {
  const words = splitWords(text).words
  return topicWords.filter((_, index) => {
    const isLast = index === topicWords.length - 1
    return words.some((word) =>
      isTopicWordMatch(word, isLast ? topicWords.slice(-1) : [topicWords[index] ?? '', '']),
    )
  }).length
}

/** Returns the part of a text around the first of the words that it contains. */
export function findTopicExcerpt(text: string, topicWords: readonly string[]): string {
  const chunks = text.trim().split(/\s+/)
  const foundIndex = chunks.findIndex((chunk) =>
    splitWords(foldText(chunk)).words.some((word) => isTopicWordMatch(word, topicWords)),
  )
  if (foundIndex < 0) return ''
  const from = Math.max(0, foundIndex - WORDS_BEFORE)
  const to = Math.min(chunks.length, foundIndex + WORDS_AFTER + 1)
  return `${from > 0 ? '… ' : ''}${chunks.slice(from, to).join(' ')}${to < chunks.length ? ' …' : ''}`
}

/** Returns the words of a query, as they were typed, that a text contains. */
export function findTypedWords(query: string, text: string, topicWords: readonly string[]): string {
  return query
    .trim()
    .split(/\s+/)
    .filter((typedWord) => {
      const foldedWords = splitWords(foldText(typedWord)).words
      const foundWords = topicWords.filter((word) => foldedWords.includes(word))
      const isLast = foundWords.includes(topicWords.at(-1) ?? '')
      return foundWords.length > 0 && countTopicWords(text, isLast ? foundWords : [...foundWords, '']) > 0
    })
    .join(' ')
}
