/** Functions that change the order of the home rows. */
import type { HomeRow, HomeRowPreference } from './home-rows.ts'

/**
 * Returns a copy with `row` moved up (-1) or down (1). The first row stays when it is moved up, and the last when moved down.
 */
export function moveHomeRow(
  rows: readonly HomeRowPreference[],
  row: HomeRow,
  direction: 1 | -1,
): HomeRowPreference[] {
  const index = rows.findIndex((candidate) => candidate.row === row)
  return swapRows(rows, index, index + direction)
}

/** Like `moveHomeRow`, but also moves past hidden rows, so that the visible order changes. */
export function moveVisibleHomeRow(
  rows: readonly HomeRowPreference[],
  row: HomeRow,
  direction: 1 | -1,
): HomeRowPreference[] {
  const index = rows.findIndex((candidate) => candidate.row === row)
  let target = index + direction
  while (rows[target]?.hidden) target += direction
  const [moved] = rows.slice(index, index + 1)
  if (!moved || !rows[target]) return [...rows]
  return rows.toSpliced(index, 1).toSpliced(target, 0, moved)
}

export function hideHomeRow(rows: readonly HomeRowPreference[], row: HomeRow): HomeRowPreference[] {
  return rows.map((preference) => (preference.row === row ? { row, hidden: true } : preference))
}

function swapRows(rows: readonly HomeRowPreference[], from: number, to: number): HomeRowPreference[] {
  const [current, neighbour] = [rows[from], rows[to]]
  return current && neighbour ? rows.with(from, neighbour).with(to, current) : [...rows]
}
