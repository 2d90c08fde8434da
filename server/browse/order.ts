/**
 * Sorts rows. All rows are sorted once into the base order. New rows and rows with a changed key are in a short
 * separate list. Reads merge this list with the base order until the orders are rebuilt.
 */

import { processInChunks } from './chunks.ts'
import type { BrowseColumns } from './columns.ts'
import type { BrowseOrder } from './types.ts'

/**
 * Returns the sort key of a row; smaller values come first. NaN excludes a row from the order, for example a title
 * without a date from an order by date.
 */
export type GetSortKey = (columns: BrowseColumns, row: number) => number

const getDateKey = (dateNumber: number, sign: 1 | -1) => (dateNumber === 0 ? Number.NaN : sign * dateNumber)
export const SORT_KEY_GETTERS: Record<BrowseOrder, GetSortKey> = {
  'popularity.desc': (columns, row) => -(columns.popularity[row] as number),
  'release_date.desc': (columns, row) => getDateKey(columns.releaseDays[row] as number, -1),
  'release_date.asc': (columns, row) => getDateKey(columns.releaseDays[row] as number, 1),
  'rating.desc': (columns, row) => -(columns.scores[row] as number),
  'rating.asc': (columns, row) => columns.scores[row] as number,
  'title.asc': (columns, row) => columns.titleRanks[row] as number,
  'title.desc': (columns, row) => -(columns.titleRanks[row] as number),
  'rating_votes.desc': (columns, row) => -(columns.voteCounts[row] as number),
  'newest_season.desc': (columns, row) => getDateKey(columns.newestSeasonDays[row] as number, -1),
}

/**
 * Returns the rows in ascending order of sort key, without rows whose key is NaN. Rows with equal keys are in ascending
 * order of row. Uses a radix sort over the 64 bits of the key, 16 bits per pass, and awaits `pause` after each chunk.
 */
export async function sortRows(
  columns: BrowseColumns,
  getSortKey: GetSortKey,
  pause: () => Promise<void>,
): Promise<Uint32Array> {
  const rowCount = columns.rowCount
  const rows = new Uint32Array(rowCount)
  const sortKeys = new Float64Array(rowCount)
  let sortableCount = 0
  await processInChunks(rowCount, pause, (startRow, endRow) => {
    for (let row = startRow; row < endRow; row++) {
      const sortKey = getSortKey(columns, row)
      if (Number.isNaN(sortKey)) continue
      rows[sortableCount] = row
      sortKeys[sortableCount] = sortKey + 0
      sortableCount += 1
    }
  })
  const keyHalves = new Uint32Array(sortKeys.buffer)
  let sortedIndexes = new Uint32Array(sortableCount)
  let nextSortedIndexes = new Uint32Array(sortableCount)
  await processInChunks(sortableCount, pause, (startIndex, endIndex) => {
    for (let index = startIndex; index < endIndex; index++) {
      makeBitsSortable(keyHalves, index)
      sortedIndexes[index] = index
    }
  })
  for (let pass = 0; pass < 4; pass++) {
    const halfIndex = pass >> 1
    const shiftBits = (pass & 1) * 16
    const bucketStarts = new Uint32Array(65_537)
    await processInChunks(sortableCount, pause, (startIndex, endIndex) => {
      for (let index = startIndex; index < endIndex; index++) {
        const bucket = (((keyHalves[index * 2 + halfIndex] as number) >>> shiftBits) & 0xffff) + 1
        bucketStarts[bucket] = (bucketStarts[bucket] as number) + 1
      }
    })
    for (let bucket = 0; bucket < 65_536; bucket++)
      bucketStarts[bucket + 1] = (bucketStarts[bucket + 1] as number) + (bucketStarts[bucket] as number)
    await processInChunks(sortableCount, pause, (startIndex, endIndex) => {
      for (let sortedPosition = startIndex; sortedPosition < endIndex; sortedPosition++) {
        const index = sortedIndexes[sortedPosition] as number
        const bucket = ((keyHalves[index * 2 + halfIndex] as number) >>> shiftBits) & 0xffff
        nextSortedIndexes[bucketStarts[bucket] as number] = index
        bucketStarts[bucket] = (bucketStarts[bucket] as number) + 1
      }
    })
    ;[sortedIndexes, nextSortedIndexes] = [nextSortedIndexes, sortedIndexes]
  }
  const sortedRows = new Uint32Array(sortableCount)
  await processInChunks(sortableCount, pause, (startIndex, endIndex) => {
    for (let index = startIndex; index < endIndex; index++)
      sortedRows[index] = rows[sortedIndexes[index] as number] as number
  })
  return sortedRows
}

/**
 * Transforms the bits of a double, so that comparing them as an unsigned integer gives the order of the doubles:
 * inverts all bits of negative numbers, and sets the sign bit of other numbers.
 */
function makeBitsSortable(keyHalves: Uint32Array, index: number): void {
  const highWord = keyHalves[index * 2 + 1] as number
  const mask = highWord & 0x80000000 ? 0xffffffff : 0
  keyHalves[index * 2] = (keyHalves[index * 2] as number) ^ mask
  keyHalves[index * 2 + 1] = highWord ^ (mask | 0x80000000)
}

/**
 * Returns the rows at positions `startIndex` to `endIndex` (exclusive) of `rows` sorted by key. Rows with equal keys
 * are in ascending order. `rows` must be ascending.
 */
export function selectSortedRange(
  columns: BrowseColumns,
  getSortKey: GetSortKey,
  { rows, startIndex, endIndex }: { rows: Uint32Array; startIndex: number; endIndex: number },
): number[] {
  const sortKeys = new Float64Array(rows.length)
  for (let index = 0; index < rows.length; index++)
    sortKeys[index] = getSortKey(columns, rows[index] as number)
  const reorderedKeys = sortKeys.slice()
  const [lowestKey, highestKey] = [
    selectKey(reorderedKeys, startIndex),
    selectKey(reorderedKeys, endIndex - 1),
  ]
  const rowsInRange: { row: number; sortKey: number }[] = []
  let countBefore = 0
  for (let index = 0; index < rows.length; index++) {
    const sortKey = sortKeys[index] as number
    if (sortKey < lowestKey) countBefore += 1
    else if (sortKey <= highestKey) rowsInRange.push({ row: rows[index] as number, sortKey })
  }
  rowsInRange.sort((a, b) => a.sortKey - b.sortKey)
  return rowsInRange.slice(startIndex - countBefore, endIndex - countBefore).map(({ row }) => row)
}

/**
 * Returns the key that would be at `sortedPosition` if `sortKeys` were sorted. Uses Hoare's selection algorithm, which
 * reorders `sortKeys`.
 */
function selectKey(sortKeys: Float64Array, sortedPosition: number): number {
  let lowIndex = 0
  let highIndex = sortKeys.length - 1
  while (lowIndex < highIndex) {
    const pivot = sortKeys[(lowIndex + highIndex) >>> 1] as number
    let [leftIndex, rightIndex] = [lowIndex, highIndex]
    while (leftIndex <= rightIndex) {
      while ((sortKeys[leftIndex] as number) < pivot) leftIndex += 1
      while ((sortKeys[rightIndex] as number) > pivot) rightIndex -= 1
      if (leftIndex > rightIndex) break
      const swappedKey = sortKeys[leftIndex] as number
      sortKeys[leftIndex] = sortKeys[rightIndex] as number
      sortKeys[rightIndex] = swappedKey
      leftIndex += 1
      rightIndex -= 1
    }
    if (sortedPosition <= rightIndex) highIndex = rightIndex
    else if (sortedPosition >= leftIndex) lowIndex = leftIndex
    else return pivot
  }
  return sortKeys[sortedPosition] as number
}

/**
 * The rows that are new, or whose key has changed since the base order was built. Their position in the base order is
 * missing or wrong.
 */
export interface MovedRowList {
  /** Moved rows, sorted by the `getSortKey` of the `SortOrder`. */
  rows: readonly number[]
  isMoved: (row: number) => boolean
}

/** An order of all rows: the base order, and the rows that were moved since the base order was built. */
export interface SortOrder {
  getSortKey: GetSortKey
  /** Rows in the base order. If `isReversed` is true, the array contains them in the reverse of the base order. */
  sortedRows: Uint32Array
  isReversed: boolean
  movedRowList: MovedRowList
  /** True if the sort keys alone determine the order, so that rows can be sorted by their keys. */
  hasUniqueKeys: boolean
}

/** Visits the base rows that are not moved and the moved rows as one sorted sequence, until `visitRow` returns true. */
export function walkSortedRows(
  columns: BrowseColumns,
  { getSortKey, sortedRows, isReversed, movedRowList }: SortOrder,
  visitRow: (row: number) => boolean,
): void {
  let nextMovedIndex = 0
  const isBefore = (row: number, otherRow: number) => {
    const difference = getSortKey(columns, row) - getSortKey(columns, otherRow)
    return difference < 0 || (difference === 0 && row < otherRow)
  }
  for (let index = 0; index < sortedRows.length; index++) {
    const row = sortedRows[isReversed ? sortedRows.length - 1 - index : index] as number
    if (movedRowList.rows.length > 0) {
      if (movedRowList.isMoved(row)) continue
      while (
        nextMovedIndex < movedRowList.rows.length &&
        isBefore(movedRowList.rows[nextMovedIndex] as number, row)
      ) {
        if (visitRow(movedRowList.rows[nextMovedIndex] as number)) return
        nextMovedIndex += 1
      }
    }
    if (visitRow(row)) return
  }
  for (; nextMovedIndex < movedRowList.rows.length; nextMovedIndex++)
    if (visitRow(movedRowList.rows[nextMovedIndex] as number)) return
}
