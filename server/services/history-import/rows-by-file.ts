/**
 * Groups the rows of an archive by file. Files of an archive may contain the same viewings, so they are merged one after another, like files that
 * are imported separately.
 */
import type { NumberedRow } from './title-merge.ts'

export interface FileRow extends NumberedRow {
  /** Index of the file in the import. */
  file: number
}

/** Groups the rows of one title by file, in the order of the files, without the watched marks of Letterboxd (see `removeWatchedMarks`). */
export function groupRowsByFile(rows: readonly FileRow[]): FileRow[][] {
  const files = Map.groupBy(removeWatchedMarks(rows), (row) => row.file)
  return [...files].sort(([a], [b]) => a - b).map(([, fileRows]) => fileRows)
}

/**
 * `watched.csv` of Letterboxd has the day on which a film was marked as watched. If a diary entry was logged on the same day,
 * the mark comes from that entry, which has the date of the viewing; the mark is not a separate viewing.
 */
function removeWatchedMarks(rows: readonly FileRow[]): FileRow[] {
  const loggedDays = new Set(rows.flatMap(({ row }) => row.logged ?? []))
  const isWatchedMark = ({ row }: FileRow) =>
    row.source === 'letterboxd' && row.kind === 'watched' && row.rating === undefined && !row.logged
  return rows.filter((fileRow) => !(isWatchedMark(fileRow) && loggedDays.has(fileRow.row.at ?? '')))
}
