/**
 * The rows of the home page. A profile can reorder and hide rows. Rows without a preference follow in the default
 * order.
 */

/** Default order. The rows that the specification requires come first, in the order of the specification. */
export const HOME_ROWS = [
  'continue',
  'picks',
  'movies',
  'shows',
  'library',
  'new',
  'because',
  'genres',
] as const
/** Rows that the simple home page omits. */
const ROWS_OMITTED_FROM_SIMPLE_HOME: readonly HomeRow[] = ['library', 'new', 'because', 'genres']
export type HomeRow = (typeof HOME_ROWS)[number]
export interface HomeRowPreference {
  row: HomeRow
  hidden: boolean
}

/**
 * Returns each row once: first the rows with a preference in the order of the preferences, then the other rows. With
 * `isSimpleHome`, leaves out ROWS_OMITTED_FROM_SIMPLE_HOME.
 */
export function orderHomeRows(
  preferences: readonly HomeRowPreference[],
  isSimpleHome = false,
): HomeRowPreference[] {
  const uniquePreferences = preferences.filter(
    (preference, index) => preferences.findIndex(({ row }) => row === preference.row) === index,
  )
  const otherRows = HOME_ROWS.filter((row) => !uniquePreferences.some((preference) => preference.row === row))
  const orderedRows = [...uniquePreferences, ...otherRows.map((row) => ({ row, hidden: false }))]
  return isSimpleHome
    ? orderedRows.filter(({ row }) => !ROWS_OMITTED_FROM_SIMPLE_HOME.includes(row))
    : orderedRows
}
