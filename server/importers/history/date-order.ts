/**
 * Infers the order of day, month and year in a file whose dates follow an unknown locale: 10/21/20, 29/03/2021,
 * 28-06-23, 2021. 3. 29. A single date is usually ambiguous, so every order is tried on every row of the file.
 */

import { toAsciiDigits } from '../../../src/lib/rules/fold-letters.ts'
import { DAY_MS } from '../../core/dates.ts'

/** Matches `21. 2. 13.`. Only Korean short dates have spaces, a full stop at the end and a year of two digits. */
const KOREAN_SHORT_DATE_PATTERN = /^\d{2}\. \d{1,2}\. \d{1,2}\.$/

export type DateOrder = 'dmy' | 'mdy' | 'ymd'
const DATE_ORDERS: readonly DateOrder[] = ['dmy', 'mdy', 'ymd']

interface OrderEvidence {
  /** Number of dates that are impossible in this order. */
  impossibleDateCount: number
  /**
   * Number of dates that are later than the previous date of their column; `earlierDateCount` counts earlier dates. In
   * a sorted file, one of the two is small.
   */
  laterDateCount: number
  earlierDateCount: number
  previousDateMsByColumn: Map<string, number>
  /** Sum of the days between neighbouring dates of a column, over all columns. */
  totalDistanceDays: number
}

export interface InferredDateOrder {
  order: DateOrder
  /** False if another order explains the file equally well. */
  isCertain: boolean
}

export class DateOrderEvidence {
  readonly #latestMs: number
  readonly #evidence = new Map<DateOrder, OrderEvidence>()
  #paddedCount = 0
  #unpaddedCount = 0
  #koreanCount = 0

  /** Dates after `latestDateMs` are impossible; one day of tolerance allows for time zones. */
  constructor(latestDateMs: number) {
    this.#latestMs = latestDateMs + DAY_MS
    for (const order of DATE_ORDERS) {
      this.#evidence.set(order, {
        impossibleDateCount: 0,
        laterDateCount: 0,
        earlierDateCount: 0,
        previousDateMsByColumn: new Map(),
        totalDistanceDays: 0,
      })
    }
  }

  /**
   * Adds the date of the next row. Texts that are not a date are ignored. A date is compared only with the previous
   * date of the same column, because only one of the columns may be sorted.
   */
  addDate(dateText: string, columnName = ''): void {
    const parts = splitDate(dateText)
    if (!parts) return
    if (KOREAN_SHORT_DATE_PATTERN.test(dateText)) this.#koreanCount += 1
    else if (/^0/.test(parts[0]) || /^0/.test(parts[1])) this.#paddedCount += 1
    else if (parts[0].length === 1 || parts[1].length === 1) this.#unpaddedCount += 1
    for (const [order, evidence] of this.#evidence) {
      const dateMs = toDateMs(parts, order)
      if (!(dateMs <= this.#latestMs)) {
        evidence.impossibleDateCount += 1
        continue
      }
      const previousDateMs = evidence.previousDateMsByColumn.get(columnName) ?? dateMs
      if (dateMs > previousDateMs) evidence.laterDateCount += 1
      if (dateMs < previousDateMs) evidence.earlierDateCount += 1
      evidence.totalDistanceDays += Math.abs(dateMs - previousDateMs) / DAY_MS
      evidence.previousDateMsByColumn.set(columnName, dateMs)
    }
  }

  /**
   * Returns the order with the fewest impossible dates, then the fewest rows that break the sort order, then the
   * smallest sum of days between rows. If orders tie, dates in the Korean form start with the year. Otherwise, numbers
   * without leading zeros mean month first (as in the US), and other numbers day first.
   */
  inferOrder(): InferredDateOrder {
    const rankedOrders = [...this.#evidence].sort(([, a], [, b]) => compareEvidence(a, b))
    const [bestEntry, secondEntry] = rankedOrders
    const tiedOrders = rankedOrders
      .filter(([, evidence]) => compareEvidence(evidence, bestEntry![1]) === 0)
      .map(([order]) => order)
    if (tiedOrders.length === 1)
      return { order: bestEntry![0], isCertain: compareEvidence(bestEntry![1], secondEntry![1]) < 0 }
    const isMonthFirstLikely = this.#unpaddedCount > 0 && this.#paddedCount === 0
    const defaultOrder: DateOrder = this.#koreanCount > 0 ? 'ymd' : isMonthFirstLikely ? 'mdy' : 'dmy'
    return { order: tiedOrders.includes(defaultOrder) ? defaultOrder : tiedOrders[0]!, isCertain: false }
  }
}

function compareEvidence(a: OrderEvidence, b: OrderEvidence): number {
  return (
    a.impossibleDateCount - b.impossibleDateCount ||
    Math.min(a.laterDateCount, a.earlierDateCount) - Math.min(b.laterDateCount, b.earlierDateCount) ||
    a.totalDistanceDays - b.totalDistanceDays
  )
}

type DateParts = readonly [string, string, string]

/** Returns the text with the digits of any script in ASCII, and without directional marks. */
export const normaliseDateText = (dateText: string): string => toAsciiDigits(dateText).replace(/\p{Cf}/gu, '')

/** Returns the three numbers of a date; null if the text does not consist of three numbers with separators. */
function splitDate(dateText: string): DateParts | null {
  const asciiText = normaliseDateText(dateText)
  const partsMatch = /^\D{0,3}(\d{1,4})\D{1,3}(\d{1,2})\D{1,3}(\d{1,4})\D{0,3}$/.exec(asciiText)
  return partsMatch ? [partsMatch[1]!, partsMatch[2]!, partsMatch[3]!] : null
}

/**
 * Returns the start of the day in UTC, in milliseconds since 1970, or NaN if there is no such day or if the year is
 * before 1900. Two-digit years are in this century. Years after 2400 belong to the Thai Buddhist calendar, which is 543
 * years ahead.
 */
function toDateMs(parts: DateParts, order: DateOrder): number {
  const getDatePart = (letter: string) => parts[order.indexOf(letter)]!
  const [yearText, month, dayOfMonth] = [getDatePart('y'), Number(getDatePart('m')), Number(getDatePart('d'))]
  if (yearText.length !== 2 && yearText.length !== 4) return Number.NaN
  if (parts.some((part) => part !== yearText && part.length > 2)) return Number.NaN
  let year = yearText.length === 2 ? 2000 + Number(yearText) : Number(yearText)
  if (year > 2400) year -= 543
  if (year < 1900 || month < 1 || month > 12 || dayOfMonth < 1 || dayOfMonth > 31) return Number.NaN
  const dateMs = Date.UTC(year, month - 1, dayOfMonth)
  return new Date(dateMs).getUTCDate() === dayOfMonth ? dateMs : Number.NaN
}

/** Returns the date as `YYYY-MM-DD`, or null if there is no such day. */
function formatIsoDate(parts: DateParts, order: DateOrder): string | null {
  const dateMs = toDateMs(parts, order)
  return Number.isNaN(dateMs) ? null : new Date(dateMs).toISOString().slice(0, 10)
}

/** Converts a date whose parts are in the given order to `YYYY-MM-DD`; null if the text is not a valid date. */
export function parseDateWithOrder(dateText: string, order: DateOrder): string | null {
  const parts = splitDate(dateText)
  return parts && formatIsoDate(parts, order)
}

/** True if the text consists of three numbers with separators, in any order of day, month and year. */
export const isDateLike = (text: string) => splitDate(text.trim()) !== null

/**
 * Normalises an ISO 8601 date, or date and time (`2022-08-24 09:40:17`; UTC unless an offset is given), to `YYYY-MM-DD`
 * or a UTC timestamp. Returns undefined for anything else.
 */
export function parseIsoDate(dateText: string): string | undefined {
  const isoMatch =
    /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})?)?$/.exec(
      dateText.trim(),
    )
  const isoDate = isoMatch && formatIsoDate([isoMatch[1]!, isoMatch[2]!, isoMatch[3]!], 'ymd')
  if (!isoMatch || !isoDate) return undefined
  if (!isoMatch[4]) return isoDate
  const date = new Date(`${isoDate}T${isoMatch[4]}${isoMatch[5] ?? 'Z'}`)
  return formatHistoryTime(date.getTime())
}

/**
 * Returns the UTC timestamp of a history row. The timestamp has no milliseconds if they are zero. Returns undefined for
 * `NaN`.
 */
export function formatHistoryTime(timeMs: number): string | undefined {
  return Number.isNaN(timeMs) ? undefined : new Date(timeMs).toISOString().replace('.000Z', 'Z')
}
