/**
 * Parses the dates in columns of a table. The dates are ISO 8601, unless a spreadsheet program has saved the file. Such
 * a program writes day, month and year in the order of its locale. This order is inferred from the whole file.
 */
import { DAY_MS } from '../../core/dates.ts'
import { CsvError, readCsvTable } from './csv.ts'
import { parseDateInWords } from './date-in-words.ts'
import {
  DateOrderEvidence,
  formatHistoryTime,
  isDateLike,
  normaliseDateText,
  parseDateWithOrder,
  parseIsoDate,
} from './date-order.ts'
import type { FileOpener } from './history-row.ts'
import { convertMachineDate, isPlaceholderDateText, isUnixEpochDate } from './machine-date.ts'

/**
 * Returns a date `YYYY-MM-DD` or a UTC timestamp; undefined if the text has no readable date, and null if the date is
 * impossible, such as a date in the future.
 */
export type DateParser = (dateText: string) => string | undefined | null

/**
 * Reads the file once, and returns a parser for the dates in the columns `columnNames`. Dates after `nowMs` are
 * impossible. In a broken file, only the rows before the broken place are considered, because only these rows are
 * imported.
 */
export async function createDateParser(
  openFile: FileOpener,
  columnNames: readonly string[],
  nowMs: number,
): Promise<DateParser> {
  const survey = new DateSurvey(nowMs)
  try {
    for await (const { getCell } of readCsvTable(openFile()))
      for (const columnName of columnNames) survey.addDate(getCell(columnName), columnName)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
  }
  return survey.createParser()
}

/** Parses the only date of a file. */
export function parseSingleDate(dateText: string, nowMs: number): ReturnType<DateParser> {
  const survey = new DateSurvey(nowMs)
  survey.addDate(dateText, '')
  return survey.createParser()(dateText)
}

/** Collects the dates of a file, and then creates a parser for them. */
export class DateSurvey {
  readonly #nowMs: number
  readonly #evidence: DateOrderEvidence
  #hasLocaleDates = false

  constructor(nowMs: number) {
    this.#nowMs = nowMs
    this.#evidence = new DateOrderEvidence(nowMs)
  }

  addDate(text: string, columnName: string): void {
    if (isTextWithoutDate(text)) return
    const dateText = convertMachineDate(text)
    const { date } = splitDateAndTime(dateText)
    if (parseIsoDate(dateText) || isYearFirst(date)) return
    this.#hasLocaleDates = true
    this.#evidence.addDate(date, columnName)
  }

  createParser(): DateParser {
    const order = this.#hasLocaleDates ? this.#evidence.inferOrder().order : null
    return (text) => {
      if (isTextWithoutDate(text)) return undefined
      const dateText = convertMachineDate(text)
      const isoDate = parseIsoDate(dateText)
      if (isoDate) return this.#checkDate(isoDate)
      const { date: dayText, time: timeText } = splitDateAndTime(dateText)
      const dayInWords = parseDateInWords(dayText)
      const dayOrder = isYearFirst(dayText) ? 'ymd' : order
      const day = dayInWords ?? (dayOrder && parseDateWithOrder(dayText, dayOrder))
      const date = day && addTime(day, timeText)
      if (date) return this.#checkDate(date)
      // A text of another form, such as `summer 2022`, leaves the row valid, but without a date.
      return dayInWords === null || isDateLike(dayText) ? null : undefined
    }
  }

  /**
   * Returns the date; undefined for the start of Unix time, which programs store for an unknown date; null for a date
   * in the future. Up to one day in the future is accepted, because of time zones.
   */
  #checkDate(date: string): ReturnType<DateParser> {
    if (isUnixEpochDate(date)) return undefined
    return Date.parse(date) <= this.#nowMs + DAY_MS ? date : null
  }
}

/**
 * Maximum length of a date in characters. A longer text counts as a text without a date, because the patterns of this
 * file would take very long on a text of a million characters.
 */
const MAX_DATE_LENGTH = 100

/**
 * True for an empty field, a word such as `null`, a date that programs store in place of a missing date (`0000-00-00`,
 * `1900-01-01`), and a long text.
 */
const isTextWithoutDate = (dateText: string) =>
  dateText.length > MAX_DATE_LENGTH ||
  !/\p{Nd}/u.test(dateText) ||
  /^[0:/. T-]*$/.test(dateText) ||
  isPlaceholderDateText(dateText)

/**
 * True for a date that begins with the year, such as `2021/03/04`. The order of its parts is certain, whatever the
 * order of the other dates in the file.
 */
const isYearFirst = (dayText: string) =>
  /^\D{0,3}\d{4}\D{1,3}\d{1,2}\D{1,3}\d{1,2}\D{0,3}$/.test(normaliseDateText(dayText))

function splitDateAndTime(dateText: string): { date: string; time: string } {
  const timeMatch = /[ T,]+(\d{1,2}:\d{2}.*)$/u.exec(dateText)
  return { date: dateText.slice(0, timeMatch?.index), time: timeMatch?.[1] ?? '' }
}

/**
 * Returns the UTC timestamp of a day and a time such as `20:15` or `8:15:30 PM`. Returns only the day if the time is
 * unreadable, or if it is midnight, because spreadsheets add midnight to dates without a time.
 */
function addTime(day: string, timeText: string): string {
  const timeMatch = /^(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s*([AP])\.?M\.?)?$/i.exec(timeText)
  if (!timeMatch) return day
  const [, hourText, minutes, seconds = '00', meridiem] = timeMatch
  const hour = meridiem
    ? (Number(hourText) % 12) + (meridiem.toUpperCase() === 'P' ? 12 : 0)
    : Number(hourText)
  const time = `${String(hour).padStart(2, '0')}:${minutes}:${seconds}`
  return time === '00:00:00' ? day : (formatHistoryTime(Date.parse(`${day}T${time}Z`)) ?? day)
}
