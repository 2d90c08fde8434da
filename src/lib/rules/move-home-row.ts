/** Functions that change the order of the home rows. */
import type { HomeRow, HomeRowPreference } from './home-rows.ts'

/**
 * Returns a copy with `row` moved up (-1) or down (1). The first row stays when it is moved up, and the last when moved
 * down.
 */
export function moveHomeRow(
  rows: readonly HomeRowPreference[],
  row: HomeRow,
  direction: 1 | -1,
): HomeRowPreference[] {
  const rowIndex = rows.findIndex((candidate) => candidate.row === row)
  return swapRows(rows, rowIndex, rowIndex + direction)
}

/**
 * Like `moveHomeRow`, but also moves past rows that are not displayed, so that the visible order changes. A row that is
 * hidden or has no titles is not displayed.
 */
export function moveDisplayedHomeRow(
  rows: readonly HomeRowPreference[],
  displayedRows: ReadonlySet<string>,
  row: HomeRow,
  direction: 1 | -1,
): HomeRowPreference[] {
  const rowIndex = rows.findIndex((candidate) => candidate.row === row)
  let targetIndex = rowIndex + direction
  const isSkipped = (candidate?: HomeRowPreference) => candidate && !displayedRows.has(candidate.row)
  while (isSkipped(rows[targetIndex])) targetIndex += direction
  const [movedRow] = rows.slice(rowIndex, rowIndex + 1)
  if (!movedRow || !rows[targetIndex]) return [...rows]
  return rows.toSpliced(rowIndex, 1).toSpliced(targetIndex, 0, movedRow)
}

export function hideHomeRow(rows: readonly HomeRowPreference[], row: HomeRow): HomeRowPreference[] {
  return rows.map((preference) => (preference.row === row ? { row, hidden: true } : preference))
}

function swapRows(
  rows: readonly HomeRowPreference[],
  fromIndex: number,
  toIndex: number,
): HomeRowPreference[] {
  const [currentRow, neighbourRow] = [rows[fromIndex], rows[toIndex]]
  return currentRow && neighbourRow ? rows.with(fromIndex, neighbourRow).with(toIndex, currentRow) : [...rows]
}
