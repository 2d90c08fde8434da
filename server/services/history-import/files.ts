/** Files of one archive tell of the same things, as files do that come one after another: each adds to those before it. */
import type { PlacedRow } from './merge.ts'

export interface FileRow extends PlacedRow {
  /** Which of the import's files. */
  file: number
}

/** All rows are of one title. What each file adds, in their order. */
export function byFile(rows: readonly FileRow[]): FileRow[][] {
  const files = Map.groupBy(withoutMarks(rows), (one) => one.file)
  return [...files].sort(([a], [b]) => a - b).map(([, some]) => some)
}

/**
 * Letterboxd's table of films seen has the day a film was marked as seen. Where it was by an entry of the diary, that
 * entry says when it was seen, and the mark is no viewing of its own.
 */
function withoutMarks(rows: readonly FileRow[]): FileRow[] {
  const logged = new Set(rows.flatMap(({ row }) => row.logged ?? []))
  const isMark = ({ row }: FileRow) =>
    row.source === 'letterboxd' && row.kind === 'watched' && row.rating === undefined && !row.logged
  return rows.filter((one) => !(isMark(one) && logged.has(one.row.at ?? '')))
}
