/**
 * Sorts rows. All rows are sorted once into the base order. New rows and rows with a changed key are in a short separate
 * list. Reads merge this list with the base order until the orders are rebuilt.
 */

import { processInChunks } from './chunks.ts'
import type { BrowseColumns } from './columns.ts'
import type { BrowseOrder } from './types.ts'

/**
 * Returns the sort key of a row; smaller values come first. NaN excludes a row from the order, for example a title without a
 * date from an order by date.
 */
export type SortKey = (columns: BrowseColumns, row: number) => number

const getDateKey = (day: number, sign: 1 | -1) => (day === 0 ? Number.NaN : sign * day)
export const SORT_KEYS: Record<BrowseOrder, SortKey> = {
  'popularity.desc': (columns, row) => -(columns.popularity[row] as number),
  'release_date.desc': (columns, row) => getDateKey(columns.releases[row] as number, -1),
  'release_date.asc': (columns, row) => getDateKey(columns.releases[row] as number, 1),
  'rating.desc': (columns, row) => -(columns.scores[row] as number),
  'rating.asc': (columns, row) => columns.scores[row] as number,
  'title.asc': (columns, row) => columns.titleRanks[row] as number,
  'title.desc': (columns, row) => -(columns.titleRanks[row] as number),
  'rating_votes.desc': (columns, row) => -(columns.votes[row] as number),
  'newest_season.desc': (columns, row) => getDateKey(columns.seasons[row] as number, -1),
}

/**
 * Returns all rows in ascending order of key; rows with equal keys are in ascending order. Uses a radix sort over the 64 bits
 * of the key, 16 bits per pass, and awaits `pause` after each chunk.
 */
export async function sortRows(
  columns: BrowseColumns,
  key: SortKey,
  pause: () => Promise<void>,
): Promise<Uint32Array> {
  const rowCount = columns.count
  const rows = new Uint32Array(rowCount)
  const keys = new Float64Array(rowCount)
  let count = 0
  await processInChunks(rowCount, pause, (from, to) => {
    for (let row = from; row < to; row++) {
      const value = key(columns, row)
      if (Number.isNaN(value)) continue
      rows[count] = row
      keys[count] = value + 0
      count += 1
    }
  })
  const halfWords = new Uint32Array(keys.buffer)
  await processInChunks(count, pause, (from, to) => {
    for (let index = from; index < to; index++) makeSortable(halfWords, index)
  })
  let sortedRows = Uint32Array.from({ length: count }, (_, index) => index)
  let buffer = new Uint32Array(count)
  for (let pass = 0; pass < 4; pass++) {
    const halfWord = pass >> 1
    const shift = (pass & 1) * 16
    const bucketStarts = new Uint32Array(65_537)
    await processInChunks(count, pause, (from, to) => {
      for (let index = from; index < to; index++) {
        const bucket = (((halfWords[index * 2 + halfWord] as number) >>> shift) & 0xffff) + 1
        bucketStarts[bucket] = (bucketStarts[bucket] as number) + 1
      }
    })
    for (let bucket = 0; bucket < 65_536; bucket++)
      bucketStarts[bucket + 1] = (bucketStarts[bucket + 1] as number) + (bucketStarts[bucket] as number)
    await processInChunks(count, pause, (from, to) => {
      for (let position = from; position < to; position++) {
        const index = sortedRows[position] as number
        const bucket = ((halfWords[index * 2 + halfWord] as number) >>> shift) & 0xffff
        buffer[bucketStarts[bucket] as number] = index
        bucketStarts[bucket] = (bucketStarts[bucket] as number) + 1
      }
    })
    ;[sortedRows, buffer] = [buffer, sortedRows]
  }
  return sortedRows.map((index) => rows[index] as number)
}

/**
 * Transforms the bits of a double, so that comparing them as an unsigned integer gives the order of the doubles: inverts all
 * bits of negative numbers, and sets the sign bit of other numbers.
 */
function makeSortable(halfWords: Uint32Array, index: number): void {
  const highWord = halfWords[index * 2 + 1] as number
  const mask = highWord & 0x80000000 ? 0xffffffff : 0
  halfWords[index * 2] = (halfWords[index * 2] as number) ^ mask
  halfWords[index * 2 + 1] = highWord ^ (mask | 0x80000000)
}

/**
 * Returns the rows at positions `from` to `to` (exclusive) of `rows` sorted by key. Rows with equal keys are in ascending
 * order. `rows` must be ascending.
 */
export function selectSortedRange(
  columns: BrowseColumns,
  key: SortKey,
  { rows, from, to }: { rows: Uint32Array; from: number; to: number },
): number[] {
  const keys = new Float64Array(rows.length)
  for (let index = 0; index < rows.length; index++) keys[index] = key(columns, rows[index] as number)
  const reorderedKeys = keys.slice()
  const [lowest, highest] = [selectKey(reorderedKeys, from), selectKey(reorderedKeys, to - 1)]
  const inRange: { row: number; key: number }[] = []
  let countBefore = 0
  for (let index = 0; index < rows.length; index++) {
    const value = keys[index] as number
    if (value < lowest) countBefore += 1
    else if (value <= highest) inRange.push({ row: rows[index] as number, key: value })
  }
  inRange.sort((a, b) => a.key - b.key)
  return inRange.slice(from - countBefore, to - countBefore).map(({ row }) => row)
}

/** Returns the key at a position of the sorted keys. Uses Hoare's selection algorithm, which reorders `keys`. */
function selectKey(keys: Float64Array, position: number): number {
  let low = 0
  let high = keys.length - 1
  while (low < high) {
    const pivot = keys[(low + high) >>> 1] as number
    let [up, down] = [low, high]
    while (up <= down) {
      while ((keys[up] as number) < pivot) up += 1
      while ((keys[down] as number) > pivot) down -= 1
      if (up > down) break
      const swapped = keys[up] as number
      keys[up] = keys[down] as number
      keys[down] = swapped
      up += 1
      down -= 1
    }
    if (position <= down) high = down
    else if (position >= up) low = up
    else return pivot
  }
  return keys[position] as number
}

/** The rows whose position in the base order is outdated. */
export interface MovedRowList {
  /** Rows in the order of the key of the base. */
  rows: readonly number[]
  isMoved: (row: number) => boolean
}

/** Visits the base rows that are not moved and the moved rows as one sorted sequence, until `visit` returns true. */
export function walkSortedRows(
  columns: BrowseColumns,
  key: SortKey,
  { base, moved }: { base: Uint32Array; moved: MovedRowList },
  visit: (row: number) => boolean,
): void {
  let nextMoved = 0
  const isBefore = (row: number, otherRow: number) => {
    const difference = key(columns, row) - key(columns, otherRow)
    return difference < 0 || (difference === 0 && row < otherRow)
  }
  for (let index = 0; index < base.length; index++) {
    const row = base[index] as number
    if (moved.rows.length > 0) {
      if (moved.isMoved(row)) continue
      while (nextMoved < moved.rows.length && isBefore(moved.rows[nextMoved] as number, row)) {
        if (visit(moved.rows[nextMoved] as number)) return
        nextMoved += 1
      }
    }
    if (visit(row)) return
  }
  for (; nextMoved < moved.rows.length; nextMoved++) if (visit(moved.rows[nextMoved] as number)) return
}
