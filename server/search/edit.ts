/**
 * How far a typed text is from a stored name, in edits. Pure: the work rows are scratch, nothing is remembered.
 * Costs follow what people do, not a keyboard: doubled letters and vowels are the cheap slips, the first letter
 * of a word the dear one, and a space forgotten or added is hardly a slip at all.
 */

const space = 32
const vowels = new Uint8Array(0x700)
for (const c of 'aeiouyاويه') vowels[c.charCodeAt(0)] = 1
const kin = new Set<number>()
const kinPairs = 'ck cs sz fv bp dt gj mn kq ks iy تط دض سص حه كق ذز قغ ثت'
for (const pair of kinPairs.split(' ')) {
  const [a = 0, b = 0] = [pair.charCodeAt(0), pair.charCodeAt(1)]
  kin.add(a * 0x10000 + b).add(b * 0x10000 + a)
}

const isVowel = (c: number) => c < 0x700 && vowels[c] === 1

function replaceCost(a: number, b: number, first: boolean): number {
  if (a === space || b === space) return 1.2
  if (isVowel(a) && isVowel(b)) return first ? 0.9 : 0.7
  return (kin.has(a * 0x10000 + b) ? 0.75 : 1) + (first ? 0.2 : 0)
}

/** Leaving out (or adding) the letter `c` that follows `before`. */
function dropCost(c: number, before: number): number {
  if (c === space) return 0.25
  if (c === before) return 0.5
  return before === space || before === 0 ? 1.1 : isVowel(c) ? 0.8 : 0.95
}

export type Tail = {
  /** Cost of stopping before the end of the name, at a word's end and inside a word, then per letter left. */
  wordEnd: number
  inside: number
  perLetter: number
  /** Cost of starting at a later word of the name, then per letter passed over. */
  later: number
  perPassed: number
}

/** A row of the table, by letters of the name: costs from `from` to `to`; all others are beyond the limit. */
type Row = { costs: Float64Array; from: number; to: number }
const emptyRow = (): Row => ({ costs: new Float64Array(400), from: 0, to: -1 })
let rows = [emptyRow(), emptyRow(), emptyRow()] as const

const costAt = ({ costs, from, to }: Row, j: number): number =>
  j >= from && j <= to ? (costs[j] as number) : Number.POSITIVE_INFINITY

/**
 * The cheapest way to read `query` as the whole of `name`, its beginning, or a run of its words; words are divided
 * by single spaces. 0 is equality. Answers Infinity as soon as `limit` cannot be kept.
 */
export function alignCost(query: string, name: string, tail: Tail, limit: number): number {
  const n = Math.min(name.length, 398)
  let [before, above, row] = rows
  before.to = -1
  firstRow(above, name, n, { tail, limit })
  for (let i = 1; i <= query.length; i += 1) {
    fillRow(query, i, { name, n, limit }, { before, above, row })
    // Two letters that changed places skip a row.
    if (row.to < 0 && above.to < 0) return Number.POSITIVE_INFINITY
    ;[before, above, row] = [above, row, before]
  }
  rows = [before, above, row]
  let best = costAt(above, n)
  for (let j = Math.max(1, above.from); j <= above.to && j < n; j += 1) {
    const stop = name.charCodeAt(j) === space ? tail.wordEnd : tail.inside
    const cost = (above.costs[j] as number) + stop + tail.perLetter * (n - j)
    if (cost < best) best = cost
  }
  return best <= limit ? best : Number.POSITIVE_INFINITY
}

/** Before the first letter of the query: at the beginning of the name, or of one of its later words. */
function firstRow(row: Row, name: string, n: number, { tail, limit }: { tail: Tail; limit: number }): void {
  row.from = 0
  row.to = 0
  row.costs[0] = 0
  for (let j = 1; j <= n; j += 1) {
    const cost = tail.later + tail.perPassed * j
    if (cost > limit) return
    const start = name.charCodeAt(j - 1) === space
    row.costs[j] = start ? cost : Number.POSITIVE_INFINITY
    if (start) row.to = j
  }
}

type Against = { name: string; n: number; limit: number }
type Rows = { before: Row; above: Row; row: Row }

/** Looks only where the rows above are within the limit, and as far from there as leaving letters out stays so. */
function fillRow(query: string, i: number, { name, n, limit }: Against, { before, above, row }: Rows): void {
  const q = query.charCodeAt(i - 1)
  const qBefore = i > 1 ? query.charCodeAt(i - 2) : 0
  const addCost = dropCost(q, qBefore)
  const start = before.to < 0 ? above.from : Math.min(above.from, before.from + 2)
  const reach = Math.max(above.to + 1, before.to < 0 ? 0 : before.to + 2)
  row.from = start
  row.to = -1
  let nBefore = start > 1 ? name.charCodeAt(start - 2) : 0
  let diagonal = Number.POSITIVE_INFINITY
  let last = Number.POSITIVE_INFINITY
  for (let j = start; j <= n && (j <= reach || last <= limit); j += 1) {
    const up = costAt(above, j)
    const c = j === 0 ? 0 : name.charCodeAt(j - 1)
    let cost = up + addCost
    if (j > 0) {
      const replaced = diagonal + (q === c ? 0 : replaceCost(q, c, nBefore === 0 || nBefore === space))
      if (replaced < cost) cost = replaced
      const dropped = last + dropCost(c, nBefore)
      if (dropped < cost) cost = dropped
      if (q === nBefore && qBefore === c && q !== c && i > 1 && j > 1) {
        const swapped = costAt(before, j - 2) + 0.8
        if (swapped < cost) cost = swapped
      }
    }
    row.costs[j] = cost
    if (cost <= limit) row.to = j
    else if (row.to < 0) row.from = j + 1
    diagonal = up
    last = cost
    nBefore = c
  }
}

const whole: Tail = { wordEnd: 99, inside: 99, perLetter: 0, later: 99, perPassed: 0 }
const start: Tail = { wordEnd: 0, inside: 0, perLetter: 0, later: 99, perPassed: 0 }

/** Edits between two words; with `open`, between the typed word and the beginning of the other. */
export function wordCost(typed: string, word: string, open: boolean, limit: number): number {
  if (typed === word) return 0
  if (open && word.startsWith(typed)) return 0
  // The least an added or missing letter costs is half.
  if (typed.length - word.length > limit * 2) return Number.POSITIVE_INFINITY
  if (!open && word.length - typed.length > limit * 2) return Number.POSITIVE_INFINITY
  // Two different first letters, neither of them second in the other word: at least one dear edit.
  const unlike = typed[0] !== word[0] && typed[0] !== word[1] && typed[1] !== word[0]
  if (unlike && limit < 0.9) return Number.POSITIVE_INFINITY
  return alignCost(typed, word, open ? start : whole, limit)
}
