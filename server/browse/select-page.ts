/** Selects the rows of one page of a list. */
import type { BrowseColumns } from './columns.ts'
import { type SortOrder, selectSortedRange, walkSortedRows } from './order.ts'

/**
 * Maximum number of rows that a walk through the sort order is expected to visit. Above this number, it is cheaper to
 * collect and sort the matching rows.
 */
const MAX_WALKED_ROWS = 20_000
/**
 * Maximum number of matching rows that are collected and sorted. If more rows match, the walk through the sort order
 * goes on until the page is complete.
 */
const MAX_COLLECTED_ROWS = 100_000

/**
 * Input of `selectPage`. `startIndex` and `endIndex` are positions among the matching rows; `endIndex` is exclusive.
 */
interface PageInput {
  sortOrder: SortOrder
  isMatch: (row: number) => boolean
  /** Returns all matching rows, ascending. */
  getMatchingRows: () => Uint32Array
  matchCount: number
  startIndex: number
  endIndex: number
}

/**
 * Returns a page of the matching rows. When many rows match, a walk through the sort order soon reaches the page.
 * When few rows match, or the page is far down, the matching rows are collected and sorted instead.
 */
export function selectPage(
  columns: BrowseColumns,
  { sortOrder, isMatch, getMatchingRows, matchCount, startIndex, endIndex }: PageInput,
): number[] {
  const expectedWalkLength = (endIndex * columns.rowCount) / matchCount
  const canCollect = matchCount <= MAX_COLLECTED_ROWS && sortOrder.hasUniqueKeys
  if (!canCollect || expectedWalkLength <= MAX_WALKED_ROWS) {
    const pageRows: number[] = []
    let matchedCount = 0
    let walkedCount = 0
    walkSortedRows(columns, sortOrder, (row) => {
      walkedCount += 1
      if (isMatch(row)) {
        matchedCount += 1
        if (matchedCount > startIndex) pageRows.push(row)
      }
      return matchedCount >= endIndex || (canCollect && walkedCount >= 2 * MAX_WALKED_ROWS)
    })
    if (matchedCount >= endIndex || !canCollect) return pageRows
  }
  return selectSortedRange(columns, sortOrder.getSortKey, {
    rows: getMatchingRows(),
    startIndex,
    endIndex,
  })
}
