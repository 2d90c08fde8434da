/** Converts catalogue documents to index entries: tokens, name keys and folded names. */

import { foldText } from './fold.ts'
import { createInitialsKeys } from './initials.ts'
import { computeSlot, getSlotKind, isKidsSlot } from './slot.ts'
import { computeSoundSkeleton } from './sound.ts'
import { createNameKeys, createNameTokens, isUnspacedScript, normaliseWords, splitWords } from './tokens.ts'
import { createTopicTokens, kidsToken } from './topics.ts'
import type { IndexEntry, SearchDoc } from './types.ts'

export const toYearToken = (year: number | string) => `§y${year}`
export const toCastToken = (word: string) => `¶${word}`
const maxCastNames = 8
const maxCrewNames = 3

/**
 * Returns two forms of a name that are compared with a query. `writtenText` holds the folded words. `plainText` holds
 * the normalised words: numerals as digits, and Arabic words without their article. For a name without
 * words, both forms hold its symbols.
 */
export function foldName(text: string): { writtenText: string; plainText: string } {
  const { words } = splitWords(text)
  return foldNameWords(text, words, normaliseWords(words))
}

function foldNameWords(
  text: string,
  words: readonly string[],
  normalisedWords: readonly string[],
): { writtenText: string; plainText: string } {
  if (words.length > 0) return { writtenText: words.join(' '), plainText: normalisedWords.join(' ') }
  const symbols = foldText(text).replaceAll(' ', '')
  return { writtenText: symbols, plainText: symbols }
}

/**
 * Builds the index entry of a document.
 * @throws RangeError when `doc_id` is outside the range of a slot.
 */
export function buildIndexEntry(sourceDoc: SearchDoc): IndexEntry {
  const cleanText = (text: string) => text.replaceAll('\0', '').toWellFormed()
  const doc = {
    ...sourceDoc,
    names: sourceDoc.names.map((name) => ({ ...name, text: cleanText(name.text) })),
    people: (sourceDoc.people ?? []).slice(0, maxCastNames).map(cleanText),
    crew: (sourceDoc.crew ?? []).map(cleanText),
  }
  const tokens = new Set<string>()
  const nameKeys = new Set<string>()
  const foldedLines: string[] = []
  for (const { text } of doc.names) {
    const tokenisedName = splitWords(text)
    for (const token of createNameTokens(tokenisedName)) tokens.add(token)
    const normalisedWords = normaliseWords(tokenisedName.words)
    const { fullNameKey, bareNameKey } = createNameKeys(tokenisedName.words, normalisedWords)
    const { writtenText, plainText } = foldNameWords(text, tokenisedName.words, normalisedWords)
    nameKeys.add(fullNameKey || writtenText.slice(0, 80))
    nameKeys.add(tokenisedName.words.join('').slice(0, 80))
    for (const key of createInitialsKeys(text, doc)) nameKeys.add(key)
    if (bareNameKey !== '') nameKeys.add(bareNameKey)
    foldedLines.push(writtenText === plainText ? writtenText : `${writtenText}\t${plainText}`)
  }
  for (const person of new Set([...doc.people, ...doc.crew.slice(0, maxCrewNames)])) {
    const { words } = splitWords(person)
    for (const word of words) tokens.add(toCastToken(word))
    foldedLines.push(`·${words.join(' ')}`)
  }
  if (doc.kids) tokens.add(kidsToken)
  if (doc.year !== undefined) tokens.add(toYearToken(doc.year))
  nameKeys.delete('')
  const { doc_id, kind, media_id, popularity, year } = doc
  return {
    slot: computeSlot(kind, popularity, doc_id, doc.kids),
    doc: { doc_id, kind, media_id, popularity, ...(year !== undefined && { year }) },
    names: JSON.stringify(doc.names.map((name) => name.text)),
    tokens: [...tokens].join(' '),
    keys: [...nameKeys],
    topicTokens: kind === 'actor' ? '' : createTopicTokens(doc).join(' '),
    folds: foldedLines.join('\n'),
  }
}

/** Adds `countChange` to the document count of each vocabulary word of the entry, in `wordCounts`. */
export function addEntryWordCounts(
  { tokens }: IndexEntry,
  countChange: number,
  wordCounts: Map<string, number>,
): void {
  for (const token of tokens.split(' ')) {
    const count = wordCounts.get(token)
    if (count !== undefined || isVocabularyWord(token)) wordCounts.set(token, (count ?? 0) + countChange)
  }
}

/**
 * True for a token that can replace a misspelt word. Such a token is a word and not a special token, such as the token
 * of a year. It has 2 to 40 characters, is not a number, and is not in a script that is written without spaces between
 * words.
 */
export const isVocabularyWord = (token: string) =>
  token.length > 1 &&
  token.length <= 40 &&
  !/[§¶¤]/.test(token) &&
  !/^\d+$/.test(token) &&
  !isUnspacedScript(token)

export const getWordSound = (token: string) => (isVocabularyWord(token) ? computeSoundSkeleton(token) : '')

export type StoredDocRow = {
  slot: number
  doc_id: number
  media_id: string
  year: number | null
  popularity: number
  names: string
}

/**
 * Rebuilds the index entry of a stored document from its names, so that its keys and word counts can be
 * removed. The entry lacks the tokens of people and topics, which are neither keys nor words of the vocabulary.
 */
export function rebuildStoredEntry(row: StoredDocRow): IndexEntry {
  return buildIndexEntry({
    doc_id: row.doc_id,
    kind: getSlotKind(row.slot),
    media_id: row.media_id,
    kids: isKidsSlot(row.slot),
    visible: true,
    popularity: row.popularity,
    names: (JSON.parse(row.names) as string[]).map((text) => ({ lang: '', text, role: 'main' })),
    ...(row.year === null ? {} : { year: row.year }),
  })
}
