/**
 * Parses the dates in columns of a table. They are ISO 8601, unless a spreadsheet saved the file: it writes
 * dates in the order of its locale. The order is inferred from the whole file.
 */
import { DAY_MS } from '../../core/dates.ts'
import { readCsvTable } from './csv.ts'
import { DateOrderEvidence, parseDateWithOrder, parseIsoDate } from './date-order.ts'
import type { FileOpener } from './history-row.ts'

/** Returns a date `YYYY-MM-DD` or a UTC timestamp; undefined for an empty field, and null for an impossible date. */
export type DateParser = (dateText: string) => string | undefined | null

/** Reads the file once, and returns a parser for the dates in these columns. Dates after `nowMs` are impossible. */
export async function createDateParser(
  openFile: FileOpener,
  columnNames: readonly string[],
  nowMs: number,
): Promise<DateParser> {
  const evidence = new DateOrderEvidence(nowMs)
  let hasLocaleDates = false
  for await (const { get: getCell } of readCsvTable(openFile())) {
    for (const dateText of columnNames.map(getCell)) {
      if (dateText === '' || parseIsoDate(dateText)) continue
      hasLocaleDates = true
      evidence.addDate(removeTime(dateText))
    }
  }
  const order = hasLocaleDates ? evidence.inferOrder().order : null
  return (dateText) => {
    if (dateText === '') return undefined
    const date = parseIsoDate(dateText) ?? (order && parseDateWithOrder(removeTime(dateText), order))
    return date && Date.parse(date) <= nowMs + DAY_MS ? date : null
  }
}

const removeTime = (dateText: string) => dateText.replace(/[ T,]+\d{1,2}:\d{2}.*$/u, '')
