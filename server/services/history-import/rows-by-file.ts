/**
 * Groups the rows of an archive by file. Several files of an archive may contain the same viewing. The files
 * are therefore merged one after another, like files that are imported separately.
 */
import type { NumberedRow } from './title-merge.ts'

export interface FileRow extends NumberedRow {
  /** Index of the file in the import. */
  file: number
}

/**
 * Groups the rows of one title by file, in the order of the files. Omits watched marks that are not separate viewings
 * (`removeWatchedMarks`).
 */
export function groupRowsByFile(rows: readonly FileRow[]): FileRow[][] {
  const rowsByFileIndex = Map.groupBy(removeWatchedMarks(rows), (row) => row.file)
  return [...rowsByFileIndex].sort(([a], [b]) => a - b).map(([, fileRows]) => fileRows)
}

/**
 * Removes watched marks that are not separate viewings. `watched.csv` of Letterboxd contains the day on which a
 * movie was marked as watched. Logging a diary entry also sets this mark, and only the entry has the viewing
 * date. A mark is therefore removed if a diary entry was logged on the same day.
 */
function removeWatchedMarks(rows: readonly FileRow[]): FileRow[] {
  const loggedDays = new Set(rows.flatMap(({ row }) => row.logged ?? []))
  const isWatchedMark = ({ row }: FileRow) =>
    row.source === 'letterboxd' && row.kind === 'watched' && row.rating === undefined && !row.logged
  return rows.filter((fileRow) => !(isWatchedMark(fileRow) && loggedDays.has(fileRow.row.at ?? '')))
}
