import { createGrowableArray } from './growable-array.ts'

/** Finds titles that may be parts of one franchise by the beginning of their names: "Toy Story" and "Toy Story 3". */

const partWord = /^(part|vol|volume|chapter|episode|season)$/
const numeral = /^(\d{1,4}|[ivx]{1,5}|one|two|three|four|five|six|seven|eight|nine|ten)$/
const subtitleMarks = [': ', ' - ', ' – ', ' (', ' and the ']
/** A single word that begins several names is a franchise only if it is at least this long: "Paddington", not "Love". */
const MIN_SINGLE_WORD_LENGTH = 7
const HASH_START = 2_166_136_261
const SPACE = 32

/** Letters and digits in lower case. Everything above ASCII counts, except general punctuation. */
const isWordCharacter = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 48 && code <= 57) ||
  (code > 127 && (code < 0x2000 || code > 0x206f))

/** Adds one character to an FNV-1a hash. */
const hashCharacter = (hash: number, code: number): number => Math.imul(hash ^ code, 16_777_619)

function findSubtitle(name: string): number {
  let start = name.length
  for (const mark of subtitleMarks) {
    const position = name.indexOf(mark)
    if (position > 0 && position < start) start = position
  }
  return start
}

interface Word {
  readonly start: number
  readonly end: number
  /** Hash of the name up to the end of this word. */
  readonly hash: number
}

function scanWords(name: string): Word[] {
  const words: Word[] = []
  let hash = HASH_START
  let start = -1
  for (let index = 0; index <= name.length; index++) {
    const code = index < name.length ? name.charCodeAt(index) : SPACE
    if (isWordCharacter(code)) {
      if (start < 0) start = index
      hash = hashCharacter(hash, code)
    } else if (start >= 0) {
      hash = hashCharacter(hash, SPACE)
      words.push({ start, end: index, hash: hash >>> 0 })
      start = -1
    }
  }
  return words
}

/** Number of words of a name without its subtitle and the number of the part; 0 for a name without words. */
function countStemWords(name: string, words: readonly Word[]): number {
  const subtitleStart = findSubtitle(name)
  let count = words.length
  while (count > 1 && words[count - 1]!.start > subtitleStart) count--
  for (const pattern of [numeral, partWord]) {
    const lastWord = words[count - 1]
    if (count > 1 && lastWord && pattern.test(name.slice(lastWord.start, lastWord.end))) count--
  }
  return count
}

/**
 * Collects the names of all titles, and then gives each title a number that it shares with the titles of its
 * franchise: that of the shortest beginning of its name that is the name of a title, with or without a subtitle. Names
 * can begin alike by chance, so that callers must also compare the content.
 */
export function createFranchiseIndex() {
  /** Hashes of the beginnings of the names, as far as they can name a franchise; the last one of a title always can. */
  const hashes = createGrowableArray()
  const titleEnds = createGrowableArray()
  const knownHashes = new Set<number>()
  return {
    /** Adds the sort name of a title: in lower case, without accents and without a leading article. */
    add(name: string): void {
      const words = scanWords(name)
      const stemWordCount = countStemWords(name, words)
      const isFirstWordShort = (words[0]?.end ?? 0) - (words[0]?.start ?? 0) < MIN_SINGLE_WORD_LENGTH
      for (let index = isFirstWordShort && stemWordCount > 1 ? 1 : 0; index < stemWordCount; index++)
        hashes.push(words[index]!.hash)
      if (words.length > 0) {
        knownHashes.add(words[stemWordCount - 1]!.hash)
        knownHashes.add(words.at(-1)!.hash)
      }
      titleEnds.push(hashes.length)
    },
    /** Returns the number of each title in the order of `add`; 0 for a title without a name. */
    build(): Uint32Array {
      const franchises = new Uint32Array(titleEnds.length)
      let start = 0
      for (const [index, end] of titleEnds.view().entries()) {
        for (let position = start; position < end && franchises[index] === 0; position++)
          if (knownHashes.has(hashes.view()[position]!)) franchises[index] = hashes.view()[position]!
        start = end
      }
      return franchises
    },
  }
}
