/** Finds the words of a query in the texts of a title, in order to explain why the title was found. */
import { foldText } from './fold.ts'
import { splitWords } from './tokens.ts'
import { toTopicToken } from './topics.ts'

/** Number of words of an excerpt before the found word. */
const EXCERPT_WORDS_BEFORE = 3
/** Number of words of an excerpt after the found word. */
const EXCERPT_WORDS_AFTER = 5

/**
 * True when a folded word and a topic word have equal tokens. The last topic word may be incomplete. If it
 * has more than three letters, the token of the folded word only has to begin with the token of the topic
 * word.
 */
function isTopicWordMatch(word: string, topicWords: readonly string[]): boolean {
  const token = toTopicToken(word)
  return topicWords.some((topicWord, index) =>
    index === topicWords.length - 1 && topicWord.length > 3
      ? token.startsWith(toTopicToken(topicWord))
      : token === toTopicToken(topicWord),
  )
}

/** Returns how many of the topic words a text contains. */
export function countTopicWords(text: string, topicWords: readonly string[]): number {
  const words = splitWords(text).words
  return topicWords.filter((_, index) => {
    const isLastWord = index === topicWords.length - 1
    return words.some((word) =>
      isTopicWordMatch(word, isLastWord ? topicWords.slice(-1) : [topicWords[index] ?? '', '']),
    )
  }).length
}

/** Returns the part of a text around its first topic word, or an empty string when it has no topic word. */
export function findTopicExcerpt(text: string, topicWords: readonly string[]): string {
  const chunks = text.trim().split(/\s+/)
  const foundIndex = chunks.findIndex((chunk) =>
    splitWords(foldText(chunk)).words.some((word) => isTopicWordMatch(word, topicWords)),
  )
  if (foundIndex < 0) return ''
  const startIndex = Math.max(0, foundIndex - EXCERPT_WORDS_BEFORE)
  const endIndex = Math.min(chunks.length, foundIndex + EXCERPT_WORDS_AFTER + 1)
  return `${startIndex > 0 ? '… ' : ''}${chunks.slice(startIndex, endIndex).join(' ')}${endIndex < chunks.length ? ' …' : ''}`
}

/** Returns the words of `query` that belong to `topicWords` and occur in `text`, in the form that the user typed. */
export function findTypedWords(query: string, text: string, topicWords: readonly string[]): string {
  return query
    .trim()
    .split(/\s+/)
    .filter((typedWord) => {
      const foldedWords = splitWords(foldText(typedWord)).words
      const foundWords = topicWords.filter((word) => foldedWords.includes(word))
      const isLastWordFound = foundWords.includes(topicWords.at(-1) ?? '')
      return (
        foundWords.length > 0 && countTopicWords(text, isLastWordFound ? foundWords : [...foundWords, '']) > 0
      )
    })
    .join(' ')
}
