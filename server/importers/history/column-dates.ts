/**
 * Parses the dates in columns of a table. They are ISO 8601, unless a spreadsheet saved the file: it writes
 * dates in the order of its locale. The order is inferred from the whole file.
 */
import { DAY_MS } from '../../core/dates.ts'
import { readCsvTable } from './csv.ts'
import { DateOrderEvidence, parseDateWithOrder, parseIsoDate } from './date-order.ts'
import type { FileOpener } from './history-row.ts'

/** Returns a date `YYYY-MM-DD` or a UTC timestamp; undefined for an empty field, and null for an impossible date. */
export type DateParser = (text: string) => string | undefined | null

/** Reads the file once, and returns a parser for the dates in these columns. Dates after `nowMs` are impossible. */
export async function createDateParser(
  openFile: FileOpener,
  columns: readonly string[],
  nowMs: number,
): Promise<DateParser> {
  const evidence = new DateOrderEvidence(nowMs)
  let hasLocaleDates = false
  for await (const { get: getCell } of readCsvTable(openFile())) {
    for (const text of columns.map(getCell)) {
      if (text === '' || parseIsoDate(text)) continue
      hasLocaleDates = true
      evidence.addDate(removeTime(text))
    }
  }
  const order = hasLocaleDates ? evidence.inferOrder().order : null
  return (text) => {
    if (text === '') return undefined
    const date = parseIsoDate(text) ?? (order && parseDateWithOrder(removeTime(text), order))
    return date && Date.parse(date) <= nowMs + DAY_MS ? date : null
  }
}

const removeTime = (text: string) => text.replace(/[ T,]+\d{1,2}:\d{2}.*$/u, '')
