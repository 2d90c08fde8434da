/**
 * A streaming CSV reader (RFC 4180): quoted fields may contain separators, quotes and line breaks; lines end with CRLF,
 * LF or CR; a byte order mark is allowed. It tolerates common errors: a quote inside an unquoted field is an ordinary
 * character, and rows may have fewer fields than the header.
 */
import { decodeTextChunks } from './decode-text-chunks.ts'

export interface CsvRecord {
  /** Line number where the record begins, counted from 1. */
  line: number
  fields: string[]
}

/**
 * Maximum length of a record in characters, with its separators. The limit prevents buffering the whole file if a quote
 * is never closed, or if the file has no line breaks.
 */
const MAX_RECORD_LENGTH = 1 << 20
/** Maximum number of fields of a record. The widest known export has fewer than 100 columns. */
const MAX_RECORD_FIELDS = 1_000
const QUOTE_CODE = 34
const LF_CODE = 10
const CR_CODE = 13

export class CsvError extends Error {
  readonly line: number
  constructor(line: number) {
    super(`the record that begins in line ${line} is not closed or too long`)
    this.line = line
  }
}

export class CsvReader {
  readonly #separator: number
  #fields: string[] = []
  #field = ''
  /** Length of all fields in `#fields` and of the separators after them, in characters. */
  #fieldsLength = 0
  #error: CsvError | null = null
  #isInQuotes = false
  #hasJustClosedQuote = false
  #hasRecordStarted = false
  #line = 1
  #recordLine = 1
  /** True if the previous character is CR, even if that character was the last one of the previous chunk. */
  #isAfterCr = false

  constructor(separator = ',') {
    this.#separator = separator.charCodeAt(0)
  }

  /**
   * Returns the records that end in this chunk of text. Empty lines are skipped. If a record is too long, returns the
   * records before it, and the next call throws `CsvError`.
   */
  push(text: string): CsvRecord[] {
    if (this.#error) throw this.#error
    const records: CsvRecord[] = []
    let fieldStartIndex = 0
    for (let i = 0; i < text.length; i++) {
      const charCode = text.charCodeAt(i)
      const isLfOfCrLf = charCode === LF_CODE && this.#isAfterCr
      this.#isAfterCr = charCode === CR_CODE
      if ((charCode === LF_CODE && !isLfOfCrLf) || charCode === CR_CODE) this.#line += 1
      if (this.#isInQuotes) {
        if (charCode !== QUOTE_CODE) continue
        this.#field += text.slice(fieldStartIndex, i)
        fieldStartIndex = i + 1
        this.#isInQuotes = false
        this.#hasJustClosedQuote = true
        continue
      }
      if (charCode === QUOTE_CODE) fieldStartIndex = this.#readQuote(text, fieldStartIndex, i)
      else if (charCode === this.#separator) fieldStartIndex = this.#endField(text, fieldStartIndex, i)
      else if (charCode === LF_CODE || charCode === CR_CODE) {
        if (!isLfOfCrLf) this.#endRecord(text.slice(fieldStartIndex, i), records)
        fieldStartIndex = i + 1
        this.#recordLine = this.#line
      }
      if (charCode !== QUOTE_CODE) this.#hasJustClosedQuote = false
      if (this.#error) return records
    }
    this.#field += text.slice(fieldStartIndex)
    if (fieldStartIndex < text.length) this.#hasRecordStarted = true
    this.#checkRecordLength()
    return records
  }

  /**
   * Returns the last record, if the text does not end with a line break. Throws `CsvError` if a record is too long or a
   * quote is not closed. The field after an unclosed quote would contain the rest of the file, whose rows must not be
   * lost without a report.
   */
  end(): CsvRecord[] {
    if (this.#error) throw this.#error
    if (this.#isInQuotes) throw new CsvError(this.#recordLine)
    const records: CsvRecord[] = []
    this.#endRecord('', records)
    return records
  }

  /**
   * Handles a quote, which opens a quoted field, is the second half of an escaped quote, or is an ordinary character.
   * Returns the index at which the unread part of the field starts.
   */
  #readQuote(text: string, fieldStartIndex: number, quoteIndex: number): number {
    const textBeforeQuote = text.slice(fieldStartIndex, quoteIndex)
    if (this.#hasJustClosedQuote && textBeforeQuote === '') {
      this.#field += '"'
      this.#isInQuotes = true
    } else if (this.#field === '' && textBeforeQuote === '' && !this.#hasJustClosedQuote) {
      this.#isInQuotes = true
      this.#hasRecordStarted = true
    } else {
      this.#field += `${textBeforeQuote}"`
    }
    this.#hasJustClosedQuote = false
    return quoteIndex + 1
  }

  #endField(text: string, fieldStartIndex: number, endIndex: number): number {
    const field = this.#field + text.slice(fieldStartIndex, endIndex)
    this.#fieldsLength += field.length + 1
    this.#fields.push(field)
    this.#field = ''
    this.#checkRecordLength()
    this.#hasRecordStarted = true
    return endIndex + 1
  }

  #checkRecordLength(): void {
    const isTooLong = this.#fieldsLength + this.#field.length > MAX_RECORD_LENGTH
    if (isTooLong || this.#fields.length > MAX_RECORD_FIELDS) this.#error = new CsvError(this.#recordLine)
  }

  #endRecord(lastText: string, records: CsvRecord[]): void {
    const lastField = this.#field + lastText
    if (this.#hasRecordStarted || lastField !== '')
      records.push({ line: this.#recordLine, fields: [...this.#fields, lastField] })
    this.#fields = []
    this.#field = ''
    this.#fieldsLength = 0
    this.#hasRecordStarted = false
    this.#hasJustClosedQuote = false
  }
}

/**
 * Yields the records of a file. Without `separator`, the separator is detected from the first line. Throws `CsvError`.
 */
export async function* readCsvRecords(
  chunks: AsyncIterable<Uint8Array>,
  separator?: string,
): AsyncGenerator<CsvRecord> {
  let reader: CsvReader | null = separator ? new CsvReader(separator) : null
  let unreadText = ''
  for await (const text of decodeTextChunks(chunks)) {
    unreadText += text
    // Detecting the separator needs the complete first line.
    if (!reader && !/[\r\n]/.test(unreadText) && unreadText.length < MAX_RECORD_LENGTH) continue
    if (!reader) {
      reader = new CsvReader(detectSeparator(unreadText))
      unreadText = removeSeparatorLine(unreadText)
    }
    yield* reader.push(unreadText)
    unreadText = ''
  }
  reader ??= new CsvReader(detectSeparator(unreadText))
  yield* reader.push(removeSeparatorLine(unreadText))
  yield* reader.end()
}

/** Matches a first line with which a spreadsheet program names the separator: `sep=;`. */
const SEPARATOR_LINE_PATTERN = /^\ufeff?sep=([,;\t|])[ \t]*(?=[\r\n]|$)/i

/** Removes the text of the line `sep=;`. Its line break stays, so that the line numbers do not change. */
export const removeSeparatorLine = (text: string): string => text.replace(SEPARATOR_LINE_PATTERN, '')

/**
 * Returns the separator that the first line names (`sep=;`) or uses: a comma, a semicolon, a tab or a vertical bar.
 * Spreadsheets write semicolons or tabs in many locales.
 */
export function detectSeparator(text: string): string {
  const namedSeparator = SEPARATOR_LINE_PATTERN.exec(text)?.[1]
  if (namedSeparator) return namedSeparator
  const [line = ''] = text.split(/\r|\n/, 1)
  const textOutsideQuotes = line.replace(/"[^"]*"/g, '')
  const countFields = (separator: string) => textOutsideQuotes.split(separator).length
  return [',', ';', '\t', '|'].reduce((bestSeparator, separator) =>
    countFields(separator) > countFields(bestSeparator) ? separator : bestSeparator,
  )
}

/** A record whose fields are read by column name. Column names are trimmed and lower case. */
export interface CsvRow {
  line: number
  /** Returns the trimmed field; empty if the column or the field is missing. */
  getCell(columnName: string): string
}

/** Yields the records after the header line. Throws `CsvError`. */
export async function* readCsvTable(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow> {
  let columnIndexesByName: Map<string, number> | null = null
  for await (const { line, fields } of readCsvRecords(chunks)) {
    if (columnIndexesByName) yield toCsvRow(line, fields, columnIndexesByName)
    else columnIndexesByName = indexColumns(fields)
  }
}

/** Returns the position of each column by its trimmed, lower-case name. */
export function indexColumns(header: readonly string[]): Map<string, number> {
  return new Map(header.map((name, i) => [name.trim().toLowerCase(), i]))
}

export function toCsvRow(
  line: number,
  fields: readonly string[],
  columnIndexesByName: Map<string, number>,
): CsvRow {
  return { line, getCell: (columnName) => fields[columnIndexesByName.get(columnName) ?? -1]?.trim() ?? '' }
}

/**
 * Parses a number, which may have a decimal comma, because spreadsheets write one in many locales. Returns NaN for any
 * other text.
 */
export const parseDecimal = (text: string): number =>
  /^\d+(?:[.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN

/**
 * Words for true and false. A spreadsheet program reads `true` as a boolean and saves it as a word of its language:
 * English, French, German, Spanish, Portuguese, Italian, Dutch, Danish, Norwegian, Swedish, Finnish, Polish, Czech,
 * Hungarian, Russian or Turkish.
 */
const TRUE_PATTERN =
  /^(?:1|true|vrai|wahr|verdadeiro|verdadero|vero|waar|sand|sann|sant|tosi|prawda|pravda|igaz|истина|doğru)$/
const FALSE_PATTERN =
  /^(?:0?|false|faux|falsch|falso|onwaar|falsk|usann|falskt|epätosi|fałsz|nepravda|hamis|ложь|yanl[ıi]ş)$/

/** Returns the boolean of a field; false for an empty field, and null for a text that is no boolean. */
export function parseBoolean(text: string): boolean | null {
  const word = text.trim().toLowerCase()
  if (TRUE_PATTERN.test(word)) return true
  return FALSE_PATTERN.test(word) ? false : null
}
