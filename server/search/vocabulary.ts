/**
 * The sorted words of the index in memory, for finding words near a misspelt one. It takes about 2 bytes per letter
 * and 5 bytes per word: 25 MB for a million words.
 */

export type Vocabulary = {
  size: number
  letters: Uint16Array
  /** Offset of word i in `letters`; one entry more than there are words. */
  starts: Uint32Array
  /** Number of leading letters that word i shares with word i-1. */
  shared: Uint8Array
  /** Frequency of word i: 8 log2(1 + documents), at most 255. */
  weight: Uint8Array
}

/** Maximum length of a word in UTF-16 code units; longer words are not stored, and a longer typed word is cut. */
const maxWordLength = 40

/** Builds a vocabulary from sorted words. Any order that keeps words with a common prefix together works. */
export class VocabularyPacker {
  #letters = new Uint16Array(1 << 16)
  #starts = new Uint32Array(1 << 13)
  #shared = new Uint8Array(1 << 13)
  #weight = new Uint8Array(1 << 13)
  #size = 0
  #letterCount = 0
  #previousWord = ''

  add(word: string, documents: number): void {
    const previousWord = this.#previousWord
    if (word.length > maxWordLength || word === previousWord) return
    this.#ensureCapacity(word.length)
    let sharedLetters = 0
    while (
      sharedLetters < word.length &&
      word.charCodeAt(sharedLetters) === previousWord.charCodeAt(sharedLetters)
    )
      sharedLetters += 1
    this.#starts[this.#size] = this.#letterCount
    this.#shared[this.#size] = sharedLetters
    this.#weight[this.#size] = Math.min(255, Math.round(8 * Math.log2(1 + documents)))
    for (let letterIndex = 0; letterIndex < word.length; letterIndex += 1)
      this.#letters[this.#letterCount + letterIndex] = word.charCodeAt(letterIndex)
    this.#letterCount += word.length
    this.#size += 1
    this.#previousWord = word
  }

  toVocabulary(): Vocabulary {
    const [size, letterCount] = [this.#size, this.#letterCount]
    this.#starts[size] = letterCount
    return {
      size,
      letters: this.#letters.slice(0, letterCount),
      starts: this.#starts.slice(0, size + 1),
      shared: this.#shared.slice(0, size),
      weight: this.#weight.slice(0, size),
    }
  }

  #ensureCapacity(letters: number): void {
    const letterCapacity = this.#letters.length
    if (this.#letterCount + letters > letterCapacity)
      this.#letters = copyInto(this.#letters, new Uint16Array(letterCapacity * 2))
    if (this.#size + 2 <= this.#starts.length) return
    const wordCapacity = this.#starts.length * 2
    this.#starts = copyInto(this.#starts, new Uint32Array(wordCapacity))
    this.#shared = copyInto(this.#shared, new Uint8Array(wordCapacity))
    this.#weight = copyInto(this.#weight, new Uint8Array(wordCapacity))
  }
}

function copyInto<T extends Uint8Array | Uint16Array | Uint32Array>(from: T, to: T): T {
  to.set(from)
  return to
}

export function getWordAt(vocabulary: Vocabulary, wordIndex: number): string {
  const { letters, starts } = vocabulary
  return String.fromCharCode(...letters.subarray(starts[wordIndex], starts[wordIndex + 1]))
}

export type NearWord = {
  word: string
  distance: number
  weight: number
  /** True when `word` is only a prefix: look up everything that starts with it. */
  isPrefix: boolean
}

const tableWidth = maxWordLength + 2

/**
 * Returns the words at most `edits` insertions, deletions, replacements or transpositions away from `typed`. With
 * `hasSameFirstLetter`, only words with the same first letter are compared, which makes two edits affordable on a
 * large vocabulary. With `isWordOpen` (the user is still typing), prefixes of words within that distance are returned
 * too.
 */
export function findNearWords(
  vocabulary: Vocabulary,
  typed: string,
  {
    edits,
    hasSameFirstLetter,
    isWordOpen,
  }: { edits: number; hasSameFirstLetter: boolean; isWordOpen: boolean },
): NearWord[] {
  const query = typed.slice(0, maxWordLength)
  const queryLength = query.length
  const table = new Uint8Array(tableWidth * tableWidth)
  for (let column = 0; column <= queryLength; column += 1) table[column] = column
  const nearWords: NearWord[] = []
  const { size, letters, starts, shared, weight } = vocabulary
  // Words share prefixes, so these three values carry over from one word to the next while the shared prefix covers them.
  // Rows 0 to `validRows` of the table belong to the letters of the current word.
  let validRows = 0
  // Length of a prefix that is already too far from the query; 0 means none.
  let rejectedLength = 0
  // Length of the prefix that was reported last; 0 means none.
  let reportedLength = 0
  for (let wordIndex = 0; wordIndex < size; wordIndex += 1) {
    const sharedLetters = shared[wordIndex] ?? 0
    if (rejectedLength > 0 && sharedLetters >= rejectedLength) continue
    rejectedLength = 0
    if (validRows > sharedLetters) validRows = sharedLetters
    if (reportedLength > sharedLetters) reportedLength = 0
    const from = starts[wordIndex] ?? 0
    const length = (starts[wordIndex + 1] ?? 0) - from
    if (hasSameFirstLetter && letters[from] !== query.charCodeAt(0)) {
      rejectedLength = 1
      continue
    }
    for (let depth = validRows + 1; depth <= length && rejectedLength === 0; depth += 1) {
      if (fillTableRow(table, query, letters, from, depth) > edits) rejectedLength = depth
      validRows = depth
      const distance = table[depth * tableWidth + queryLength] ?? 255
      if (distance > edits) continue
      if (depth === length)
        nearWords.push({
          word: getWordAt(vocabulary, wordIndex),
          distance,
          weight: weight[wordIndex] ?? 0,
          isPrefix: false,
        })
      else if (isWordOpen && reportedLength === 0 && depth >= queryLength - 1) {
        reportedLength = depth
        const word = String.fromCharCode(...letters.subarray(from, from + depth))
        nearWords.push({ word, distance, weight: 0, isPrefix: true })
      }
    }
  }
  return nearWords
}

/**
 * Fills row `depth` of the edit table: the first `depth` letters of the word against every prefix of the query.
 * Returns the lowest cost in the row.
 */
function fillTableRow(
  table: Uint8Array,
  query: string,
  letters: Uint16Array,
  from: number,
  depth: number,
): number {
  const queryLength = query.length
  const wordCode = letters[from + depth - 1] ?? 0
  const row = depth * tableWidth
  const previousRow = row - tableWidth
  table[row] = depth
  let lowest = depth
  for (let column = 1; column <= queryLength; column += 1) {
    const queryCode = query.charCodeAt(column - 1)
    let cost = (table[previousRow + column - 1] ?? 0) + (queryCode === wordCode ? 0 : 1)
    cost = Math.min(cost, (table[previousRow + column] ?? 0) + 1, (table[row + column - 1] ?? 0) + 1)
    if (
      depth > 1 &&
      column > 1 &&
      queryCode === letters[from + depth - 2] &&
      wordCode === query.charCodeAt(column - 2)
    ) {
      cost = Math.min(cost, (table[previousRow - tableWidth + column - 2] ?? 0) + 1)
    }
    table[row + column] = cost
    if (cost < lowest) lowest = cost
  }
  return lowest
}
