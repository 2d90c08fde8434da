/**
 * Rows in the order of a list. The bulk is sorted once; rows that are new, or whose key changed, are kept apart in a short
 * list of their own and merged while reading, until there are enough of them to be merged for good.
 */
import type { Columns } from './columns.ts'
import type { Order } from './types.ts'

/** Smaller comes first; NaN is not in this list at all (a title without a date has no place in an order by date). */
export type Key = (columns: Columns, row: number) => number

const dated = (day: number, sign: 1 | -1) => (day === 0 ? Number.NaN : sign * day)
export const KEYS: Record<Order, Key> = {
  'popularity.desc': (c, row) => -(c.popularity[row] as number),
  'release_date.desc': (c, row) => dated(c.releases[row] as number, -1),
  'release_date.asc': (c, row) => dated(c.releases[row] as number, 1),
  'rating.desc': (c, row) => -(c.scores[row] as number),
  'rating.asc': (c, row) => c.scores[row] as number,
  'title.asc': (c, row) => c.titleRanks[row] as number,
  'title.desc': (c, row) => -(c.titleRanks[row] as number),
  'rating_votes.desc': (c, row) => -(c.votes[row] as number),
  'newest_season.desc': (c, row) => dated(c.seasons[row] as number, -1),
}

/** Rows by key, ascending, equal ones in the order of rows: a radix sort over the 64 bits of the key. */
export function sortedRows(columns: Columns, key: Key): Uint32Array {
  const rows: number[] = []
  for (let row = 0; row < columns.count; row++) if (!Number.isNaN(key(columns, row))) rows.push(row)
  const count = rows.length
  const keys = new Float64Array(count)
  for (let at = 0; at < count; at++) keys[at] = key(columns, rows[at] as number) + 0
  const words = new Uint32Array(keys.buffer)
  for (let at = 0; at < count; at++) {
    const high = words[at * 2 + 1] as number
    const flip = high & 0x80000000 ? 0xffffffff : 0
    words[at * 2] = (words[at * 2] as number) ^ flip
    words[at * 2 + 1] = high ^ (flip | 0x80000000)
  }
  let order = Uint32Array.from({ length: count }, (_, at) => at)
  let other = new Uint32Array(count)
  for (let digit = 0; digit < 4; digit++) {
    const [word, shift] = [digit >> 1, (digit & 1) * 16]
    const starts = new Uint32Array(65_537)
    const digitOf = (at: number) => ((words[at * 2 + word] as number) >>> shift) & 0xffff
    for (let at = 0; at < count; at++) starts[digitOf(at) + 1] = (starts[digitOf(at) + 1] as number) + 1
    for (let bucket = 0; bucket < 65_536; bucket++)
      starts[bucket + 1] = (starts[bucket + 1] as number) + (starts[bucket] as number)
    for (const at of order) {
      const bucket = digitOf(at)
      const place = starts[bucket] as number
      other[place] = at
      starts[bucket] = place + 1
    }
    ;[order, other] = [other, order]
  }
  return order.map((at) => rows[at] as number)
}

/** Rows that are not where the sorted bulk has them. */
export interface Moved {
  /** By the same key. */
  rows: readonly number[]
  has: (row: number) => boolean
}

/** Visits the bulk (without what moved) and what moved as one order, until `visit` answers true. */
export function walk(
  columns: Columns,
  key: Key,
  { base, moved }: { base: Uint32Array; moved: Moved },
  visit: (row: number) => boolean,
): void {
  let next = 0
  const before = (row: number, other: number) => {
    const difference = key(columns, row) - key(columns, other)
    return difference < 0 || (difference === 0 && row < other)
  }
  for (let at = 0; at < base.length; at++) {
    const row = base[at] as number
    if (moved.rows.length > 0) {
      if (moved.has(row)) continue
      while (next < moved.rows.length && before(moved.rows[next] as number, row)) {
        if (visit(moved.rows[next] as number)) return
        next += 1
      }
    }
    if (visit(row)) return
  }
  for (; next < moved.rows.length; next++) if (visit(moved.rows[next] as number)) return
}
