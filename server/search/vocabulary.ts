/**
 * The sorted words of the index in memory. A search looks among these words for words that are near a misspelt word.
 * The vocabulary takes about 2 bytes per letter and 6 bytes per word: 25 MB for a million words.
 */

import { growArray, resizeArray } from '../core/grow-array.ts'

export type Vocabulary = {
  wordCount: number
  letters: Uint16Array
  /** Offset of word i in `letters`. The array has one more entry than the number of words: the end of the last word. */
  wordStarts: Uint32Array
  /** Number of leading letters that word i shares with word i-1. */
  sharedLetterCounts: Uint8Array
  /** Index of the first word of each run (words that share RUN_LETTER_COUNT first letters). `wordCount` comes last. */
  runStarts: Uint32Array
  /** Frequency of word i: 8 log2(1 + documents), at most 255. */
  wordWeights: Uint8Array
}

/** Maximum length of a word in UTF-16 code units; longer words are not stored, and a longer typed word is cut. */
const maxWordLength = 40
/**
 * Number of first letters that all words of a run have in common. A run is skipped if these letters are too far from
 * the query.
 */
const RUN_LETTER_COUNT = 3

/**
 * Builds a vocabulary. The words must be added in sorted order. The order may be that of UTF-8 or of UTF-16, because in
 * both, words with a common prefix follow each other.
 */
export class VocabularyPacker {
  #letters = new Uint16Array(1 << 16)
  #wordStarts = new Uint32Array(1 << 13)
  #sharedLetterCounts = new Uint8Array(1 << 13)
  #wordWeights = new Uint8Array(1 << 13)
  readonly #runStarts: number[] = []
  #wordCount = 0
  #letterCount = 0
  #previousWord = ''

  add(word: string, documentCount: number): void {
    const previousWord = this.#previousWord
    if (word.length > maxWordLength || word === previousWord) return
    this.#ensureCapacity(word.length)
    let sharedLetterCount = 0
    while (
      sharedLetterCount < word.length &&
      word.charCodeAt(sharedLetterCount) === previousWord.charCodeAt(sharedLetterCount)
    )
      sharedLetterCount += 1
    if (sharedLetterCount < RUN_LETTER_COUNT) this.#runStarts.push(this.#wordCount)
    this.#wordStarts[this.#wordCount] = this.#letterCount
    this.#sharedLetterCounts[this.#wordCount] = sharedLetterCount
    this.#wordWeights[this.#wordCount] = Math.min(255, Math.round(8 * Math.log2(1 + documentCount)))
    for (let letterIndex = 0; letterIndex < word.length; letterIndex += 1)
      this.#letters[this.#letterCount + letterIndex] = word.charCodeAt(letterIndex)
    this.#letterCount += word.length
    this.#wordCount += 1
    this.#previousWord = word
  }

  /** Returns the vocabulary. No word may be added afterwards. */
  toVocabulary(): Vocabulary {
    const [wordCount, letterCount] = [this.#wordCount, this.#letterCount]
    this.#wordStarts[wordCount] = letterCount
    return {
      wordCount,
      letters: resizeArray(this.#letters, letterCount),
      wordStarts: resizeArray(this.#wordStarts, wordCount + 1),
      sharedLetterCounts: resizeArray(this.#sharedLetterCounts, wordCount),
      runStarts: Uint32Array.from([...this.#runStarts, wordCount]),
      wordWeights: resizeArray(this.#wordWeights, wordCount),
    }
  }

  #ensureCapacity(letterCount: number): void {
    const neededLetterCount = this.#letterCount + letterCount
    if (neededLetterCount > this.#letters.length) this.#letters = growArray(this.#letters, neededLetterCount)
    // One element for the new word, and one for the end of the last word, which `toVocabulary` adds.
    const neededStartCount = this.#wordCount + 2
    if (neededStartCount > this.#wordStarts.length)
      this.#wordStarts = growArray(this.#wordStarts, neededStartCount)
    const neededWordCount = this.#wordCount + 1
    if (neededWordCount <= this.#wordWeights.length) return
    this.#sharedLetterCounts = growArray(this.#sharedLetterCounts, neededWordCount)
    this.#wordWeights = growArray(this.#wordWeights, neededWordCount)
  }
}

export function getWordAt(vocabulary: Vocabulary, wordIndex: number): string {
  const { letters, wordStarts } = vocabulary
  return String.fromCharCode(...letters.subarray(wordStarts[wordIndex], wordStarts[wordIndex + 1]))
}

/**
 * Returns whether the vocabulary contains a word. Uses binary search. The database may sort words outside the
 * Basic Multilingual Plane in another order, so the search may miss these words.
 */
export function containsWord(vocabulary: Vocabulary, word: string): boolean {
  let [lowIndex, highIndex] = [0, vocabulary.wordCount]
  while (lowIndex < highIndex) {
    const middleIndex = (lowIndex + highIndex) >> 1
    if (compareWordAt(vocabulary, middleIndex, word) < 0) lowIndex = middleIndex + 1
    else highIndex = middleIndex
  }
  return lowIndex < vocabulary.wordCount && compareWordAt(vocabulary, lowIndex, word) === 0
}

/**
 * Returns a negative number if the word at `wordIndex` sorts before `word`, 0 if both are equal, and otherwise a
 * positive number.
 */
function compareWordAt({ letters, wordStarts }: Vocabulary, wordIndex: number, word: string): number {
  const startOffset = wordStarts[wordIndex] ?? 0
  const wordLength = (wordStarts[wordIndex + 1] ?? 0) - startOffset
  for (let letterIndex = 0; letterIndex < wordLength && letterIndex < word.length; letterIndex += 1) {
    const difference = (letters[startOffset + letterIndex] ?? 0) - word.charCodeAt(letterIndex)
    if (difference !== 0) return difference
  }
  return wordLength - word.length
}

export type NearWord = {
  word: string
  distance: number
  weight: number
  /** True when `word` is only a prefix. The caller then looks up all words that start with it. */
  isPrefix: boolean
}

const tableWidth = maxWordLength + 2

/**
 * Returns the words at most `maxEdits` insertions, deletions, replacements or transpositions away from `typedWord`.
 * `hasSameFirstLetter` excludes words with another first letter, which makes two edits fast enough on a large
 * vocabulary. `isWordUnfinished` means that the user may still be typing the word. The result then also contains
 * prefixes of words if the prefix is at most `maxEdits` away from `typedWord`.
 */
export function findNearWords(
  vocabulary: Vocabulary,
  typedWord: string,
  {
    maxEdits,
    hasSameFirstLetter,
    isWordUnfinished,
  }: { maxEdits: number; hasSameFirstLetter: boolean; isWordUnfinished: boolean },
): NearWord[] {
  const query = typedWord.slice(0, maxWordLength)
  const queryLength = query.length
  const distanceTable = new Uint8Array(tableWidth * tableWidth)
  for (let column = 0; column <= queryLength; column += 1) distanceTable[column] = column
  const nearWords: NearWord[] = []
  const { letters, wordStarts, sharedLetterCounts, runStarts, wordWeights } = vocabulary
  // Each of the next three values is the length of a prefix of the current word. A value stays valid for the next word
  // if the next word has the same prefix.
  // Length of the prefix whose rows in the table are filled: the rows 0 to `validRowCount`.
  let validRowCount = 0
  // Length of a prefix that is already too far from the query; 0 means none.
  let rejectedPrefixLength = 0
  // Length of the prefix that was last added to `nearWords`; 0 means none.
  let reportedPrefixLength = 0
  for (let runIndex = 0; runIndex + 1 < runStarts.length; runIndex += 1) {
    const runEnd = runStarts[runIndex + 1] ?? 0
    for (let wordIndex = runStarts[runIndex] ?? 0; wordIndex < runEnd; wordIndex += 1) {
      const sharedLetterCount = sharedLetterCounts[wordIndex] ?? 0
      if (rejectedPrefixLength > 0 && sharedLetterCount >= rejectedPrefixLength) {
        if (rejectedPrefixLength <= RUN_LETTER_COUNT) break
        continue
      }
      rejectedPrefixLength = 0
      if (validRowCount > sharedLetterCount) validRowCount = sharedLetterCount
      if (reportedPrefixLength > sharedLetterCount) reportedPrefixLength = 0
      const startOffset = wordStarts[wordIndex] ?? 0
      const wordLength = (wordStarts[wordIndex + 1] ?? 0) - startOffset
      if (hasSameFirstLetter && letters[startOffset] !== query.charCodeAt(0)) {
        rejectedPrefixLength = 1
        break
      }
      for (let depth = validRowCount + 1; depth <= wordLength && rejectedPrefixLength === 0; depth += 1) {
        if (fillTableRow(distanceTable, query, { letters, startOffset, depth, maxEdits }) > maxEdits)
          rejectedPrefixLength = depth
        validRowCount = depth
        const distance =
          queryLength > depth + maxEdits
            ? maxEdits + 1
            : (distanceTable[depth * tableWidth + queryLength] ?? 255)
        if (distance > maxEdits || rejectedPrefixLength > 0) continue
        if (depth === wordLength)
          nearWords.push({
            word: getWordAt(vocabulary, wordIndex),
            distance,
            weight: wordWeights[wordIndex] ?? 0,
            isPrefix: false,
          })
        else if (isWordUnfinished && reportedPrefixLength === 0 && depth >= queryLength - 1) {
          reportedPrefixLength = depth
          const word = String.fromCharCode(...letters.subarray(startOffset, startOffset + depth))
          nearWords.push({ word, distance, weight: 0, isPrefix: true })
        }
      }
    }
  }
  return nearWords
}

type DistanceTableRow = { letters: Uint16Array; startOffset: number; depth: number; maxEdits: number }

/**
 * Fills row `depth` of the edit table with the distances between the first `depth` letters of the word and prefixes of
 * the query. Returns the lowest distance in the row. Only prefixes whose length differs from `depth` by at most
 * `maxEdits` are compared, because all other prefixes are too far. The cells beside the compared prefixes get a
 * distance above `maxEdits`.
 */
function fillTableRow(
  distanceTable: Uint8Array,
  query: string,
  { letters, startOffset, depth, maxEdits }: DistanceTableRow,
): number {
  const queryLength = query.length
  const wordCode = letters[startOffset + depth - 1] as number
  const previousWordCode = depth > 1 ? (letters[startOffset + depth - 2] as number) : -1
  const rowOffset = depth * tableWidth
  const previousRowOffset = rowOffset - tableWidth
  const firstColumn = Math.max(1, depth - maxEdits)
  const lastColumn = Math.min(queryLength, depth + maxEdits)
  distanceTable[rowOffset + firstColumn - 1] = firstColumn === 1 ? depth : maxEdits + 1
  let lowestDistance = depth
  for (let column = firstColumn; column <= lastColumn; column += 1) {
    const queryCode = query.charCodeAt(column - 1)
    let cost = (distanceTable[previousRowOffset + column - 1] as number) + (queryCode === wordCode ? 0 : 1)
    const insertionCost = (distanceTable[previousRowOffset + column] as number) + 1
    if (insertionCost < cost) cost = insertionCost
    const deletionCost = (distanceTable[rowOffset + column - 1] as number) + 1
    if (deletionCost < cost) cost = deletionCost
    if (column > 1 && queryCode === previousWordCode && wordCode === query.charCodeAt(column - 2)) {
      const transpositionCost = (distanceTable[previousRowOffset - tableWidth + column - 2] as number) + 1
      if (transpositionCost < cost) cost = transpositionCost
    }
    distanceTable[rowOffset + column] = cost
    if (cost < lowestDistance) lowestDistance = cost
  }
  if (lastColumn < queryLength) distanceTable[rowOffset + lastColumn + 1] = maxEdits + 1
  return lowestDistance
}
