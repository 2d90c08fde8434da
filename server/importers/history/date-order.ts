/**
 * Dates whose order of day, month and year follows the account's language: 10/21/20, 29/03/2021, 28-06-23, 2021. 3. 29.
 * One date seldom tells; the whole file does. Every order is tried on every row and the one that needs no miracle wins.
 */

export type DateOrder = 'dmy' | 'mdy' | 'ymd'
const ORDERS: readonly DateOrder[] = ['dmy', 'mdy', 'ymd']
const DAY_MS = 86_400_000

interface Evidence {
  impossible: number
  /** Neighbours that are out of the file's direction, both ways: exports are sorted by date. */
  up: number
  down: number
  previous: number
  /** Days between neighbours, summed. */
  distance: number
}

export interface Inferred {
  order: DateOrder
  /** False when another order explains the file as well. */
  certain: boolean
}

export class DateEvidence {
  readonly #latest: number
  readonly #evidence = new Map<DateOrder, Evidence>()
  #padded = 0
  #bare = 0

  /** `latest` in milliseconds: nothing can have happened after it. */
  constructor(latest: number) {
    this.#latest = latest + DAY_MS
    for (const order of ORDERS) {
      this.#evidence.set(order, { impossible: 0, up: 0, down: 0, previous: Number.NaN, distance: 0 })
    }
  }

  add(text: string): void {
    const parts = partsOf(text)
    if (!parts) return
    if (/^0/.test(parts[0]) || /^0/.test(parts[1])) this.#padded += 1
    else if (parts[0].length === 1 || parts[1].length === 1) this.#bare += 1
    for (const [order, seen] of this.#evidence) {
      const date = dateOf(parts, order)
      const at = date ? Date.parse(date) : Number.NaN
      if (!(at <= this.#latest)) {
        seen.impossible += 1
        continue
      }
      if (at > seen.previous) seen.up += 1
      if (at < seen.previous) seen.down += 1
      if (!Number.isNaN(seen.previous)) seen.distance += Math.abs(at - seen.previous) / DAY_MS
      seen.previous = at
    }
  }

  /**
   * The order with the fewest impossible dates, then the fewest rows out of the sorting, then the shortest way through
   * the calendar. When all that is equal, days and months are written without zeros by the month-first habit only.
   */
  decide(): Inferred {
    const ranked = [...this.#evidence].sort(([, a], [, b]) => compareEvidence(a, b))
    const [best, second] = ranked
    const tied = ranked.filter(([, one]) => compareEvidence(one, best![1]) === 0).map(([order]) => order)
    if (tied.length === 1) return { order: best![0], certain: compareEvidence(best![1], second![1]) < 0 }
    const habit: DateOrder = this.#bare > 0 && this.#padded === 0 ? 'mdy' : 'dmy'
    return { order: tied.includes(habit) ? habit : tied[0]!, certain: false }
  }
}

function compareEvidence(a: Evidence, b: Evidence): number {
  return (
    a.impossible - b.impossible || Math.min(a.up, a.down) - Math.min(b.up, b.down) || a.distance - b.distance
  )
}

type Parts = readonly [string, string, string]

/** The three numbers of a date; digits of any script, marks of direction left out. */
function partsOf(text: string): Parts | null {
  const plain = text.replace(/\p{Nd}/gu, digitOf).replace(/\p{Cf}/gu, '')
  const match = /^\D{0,3}(\d{1,4})\D{1,3}(\d{1,2})\D{1,3}(\d{1,4})\D{0,3}$/.exec(plain)
  return match ? [match[1]!, match[2]!, match[3]!] : null
}

/** Digits of a script stand in tens, beginning at a code point that `\p{Nd}` does not precede. */
function digitOf(digit: string): string {
  let zero = digit.codePointAt(0)!
  if (zero < 128) return digit
  const value = zero
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1)) && value - zero < 9) zero -= 1
  return String(value - zero)
}

/** `YYYY-MM-DD`, or null when there is no such day. Two digits are of this century; Thai years are of the Buddhist era. */
function dateOf(parts: Parts, order: DateOrder): string | null {
  const pick = (sign: string) => parts[order.indexOf(sign)]!
  const [y, m, d] = [pick('y'), Number(pick('m')), Number(pick('d'))]
  if (y.length !== 2 && y.length !== 4) return null
  let year = y.length === 2 ? 2000 + Number(y) : Number(y)
  if (year > 2400) year -= 543
  if (year < 1900 || m < 1 || m > 12 || d < 1 || d > 31) return null
  const date = new Date(Date.UTC(year, m - 1, d))
  return date.getUTCDate() === d && date.getUTCMonth() === m - 1 ? date.toISOString().slice(0, 10) : null
}

export function readDate(text: string, order: DateOrder): string | null {
  const parts = partsOf(text)
  return parts && dateOf(parts, order)
}

/** Whether a cell looks like a date at all. */
export const isDateLike = (text: string) => partsOf(text.trim()) !== null

/** `2022-08-24`, with a time `2022-08-24 09:40:17` of UTC or an instant: as `YYYY-MM-DD` or ISO 8601; else undefined. */
export function isoDate(text: string): string | undefined {
  const match =
    /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})?)?$/.exec(
      text.trim(),
    )
  const day = match && dateOf([match[1]!, match[2]!, match[3]!], 'ymd')
  if (!match || !day) return undefined
  if (!match[4]) return day
  const at = new Date(`${day}T${match[4]}${match[5] ?? 'Z'}`)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString().replace('.000Z', 'Z')
}
