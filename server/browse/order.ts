/**
 * Rows in the order of a list. The bulk is sorted once; rows that are new, or whose key changed, are kept apart in a short
 * list of their own and merged while reading, until there are enough of them to be merged for good.
 */
import type { Columns } from './columns.ts'
import { strides } from './strides.ts'
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

/**
 * Rows by key, ascending, equal ones in the order of rows: a radix sort over the 64 bits of the key, 16 at a time, with
 * `pause` after every stride.
 */
export async function sortedRows(
  columns: Columns,
  key: Key,
  pause: () => Promise<void>,
): Promise<Uint32Array> {
  const until = columns.count
  const rows = new Uint32Array(until)
  const keys = new Float64Array(until)
  let count = 0
  await strides(until, pause, (from, to) => {
    for (let row = from; row < to; row++) {
      const value = key(columns, row)
      if (Number.isNaN(value)) continue
      rows[count] = row
      keys[count] = value + 0
      count += 1
    }
  })
  const words = new Uint32Array(keys.buffer)
  await strides(count, pause, (from, to) => {
    for (let at = from; at < to; at++) ascending(words, at)
  })
  let order = Uint32Array.from({ length: count }, (_, at) => at)
  let other = new Uint32Array(count)
  for (let digit = 0; digit < 4; digit++) {
    const word = digit >> 1
    const shift = (digit & 1) * 16
    const starts = new Uint32Array(65_537)
    await strides(count, pause, (from, to) => {
      for (let at = from; at < to; at++) {
        const bucket = (((words[at * 2 + word] as number) >>> shift) & 0xffff) + 1
        starts[bucket] = (starts[bucket] as number) + 1
      }
    })
    for (let bucket = 0; bucket < 65_536; bucket++)
      starts[bucket + 1] = (starts[bucket + 1] as number) + (starts[bucket] as number)
    await strides(count, pause, (from, to) => {
      for (let place = from; place < to; place++) {
        const at = order[place] as number
        const bucket = ((words[at * 2 + word] as number) >>> shift) & 0xffff
        other[starts[bucket] as number] = at
        starts[bucket] = (starts[bucket] as number) + 1
      }
    })
    ;[order, other] = [other, order]
  }
  return order.map((at) => rows[at] as number)
}

/** Makes the bits of a double compare as an unsigned number: negative ones turned round, positive ones above them. */
function ascending(words: Uint32Array, at: number): void {
  const high = words[at * 2 + 1] as number
  const flip = high & 0x80000000 ? 0xffffffff : 0
  words[at * 2] = (words[at * 2] as number) ^ flip
  words[at * 2 + 1] = high ^ (flip | 0x80000000)
}

/** Those of some rows (ascending) that have the places `from` to `to` by key, equal ones in the order of rows. */
export function placesOf(
  columns: Columns,
  key: Key,
  { rows, from, to }: { rows: Uint32Array; from: number; to: number },
): number[] {
  const keys = new Float64Array(rows.length)
  for (let at = 0; at < rows.length; at++) keys[at] = key(columns, rows[at] as number)
  const unsorted = keys.slice()
  const [least, most] = [valueAt(unsorted, from), valueAt(unsorted, to - 1)]
  const near: { row: number; key: number }[] = []
  let before = 0
  for (let at = 0; at < rows.length; at++) {
    const value = keys[at] as number
    if (value < least) before += 1
    else if (value <= most) near.push({ row: rows[at] as number, key: value })
  }
  near.sort((a, b) => a.key - b.key)
  return near.slice(from - before, to - before).map(({ row }) => row)
}

/** The value at a place if the keys were sorted, which are put into another order for it: Hoare's selection. */
function valueAt(keys: Float64Array, place: number): number {
  let low = 0
  let high = keys.length - 1
  while (low < high) {
    const pivot = keys[(low + high) >>> 1] as number
    let [up, down] = [low, high]
    while (up <= down) {
      while ((keys[up] as number) < pivot) up += 1
      while ((keys[down] as number) > pivot) down -= 1
      if (up > down) break
      const other = keys[up] as number
      keys[up] = keys[down] as number
      keys[down] = other
      up += 1
      down -= 1
    }
    if (place <= down) high = down
    else if (place >= up) low = up
    else return pivot
  }
  return keys[place] as number
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
