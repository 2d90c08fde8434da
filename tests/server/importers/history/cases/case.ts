/** One sample file of a format, with the rows and skips that the parser must return. */
import type { HistoryRow } from '../../../../../server/importers/history/history-row.ts'

export interface FormatCase {
  fileName: string
  text: string
  format: string
  /** For each row, the fields that it must have. A field that the row must not have is undefined. */
  rows: { [K in keyof HistoryRow]?: HistoryRow[K] | undefined }[]
  skips?: { line: number; skip: string }[]
}

/** Formats a value as JSON with line breaks, because skips report line numbers. */
export const formatJson = (value: unknown) => JSON.stringify(value, null, 2)

/** Time of a viewing in several cases. */
export const ISO_TIME = '2021-03-04T20:15:00Z'
