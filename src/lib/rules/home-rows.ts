/** The rows of home. A profile may order and hide them; what it does not name comes after, in the order of the house. */

/** The specification's own come first, in its order. */
export const HOME_ROWS = ['continue', 'picks', 'movies', 'shows', 'because', 'genres'] as const
/** What a simple home does without. */
const MORE: readonly HomeRow[] = ['because', 'genres']
export type HomeRow = (typeof HOME_ROWS)[number]
export interface HomeRowWish {
  row: HomeRow
  hidden: boolean
}

/** Every row once: those wished for in their order, then the others, shown; of a simple home its few alone. */
export function homeRows(wishes: readonly HomeRowWish[], simple = false): HomeRowWish[] {
  const first = wishes.filter((one, at) => wishes.findIndex(({ row }) => row === one.row) === at)
  const rest = HOME_ROWS.filter((row) => !first.some((one) => one.row === row))
  const all = [...first, ...rest.map((row) => ({ row, hidden: false }))]
  return simple ? all.filter(({ row }) => !MORE.includes(row)) : all
}

/** The same with one row a place up (-1) or down (1); at the ends nothing moves. */
export function moveRow(rows: readonly HomeRowWish[], row: HomeRow, step: 1 | -1): HomeRowWish[] {
  const moved = [...rows]
  const at = moved.findIndex((one) => one.row === row)
  const [here, there] = [moved[at], moved[at + step]]
  if (!here || !there) return moved
  moved[at] = there
  moved[at + step] = here
  return moved
}
