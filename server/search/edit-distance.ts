/**
 * Weighted edit distance (optimal string alignment) between a typed text and a stored name. The costs follow
 * the mistakes that people make: doubled letters and wrong vowels are cheap, a wrong first letter of a word
 * is expensive, and a missing or added space costs least. All calls reuse the memory of the table rows. No
 * result depends on an earlier call.
 */

const spaceCode = 32
const isVowelCode = new Uint8Array(0x10000)
for (const c of 'aeiouyاويه') isVowelCode[c.charCodeAt(0)] = 1
/** Maps the code of each letter that is similar to another letter to a number from 1; all others to 0. */
const similarLetters = new Uint8Array(0x10000)
const maxSimilarLetters = 64
/**
 * Holds 1 at `a * maxSimilarLetters + b` when the letters with the numbers a and b are similar, otherwise 0.
 * A lookup in a `Set` of pairs would take several times as long.
 */
const similarPairs = new Uint8Array(maxSimilarLetters ** 2)
const similarConsonants = 'ck cs sz fv bp dt gj mn kq ks iy تط دض سص حه كق ذز قغ ثت'
let similarLetterCount = 0
for (const letter of similarConsonants.replaceAll(' ', '')) {
  const code = letter.charCodeAt(0)
  if (similarLetters[code] !== 0) continue
  similarLetterCount += 1
  similarLetters[code] = similarLetterCount
}
for (const pair of similarConsonants.split(' ')) {
  const [a = 0, b = 0] = [...pair].map((letter) => similarLetters[letter.charCodeAt(0)])
  similarPairs[a * maxSimilarLetters + b] = 1
  similarPairs[b * maxSimilarLetters + a] = 1
}

const isVowel = (code: number) => isVowelCode[code] === 1
const areSimilar = (a: number, b: number) =>
  similarPairs[(similarLetters[a] as number) * maxSimilarLetters + (similarLetters[b] as number)] === 1

function getReplacementCost(typedCode: number, nameCode: number, isFirstLetter: boolean): number {
  if (typedCode === spaceCode || nameCode === spaceCode) return 1.2
  if (isVowel(typedCode) && isVowel(nameCode)) return isFirstLetter ? 0.9 : 0.7
  return (areSimilar(typedCode, nameCode) ? 0.75 : 1) + (isFirstLetter ? 0.2 : 0)
}

/** Returns the cost of omitting or adding the letter `code`, which follows the letter `previousCode`. */
function getOmissionCost(code: number, previousCode: number): number {
  if (code === spaceCode) return 0.25
  if (code === previousCode) return 0.5
  return previousCode === spaceCode || previousCode === 0 ? 1.1 : isVowel(code) ? 0.8 : 0.95
}

export type UnmatchedNameCosts = {
  /** Cost when the query ends before the name does, at the end of a word. */
  wordEnd: number
  /** Cost when the query ends inside a word of the name. */
  insideWord: number
  /** Cost of each letter of the name after the end of the query. */
  perLetter: number
  /** Cost when the match starts at a later word of the name. */
  laterStart: number
  /** Cost of each letter of the name before the start of the match. */
  perSkippedLetter: number
}

/** Number of UTF-16 code units of a name that are compared; the rest is ignored. */
const maxNameLength = 398

/**
 * Three rows of the cost table, indexed by the letters of the name. Only the cells of a row from `firstCell`
 * to `lastCell` are valid. The costs of all other cells exceed the limit.
 */
let scratchRows = [0, 1, 2].map(() => new Float64Array(maxNameLength + 2)) as [
  Float64Array,
  Float64Array,
  Float64Array,
]
/** The codes of the letters of the name, from index 1. Index 0 holds 0. */
const nameCodes = new Uint16Array(maxNameLength + 2)
/** The cost of omitting each letter of the name, from index 1. */
const omissionCosts = new Float64Array(maxNameLength + 2)

function readName(name: string, nameLength: number): void {
  let previousCode = 0
  for (let j = 1; j <= nameLength; j += 1) {
    const code = name.charCodeAt(j - 1)
    nameCodes[j] = code
    omissionCosts[j] = getOmissionCost(code, previousCode)
    previousCode = code
  }
}

/**
 * Returns the lowest cost of matching `query` with the whole of `name`, with its beginning, or with a
 * sequence of its words. `tail` sets the costs of the unmatched part of the name. Words are separated by
 * single spaces. Infinity means that the cost exceeds `limit`.
 * Computes only the cells that can be within the limit. These are reached from valid cells of the previous
 * two rows, or by omitting further letters of the name.
 */
export function computeAlignmentCost(
  query: string,
  name: string,
  tail: UnmatchedNameCosts,
  limit: number,
): number {
  const nameLength = Math.min(name.length, maxNameLength)
  readName(name, nameLength)
  let [beforePrevious, previous, row] = scratchRows
  let [beforePreviousFirst, beforePreviousLast] = [0, -1]
  let previousFirst = 0
  let previousLast = fillFirstRow(previous, nameLength, { tail, limit })
  let previousQueryCode = 0
  for (let i = 1; i <= query.length; i += 1) {
    const queryCode = query.charCodeAt(i - 1)
    const addCost = getOmissionCost(queryCode, previousQueryCode)
    let firstCell = previousFirst
    let lastReachableCell = Math.max(previousLast + 1, 0)
    if (beforePreviousLast >= 0) {
      firstCell = Math.min(firstCell, beforePreviousFirst + 2)
      lastReachableCell = Math.max(lastReachableCell, beforePreviousLast + 2)
    }
    let lastCell = -1
    let diagonalCost = Number.POSITIVE_INFINITY
    let leftCost = Number.POSITIVE_INFINITY
    for (let j = firstCell; j <= nameLength && (j <= lastReachableCell || leftCost <= limit); j += 1) {
      const upperCost =
        j >= previousFirst && j <= previousLast ? (previous[j] as number) : Number.POSITIVE_INFINITY
      let cost = upperCost + addCost
      if (j > 0) {
        const nameCode = nameCodes[j] as number
        const previousNameCode = nameCodes[j - 1] as number
        if (queryCode === nameCode) {
          if (diagonalCost < cost) cost = diagonalCost
        } else if (diagonalCost < cost) {
          const isFirstLetter = previousNameCode === 0 || previousNameCode === spaceCode
          const replacementCost = diagonalCost + getReplacementCost(queryCode, nameCode, isFirstLetter)
          if (replacementCost < cost) cost = replacementCost
        }
        const omissionCost = leftCost + (omissionCosts[j] as number)
        if (omissionCost < cost) cost = omissionCost
        if (
          queryCode === previousNameCode &&
          previousQueryCode === nameCode &&
          queryCode !== nameCode &&
          i > 1 &&
          j - 2 >= beforePreviousFirst &&
          j - 2 <= beforePreviousLast
        ) {
          const transpositionCost = (beforePrevious[j - 2] as number) + 0.8
          if (transpositionCost < cost) cost = transpositionCost
        }
      }
      row[j] = cost
      if (cost <= limit) lastCell = j
      else if (lastCell < 0) firstCell = j + 1
      diagonalCost = upperCost
      leftCost = cost
    }
    // A transposition reads the row before the previous row. The loop therefore stops only after two
    // successive rows without a valid cell.
    if (lastCell < 0 && previousLast < 0) return Number.POSITIVE_INFINITY
    ;[beforePrevious, previous, row] = [previous, row, beforePrevious]
    ;[beforePreviousFirst, beforePreviousLast] = [previousFirst, previousLast]
    ;[previousFirst, previousLast] = [firstCell, lastCell]
    previousQueryCode = queryCode
  }
  scratchRows = [beforePrevious, previous, row]
  let best =
    nameLength >= previousFirst && nameLength <= previousLast
      ? (previous[nameLength] as number)
      : Number.POSITIVE_INFINITY
  for (let j = Math.max(1, previousFirst); j <= previousLast && j < nameLength; j += 1) {
    const stopCost = nameCodes[j + 1] === spaceCode ? tail.wordEnd : tail.insideWord
    const cost = (previous[j] as number) + stopCost + tail.perLetter * (nameLength - j)
    if (cost < best) best = cost
  }
  return best <= limit ? best : Number.POSITIVE_INFINITY
}

/**
 * Fills the row for the empty query prefix: a match starts at the beginning of the name or at a later word.
 * Returns the index of the last valid cell.
 */
function fillFirstRow(
  row: Float64Array,
  nameLength: number,
  { tail, limit }: { tail: UnmatchedNameCosts; limit: number },
): number {
  let lastCell = 0
  row[0] = 0
  for (let j = 1; j <= nameLength; j += 1) {
    const cost = tail.laterStart + tail.perSkippedLetter * j
    if (cost > limit) return lastCell
    const isWordStart = nameCodes[j] === spaceCode
    row[j] = isWordStart ? cost : Number.POSITIVE_INFINITY
    if (isWordStart) lastCell = j
  }
  return lastCell
}

const wholeWordTail: UnmatchedNameCosts = {
  wordEnd: 99,
  insideWord: 99,
  perLetter: 0,
  laterStart: 99,
  perSkippedLetter: 0,
}
const prefixTail: UnmatchedNameCosts = {
  wordEnd: 0,
  insideWord: 0,
  perLetter: 0,
  laterStart: 99,
  perSkippedLetter: 0,
}

/**
 * Returns the edit cost between two words, or between the typed word and the beginning of `word` when `isPrefix`
 * is true. Infinity means that the cost exceeds `limit`.
 */
export function computeWordCost(typedWord: string, word: string, isPrefix: boolean, limit: number): number {
  if (typedWord === word) return 0
  if (isPrefix && word.startsWith(typedWord)) return 0
  // An added or missing letter costs at least 0.5 within a word, which bounds the difference in length.
  if (typedWord.length - word.length > limit * 2) return Number.POSITIVE_INFINITY
  if (!isPrefix && word.length - typedWord.length > limit * 2) return Number.POSITIVE_INFINITY
  // If the first letters differ and neither is the second letter of the other word, the cost is 0.9 or more.
  const hasDifferentStart = typedWord[0] !== word[0] && typedWord[0] !== word[1] && typedWord[1] !== word[0]
  if (hasDifferentStart && limit < 0.9) return Number.POSITIVE_INFINITY
  return computeAlignmentCost(typedWord, word, isPrefix ? prefixTail : wholeWordTail, limit)
}
