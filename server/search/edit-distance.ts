/**
 * Weighted edit distance (optimal string alignment) between a typed text and a stored name. The costs follow
 * the mistakes that people make: doubled letters and wrong vowels are cheap, a wrong first letter of a word
 * is expensive, and a missing or added space costs least. All calls reuse the memory of the table rows. No
 * result depends on an earlier call.
 */

const spaceCode = 32
const vowelFlagsByCode = new Uint8Array(0x10000)
for (const vowel of 'aeiouyاويه') vowelFlagsByCode[vowel.charCodeAt(0)] = 1
/** For each letter code, the number of the letter in `similarConsonants`, counted from 1; 0 for other letters. */
const letterNumbersByCode = new Uint8Array(0x10000)
const maxSimilarLetters = 64
/**
 * Holds 1 at `a * maxSimilarLetters + b` when the letters with the numbers a and b are similar, otherwise 0.
 * A lookup in a `Set` of pairs would take several times as long.
 */
const similarPairFlags = new Uint8Array(maxSimilarLetters ** 2)
const similarConsonants = 'ck cs sz fv bp dt gj mn kq ks iy تط دض سص حه كق ذز قغ ثت'
let similarLetterCount = 0
for (const letter of similarConsonants.replaceAll(' ', '')) {
  const code = letter.charCodeAt(0)
  if (letterNumbersByCode[code] !== 0) continue
  similarLetterCount += 1
  letterNumbersByCode[code] = similarLetterCount
}
for (const pair of similarConsonants.split(' ')) {
  const [numberA = 0, numberB = 0] = [...pair].map((letter) => letterNumbersByCode[letter.charCodeAt(0)])
  similarPairFlags[numberA * maxSimilarLetters + numberB] = 1
  similarPairFlags[numberB * maxSimilarLetters + numberA] = 1
}

const isVowel = (code: number) => vowelFlagsByCode[code] === 1
const areSimilarLetters = (codeA: number, codeB: number) =>
  similarPairFlags[
    (letterNumbersByCode[codeA] as number) * maxSimilarLetters + (letterNumbersByCode[codeB] as number)
  ] === 1

function getReplacementCost(typedCode: number, nameCode: number, isFirstLetter: boolean): number {
  if (typedCode === spaceCode || nameCode === spaceCode) return 1.2
  if (isVowel(typedCode) && isVowel(nameCode)) return isFirstLetter ? 0.9 : 0.7
  return (areSimilarLetters(typedCode, nameCode) ? 0.75 : 1) + (isFirstLetter ? 0.2 : 0)
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
  perRemainingLetter: number
  /** Cost when the match starts at a later word of the name. */
  laterWordStart: number
  /** Cost of each letter of the name before the start of the match. */
  perSkippedLetter: number
}

/** Number of UTF-16 code units of a name that are compared; the rest is ignored. */
const maxNameLength = 398

/**
 * Three rows of the cost table, indexed by the letters of the name. Only the cells of a row from `firstCellIndex`
 * to `lastCellIndex` are valid. The costs of all other cells exceed the limit.
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

function fillNameCodes(name: string, nameLength: number): void {
  let previousCode = 0
  for (let nameIndex = 1; nameIndex <= nameLength; nameIndex += 1) {
    const code = name.charCodeAt(nameIndex - 1)
    nameCodes[nameIndex] = code
    omissionCosts[nameIndex] = getOmissionCost(code, previousCode)
    previousCode = code
  }
}

/**
 * Returns the lowest cost of matching `query` with the whole of `name`, with its beginning, or with a
 * sequence of its words. `unmatchedCosts` sets the costs of the unmatched part of the name. Words are separated by
 * single spaces. Infinity means that the cost exceeds `costLimit`.
 * Computes only the cells that can be within the limit. These are reached from valid cells of the previous
 * two rows, or by omitting further letters of the name.
 */
export function computeAlignmentCost(
  query: string,
  name: string,
  unmatchedCosts: UnmatchedNameCosts,
  costLimit: number,
): number {
  const nameLength = Math.min(name.length, maxNameLength)
  fillNameCodes(name, nameLength)
  let [beforePreviousRow, previousRow, currentRow] = scratchRows
  let [beforePreviousFirstIndex, beforePreviousLastIndex] = [0, -1]
  let previousFirstCellIndex = 0
  let previousLastCellIndex = fillFirstRow(previousRow, nameLength, { unmatchedCosts, costLimit })
  let previousQueryCode = 0
  for (let queryIndex = 1; queryIndex <= query.length; queryIndex += 1) {
    const queryCode = query.charCodeAt(queryIndex - 1)
    const additionCost = getOmissionCost(queryCode, previousQueryCode)
    let firstCellIndex = previousFirstCellIndex
    let lastReachableCellIndex = Math.max(previousLastCellIndex + 1, 0)
    if (beforePreviousLastIndex >= 0) {
      firstCellIndex = Math.min(firstCellIndex, beforePreviousFirstIndex + 2)
      lastReachableCellIndex = Math.max(lastReachableCellIndex, beforePreviousLastIndex + 2)
    }
    let lastCellIndex = -1
    let diagonalCost = Number.POSITIVE_INFINITY
    let leftCost = Number.POSITIVE_INFINITY
    for (
      let nameIndex = firstCellIndex;
      nameIndex <= nameLength && (nameIndex <= lastReachableCellIndex || leftCost <= costLimit);
      nameIndex += 1
    ) {
      const upperCost =
        nameIndex >= previousFirstCellIndex && nameIndex <= previousLastCellIndex
          ? (previousRow[nameIndex] as number)
          : Number.POSITIVE_INFINITY
      let cost = upperCost + additionCost
      if (nameIndex > 0) {
        const nameCode = nameCodes[nameIndex] as number
        const previousNameCode = nameCodes[nameIndex - 1] as number
        if (queryCode === nameCode) {
          if (diagonalCost < cost) cost = diagonalCost
        } else if (diagonalCost < cost) {
          const isFirstLetter = previousNameCode === 0 || previousNameCode === spaceCode
          const replacementCost = diagonalCost + getReplacementCost(queryCode, nameCode, isFirstLetter)
          if (replacementCost < cost) cost = replacementCost
        }
        const omissionCost = leftCost + (omissionCosts[nameIndex] as number)
        if (omissionCost < cost) cost = omissionCost
        if (
          queryCode === previousNameCode &&
          previousQueryCode === nameCode &&
          queryCode !== nameCode &&
          queryIndex > 1 &&
          nameIndex - 2 >= beforePreviousFirstIndex &&
          nameIndex - 2 <= beforePreviousLastIndex
        ) {
          const transpositionCost = (beforePreviousRow[nameIndex - 2] as number) + 0.8
          if (transpositionCost < cost) cost = transpositionCost
        }
      }
      currentRow[nameIndex] = cost
      if (cost <= costLimit) lastCellIndex = nameIndex
      else if (lastCellIndex < 0) firstCellIndex = nameIndex + 1
      diagonalCost = upperCost
      leftCost = cost
    }
    // A transposition reads the row before the previous row. The loop therefore stops only after two
    // successive rows without a valid cell.
    if (lastCellIndex < 0 && previousLastCellIndex < 0) return Number.POSITIVE_INFINITY
    ;[beforePreviousRow, previousRow, currentRow] = [previousRow, currentRow, beforePreviousRow]
    ;[beforePreviousFirstIndex, beforePreviousLastIndex] = [previousFirstCellIndex, previousLastCellIndex]
    ;[previousFirstCellIndex, previousLastCellIndex] = [firstCellIndex, lastCellIndex]
    previousQueryCode = queryCode
  }
  scratchRows = [beforePreviousRow, previousRow, currentRow]
  let bestCost =
    nameLength >= previousFirstCellIndex && nameLength <= previousLastCellIndex
      ? (previousRow[nameLength] as number)
      : Number.POSITIVE_INFINITY
  for (
    let nameIndex = Math.max(1, previousFirstCellIndex);
    nameIndex <= previousLastCellIndex && nameIndex < nameLength;
    nameIndex += 1
  ) {
    const queryEndCost =
      nameCodes[nameIndex + 1] === spaceCode ? unmatchedCosts.wordEnd : unmatchedCosts.insideWord
    const cost =
      (previousRow[nameIndex] as number) +
      queryEndCost +
      unmatchedCosts.perRemainingLetter * (nameLength - nameIndex)
    if (cost < bestCost) bestCost = cost
  }
  return bestCost <= costLimit ? bestCost : Number.POSITIVE_INFINITY
}

/**
 * Fills the row for the empty query prefix: a match starts at the beginning of the name or at a later word.
 * Returns the index of the last valid cell.
 */
function fillFirstRow(
  firstRow: Float64Array,
  nameLength: number,
  { unmatchedCosts, costLimit }: { unmatchedCosts: UnmatchedNameCosts; costLimit: number },
): number {
  let lastCellIndex = 0
  firstRow[0] = 0
  for (let nameIndex = 1; nameIndex <= nameLength; nameIndex += 1) {
    const cost = unmatchedCosts.laterWordStart + unmatchedCosts.perSkippedLetter * nameIndex
    if (cost > costLimit) return lastCellIndex
    const isWordStart = nameCodes[nameIndex] === spaceCode
    firstRow[nameIndex] = isWordStart ? cost : Number.POSITIVE_INFINITY
    if (isWordStart) lastCellIndex = nameIndex
  }
  return lastCellIndex
}

const wholeWordUnmatchedCosts: UnmatchedNameCosts = {
  wordEnd: 99,
  insideWord: 99,
  perRemainingLetter: 0,
  laterWordStart: 99,
  perSkippedLetter: 0,
}
const prefixUnmatchedCosts: UnmatchedNameCosts = {
  wordEnd: 0,
  insideWord: 0,
  perRemainingLetter: 0,
  laterWordStart: 99,
  perSkippedLetter: 0,
}

/**
 * Returns the edit cost between two words, or between the typed word and the beginning of `word` when `isPrefix`
 * is true. Infinity means that the cost exceeds `costLimit`.
 */
export function computeWordCost(
  typedWord: string,
  word: string,
  isPrefix: boolean,
  costLimit: number,
): number {
  if (typedWord === word) return 0
  if (isPrefix && word.startsWith(typedWord)) return 0
  // An added or missing letter of a word costs at least 0.5, so the cost of words with very different lengths exceeds
  // the limit.
  if (typedWord.length - word.length > costLimit * 2) return Number.POSITIVE_INFINITY
  if (!isPrefix && word.length - typedWord.length > costLimit * 2) return Number.POSITIVE_INFINITY
  // If the first letters differ and neither is the second letter of the other word, the cost is 0.9 or more.
  const hasDifferentStart = typedWord[0] !== word[0] && typedWord[0] !== word[1] && typedWord[1] !== word[0]
  if (hasDifferentStart && costLimit < 0.9) return Number.POSITIVE_INFINITY
  return computeAlignmentCost(
    typedWord,
    word,
    isPrefix ? prefixUnmatchedCosts : wholeWordUnmatchedCosts,
    costLimit,
  )
}
