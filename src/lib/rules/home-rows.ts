/**
 * The rows of the home page. A profile can reorder and hide them; rows without a preference follow in the default
 * order.
 */

/** Default order. The rows that the specification requires come first, in its order. */
export const HOME_ROWS = ['continue', 'picks', 'movies', 'shows', 'because', 'genres'] as const
/** Rows that the simple home page omits. */
const OMITTED_FROM_SIMPLE_HOME: readonly HomeRow[] = ['because', 'genres']
export type HomeRow = (typeof HOME_ROWS)[number]
export interface HomeRowPreference {
  row: HomeRow
  hidden: boolean
}

/**
 * Returns every row once: the rows with a preference in their order, then the other rows. Simple home omits some rows.
 */
export function orderHomeRows(
  preferences: readonly HomeRowPreference[],
  simple = false,
): HomeRowPreference[] {
  const preferred = preferences.filter(
    (preference, index) => preferences.findIndex(({ row }) => row === preference.row) === index,
  )
  const rest = HOME_ROWS.filter((row) => !preferred.some((preference) => preference.row === row))
  const rows = [...preferred, ...rest.map((row) => ({ row, hidden: false }))]
  return simple ? rows.filter(({ row }) => !OMITTED_FROM_SIMPLE_HOME.includes(row)) : rows
}

/** Returns a copy with `row` moved up (-1) or down (1). A row at the end of the list does not move beyond it. */
export function moveHomeRow(
  rows: readonly HomeRowPreference[],
  row: HomeRow,
  direction: 1 | -1,
): HomeRowPreference[] {
  const moved = [...rows]
  const index = moved.findIndex((candidate) => candidate.row === row)
  const [current, neighbour] = [moved[index], moved[index + direction]]
  if (!current || !neighbour) return moved
  moved[index] = neighbour
  moved[index + direction] = current
  return moved
}
