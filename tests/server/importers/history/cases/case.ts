/** A small file of a format, and what is read from it. */
import type { HistoryRow } from '../../../../../server/importers/history/history-row.ts'

export interface Case {
  file: string
  text: string
  format: string
  rows: Partial<HistoryRow>[]
  skips?: { line: number; skip: string }[]
}

export const json = (value: unknown) => JSON.stringify(value, null, 2)
