import { createGrowableArray } from './growable-array.ts'

/**
 * Finds titles whose names have the same beginning, such as "Toy Story" and "Toy Story 3". Such titles may be parts of
 * one franchise.
 */

const partWordPattern = /^(part|vol|volume|chapter|episode|season)$/
const numeralPattern = /^(\d{1,4}|[ivx]{1,5}|one|two|three|four|five|six|seven|eight|nine|ten)$/
const MAX_MATCHED_WORD_LENGTH = 7
/**
 * Minimum length in characters of a first word that can identify a franchise without the words after it: "Paddington"
 * is long enough, "Love" is not.
 */
const MIN_FRANCHISE_WORD_LENGTH = 7
const FNV_OFFSET_BASIS = 2_166_136_261 | 0
const SPACE_CODE = 32
const COLON_CODE = 58

/**
 * True for lower-case ASCII letters, for digits, and for all characters above ASCII except general punctuation (U+2000
 * to U+206F).
 */
const isWordCharacter = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 48 && code <= 57) ||
  (code > 127 && (code < 0x2000 || code > 0x206f))

/** Adds one character to an FNV-1a hash. */
const hashCharacter = (hash: number, code: number): number => Math.imul(hash ^ code, 16_777_619)

/** Maximum number of words of a name that are read. */
const MAX_NAME_WORDS = 64
/**
 * Start index of each word in the current name. The three word arrays are reused for all names, because allocating
 * objects for millions of words would take most of the time.
 */
const wordStarts = new Int32Array(MAX_NAME_WORDS)
/** Index after the last character of each word. */
const wordEnds = new Int32Array(MAX_NAME_WORDS)
/** Hash of the name from its start to the end of each word. */
const wordHashes = new Int32Array(MAX_NAME_WORDS)

/** Fills the word arrays with the words of `name`, and returns the number of words. */
function scanWords(name: string): number {
  let wordCount = 0
  let hash = FNV_OFFSET_BASIS
  let startIndex = -1
  for (let index = 0; index <= name.length && wordCount < MAX_NAME_WORDS; index++) {
    const code = index < name.length ? name.charCodeAt(index) : SPACE_CODE
    if (isWordCharacter(code)) {
      if (startIndex < 0) startIndex = index
      hash = hashCharacter(hash, code)
    } else if (startIndex >= 0) {
      hash = hashCharacter(hash, SPACE_CODE)
      wordStarts[wordCount] = startIndex
      wordEnds[wordCount] = index
      wordHashes[wordCount++] = hash
      startIndex = -1
    }
  }
  return wordCount
}

const isWord = (name: string, index: number, word: string): boolean =>
  wordEnds[index]! - wordStarts[index]! === word.length && name.startsWith(word, wordStarts[index]!)

/** True when a subtitle starts after word `index`: "Dune: Part Two", "Harry Potter and the ...". */
function isBeforeSubtitle(name: string, index: number, wordCount: number): boolean {
  const wordEndIndex = wordEnds[index]!
  const codeAfterWord = name.charCodeAt(wordEndIndex)
  if (codeAfterWord === COLON_CODE) return true
  if (wordStarts[index + 1]! - wordEndIndex > 1)
    return (
      name.startsWith(' - ', wordEndIndex) ||
      name.startsWith(' – ', wordEndIndex) ||
      name.startsWith(' (', wordEndIndex)
    )
  return index + 2 < wordCount && isWord(name, index + 1, 'and') && isWord(name, index + 2, 'the')
}

/**
 * True when the last of `wordCount` words matches a pattern. Words that are too long for the patterns are not compared.
 */
function isLastWordMatching(name: string, wordCount: number, pattern: RegExp): boolean {
  const startIndex = wordStarts[wordCount - 1]!
  const endIndex = wordEnds[wordCount - 1]!
  return endIndex - startIndex <= MAX_MATCHED_WORD_LENGTH && pattern.test(name.slice(startIndex, endIndex))
}

/** Returns the number of words of a name without its subtitle and its part number; 0 for a name without words. */
function countStemWords(name: string, wordCount: number): number {
  let stemWordCount = 0
  while (stemWordCount < wordCount) {
    stemWordCount++
    if (stemWordCount < wordCount && isBeforeSubtitle(name, stemWordCount - 1, wordCount)) break
  }
  if (stemWordCount > 1 && isLastWordMatching(name, stemWordCount, numeralPattern)) stemWordCount--
  if (stemWordCount > 1 && isLastWordMatching(name, stemWordCount, partWordPattern)) stemWordCount--
  return stemWordCount
}

/**
 * Returns a function that tests whether a hash is in `hashes`, with up to 6 % false positives. A bit table is many
 * times faster than a set of millions of hashes. A false positive for the beginning of a name applies to all titles
 * whose names have that beginning. So these titles still share a franchise number.
 */
function createHashFilter(hashes: Uint32Array): (hash: number) => boolean {
  const bitMask = 2 ** Math.ceil(Math.log2(Math.max(32, hashes.length * 16))) - 1
  const bits = new Uint32Array((bitMask + 1) / 32)
  // The low bits of FNV-1a differ little between names with the same last character, so the high bits are mixed in.
  const getBitIndex = (hash: number): number => (hash ^ (hash >>> 15)) & bitMask
  for (const hash of hashes) bits[getBitIndex(hash) >>> 5]! |= 1 << (getBitIndex(hash) & 31)
  return (hash) => ((bits[getBitIndex(hash) >>> 5]! >>> (getBitIndex(hash) & 31)) & 1) === 1
}

/**
 * Collects the names of all titles, and then gives each title a franchise number. The number is the hash of the
 * shortest beginning of the name that is also the name of a title, with or without a subtitle. So the titles of one
 * franchise share a number. Names of unrelated titles can have the same beginning, so callers must also compare the
 * content of the titles.
 */
export function createFranchiseIndex() {
  /**
   * For each name, the hashes of its beginnings: of the first word, the first two words and so on, up to the name
   * without its subtitle and its part number. A first word that is shorter than MIN_FRANCHISE_WORD_LENGTH is left
   * out, unless the name without its subtitle and its part number has no other word.
   */
  const stemHashes = createGrowableArray()
  /** For each title, the index after its last hash in `stemHashes`. */
  const stemHashEndIndexes = createGrowableArray()
  /** Hashes of the names, with and without a subtitle. */
  const nameHashes = createGrowableArray()
  return {
    /** Adds the sort name of a title: in lower case, without accents and without a leading article. */
    add(name: string): void {
      const wordCount = scanWords(name)
      const stemWordCount = countStemWords(name, wordCount)
      const isFirstWordShort = wordEnds[0]! - wordStarts[0]! < MIN_FRANCHISE_WORD_LENGTH
      for (let index = isFirstWordShort && stemWordCount > 1 ? 1 : 0; index < stemWordCount; index++)
        stemHashes.push(wordHashes[index]!)
      if (stemWordCount > 0) nameHashes.push(wordHashes[stemWordCount - 1]!)
      if (wordCount > stemWordCount) nameHashes.push(wordHashes[wordCount - 1]!)
      stemHashEndIndexes.push(stemHashes.length)
    },
    /**
     * Returns the franchise number of each title, in the order of the `add` calls. The titles of one franchise share a
     * number. A title without a name has 0.
     */
    build(): Uint32Array {
      const franchises = new Uint32Array(stemHashEndIndexes.length)
      const isNameHash = createHashFilter(nameHashes.getView())
      const stemHashView = stemHashes.getView()
      let startIndex = 0
      for (const [index, endIndex] of stemHashEndIndexes.getView().entries()) {
        for (let position = startIndex; position < endIndex && franchises[index] === 0; position++)
          if (isNameHash(stemHashView[position]!)) franchises[index] = stemHashView[position]!
        startIndex = endIndex
      }
      return franchises
    },
  }
}
