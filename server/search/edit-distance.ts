/**
 * Weighted edit distance (optimal string alignment) between a typed text and a stored name. The costs follow the
 * mistakes that people make: doubled letters and wrong vowels are cheap, a wrong first letter of a word is expensive,
 * and a missing or added space costs least. The table rows are scratch memory that
 * every call reuses; no result depends on an earlier call.
 */

const spaceCode = 32
const isVowelCode = new Uint8Array(0x700)
for (const c of 'aeiouyاويه') isVowelCode[c.charCodeAt(0)] = 1
const similarPairs = new Set<number>()
const similarConsonants = 'ck cs sz fv bp dt gj mn kq ks iy تط دض سص حه كق ذز قغ ثت'
for (const pair of similarConsonants.split(' ')) {
  const [a = 0, b = 0] = [pair.charCodeAt(0), pair.charCodeAt(1)]
  similarPairs.add(a * 0x10000 + b).add(b * 0x10000 + a)
}

const isVowel = (code: number) => code < 0x700 && isVowelCode[code] === 1

function getReplacementCost(typedCode: number, nameCode: number, isFirstLetter: boolean): number {
  if (typedCode === spaceCode || nameCode === spaceCode) return 1.2
  if (isVowel(typedCode) && isVowel(nameCode)) return isFirstLetter ? 0.9 : 0.7
  return (similarPairs.has(typedCode * 0x10000 + nameCode) ? 0.75 : 1) + (isFirstLetter ? 0.2 : 0)
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
  /** The same, inside a word. */
  insideWord: number
  /** Cost of each letter of the name after the end of the query. */
  perLetter: number
  /** Cost when the match starts at a later word of the name, and for each letter skipped before it. */
  laterStart: number
  perSkippedLetter: number
}

/**
 * One row of the cost table, indexed by the letters of the name. Only cells `from` to `to` are valid; all others
 * exceed the limit.
 */
type CostRow = { costs: Float64Array; from: number; to: number }
const createEmptyRow = (): CostRow => ({ costs: new Float64Array(400), from: 0, to: -1 })
let scratchRows = [createEmptyRow(), createEmptyRow(), createEmptyRow()] as const

const getCellCost = ({ costs, from, to }: CostRow, j: number): number =>
  j >= from && j <= to ? (costs[j] as number) : Number.POSITIVE_INFINITY

/**
 * Returns the lowest cost of matching `query` with the whole of `name`, with its beginning, or with a run of its
 * words. Words are separated by single spaces. 0 means equality; Infinity means that the cost exceeds `limit`.
 */
export function computeAlignmentCost(
  query: string,
  name: string,
  tail: UnmatchedNameCosts,
  limit: number,
): number {
  const nameLength = Math.min(name.length, 398)
  let [rowBeforePrevious, previousRow, row] = scratchRows
  rowBeforePrevious.to = -1
  fillFirstRow(previousRow, name, nameLength, { tail, limit })
  for (let i = 1; i <= query.length; i += 1) {
    fillRow(
      query,
      i,
      { name, nameLength, limit },
      { beforePrevious: rowBeforePrevious, previous: previousRow, current: row },
    )
    // A transposition reads the row before the previous one, so both rows must be empty before the search stops.
    if (row.to < 0 && previousRow.to < 0) return Number.POSITIVE_INFINITY
    ;[rowBeforePrevious, previousRow, row] = [previousRow, row, rowBeforePrevious]
  }
  scratchRows = [rowBeforePrevious, previousRow, row]
  let best = getCellCost(previousRow, nameLength)
  for (let j = Math.max(1, previousRow.from); j <= previousRow.to && j < nameLength; j += 1) {
    const stopCost = name.charCodeAt(j) === spaceCode ? tail.wordEnd : tail.insideWord
    const cost = (previousRow.costs[j] as number) + stopCost + tail.perLetter * (nameLength - j)
    if (cost < best) best = cost
  }
  return best <= limit ? best : Number.POSITIVE_INFINITY
}

/** Fills the row for the empty query prefix: a match starts at the beginning of the name or at a later word. */
function fillFirstRow(
  row: CostRow,
  name: string,
  nameLength: number,
  { tail, limit }: { tail: UnmatchedNameCosts; limit: number },
): void {
  row.from = 0
  row.to = 0
  row.costs[0] = 0
  for (let j = 1; j <= nameLength; j += 1) {
    const cost = tail.laterStart + tail.perSkippedLetter * j
    if (cost > limit) return
    const isWordStart = name.charCodeAt(j - 1) === spaceCode
    row.costs[j] = isWordStart ? cost : Number.POSITIVE_INFINITY
    if (isWordStart) row.to = j
  }
}

type RowInput = { name: string; nameLength: number; limit: number }
type RowWindow = { beforePrevious: CostRow; previous: CostRow; current: CostRow }

/**
 * Fills one row. Computes only the cells that can be within the limit: those reached from valid cells of the previous
 * two rows, and those reached by omitting further letters of the name.
 */
function fillRow(
  query: string,
  queryIndex: number,
  { name, nameLength, limit }: RowInput,
  { beforePrevious, previous, current: row }: RowWindow,
): void {
  const queryCode = query.charCodeAt(queryIndex - 1)
  const previousQueryCode = queryIndex > 1 ? query.charCodeAt(queryIndex - 2) : 0
  const addCost = getOmissionCost(queryCode, previousQueryCode)
  const firstCell = beforePrevious.to < 0 ? previous.from : Math.min(previous.from, beforePrevious.from + 2)
  const lastReachableCell = Math.max(previous.to + 1, beforePrevious.to < 0 ? 0 : beforePrevious.to + 2)
  row.from = firstCell
  row.to = -1
  let previousNameCode = firstCell > 1 ? name.charCodeAt(firstCell - 2) : 0
  let diagonalCost = Number.POSITIVE_INFINITY
  let leftCost = Number.POSITIVE_INFINITY
  for (let j = firstCell; j <= nameLength && (j <= lastReachableCell || leftCost <= limit); j += 1) {
    const upperCost = getCellCost(previous, j)
    const nameCode = j === 0 ? 0 : name.charCodeAt(j - 1)
    let cost = upperCost + addCost
    if (j > 0) {
      const replacementCost =
        diagonalCost +
        (queryCode === nameCode
          ? 0
          : getReplacementCost(queryCode, nameCode, previousNameCode === 0 || previousNameCode === spaceCode))
      if (replacementCost < cost) cost = replacementCost
      const omissionCost = leftCost + getOmissionCost(nameCode, previousNameCode)
      if (omissionCost < cost) cost = omissionCost
      if (
        queryCode === previousNameCode &&
        previousQueryCode === nameCode &&
        queryCode !== nameCode &&
        queryIndex > 1 &&
        j > 1
      ) {
        const transpositionCost = getCellCost(beforePrevious, j - 2) + 0.8
        if (transpositionCost < cost) cost = transpositionCost
      }
    }
    row.costs[j] = cost
    if (cost <= limit) row.to = j
    else if (row.to < 0) row.from = j + 1
    diagonalCost = upperCost
    leftCost = cost
    previousNameCode = nameCode
  }
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
export function computeWordCost(typed: string, word: string, isPrefix: boolean, limit: number): number {
  if (typed === word) return 0
  if (isPrefix && word.startsWith(typed)) return 0
  // An added or missing letter costs at least 0.5 within a word, which bounds the difference in length.
  if (typed.length - word.length > limit * 2) return Number.POSITIVE_INFINITY
  if (!isPrefix && word.length - typed.length > limit * 2) return Number.POSITIVE_INFINITY
  // When neither first letter is the second letter of the other word, at least one expensive edit is needed.
  const hasDifferentStart = typed[0] !== word[0] && typed[0] !== word[1] && typed[1] !== word[0]
  if (hasDifferentStart && limit < 0.9) return Number.POSITIVE_INFINITY
  return computeAlignmentCost(typed, word, isPrefix ? prefixTail : wholeWordTail, limit)
}
