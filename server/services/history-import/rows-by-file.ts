/**
 * Groups the rows of an archive by file. Files of an archive overlap, so they are merged one after another, like files that
 * are imported separately.
 */
import type { NumberedRow } from './title-merge.ts'

export interface FileRow extends NumberedRow {
  /** Index of the file in the import. */
  file: number
}

/** Groups the rows of one title by file, in the order of the files, without Letterboxd marks. */
export function groupRowsByFile(rows: readonly FileRow[]): FileRow[][] {
  const files = Map.groupBy(removeMarks(rows), (row) => row.file)
  return [...files].sort(([a], [b]) => a - b).map(([, fileRows]) => fileRows)
}

/**
 * `watched.csv` of Letterboxd has the day on which a film was marked as watched. If a diary entry was logged on the same day,
 * the mark comes from that entry, which has the date of the viewing; the mark is not a viewing of its own.
 */
function removeMarks(rows: readonly FileRow[]): FileRow[] {
  const loggedDays = new Set(rows.flatMap(({ row }) => row.logged ?? []))
  const isMark = ({ row }: FileRow) =>
    row.source === 'letterboxd' && row.kind === 'watched' && row.rating === undefined && !row.logged
  return rows.filter((fileRow) => !(isMark(fileRow) && loggedDays.has(fileRow.row.at ?? '')))
}
