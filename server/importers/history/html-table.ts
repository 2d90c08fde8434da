/**
 * Tables in HTML: the lists that Kinopoisk exports as `.xls`, and spreadsheets that were saved as a web page. Each row
 * becomes a record like a line of a CSV file, so the columns are recognised by their names, as in table.ts.
 */
import { CsvError, type CsvRecord } from './csv.ts'
import { decodeTextChunks } from './decode-text-chunks.ts'
import type { FileOpener, HistoryFormat } from './history-row.ts'
import { decodeHtmlEntities } from './html-entities.ts'
import { readTitleRecords } from './record-reader.ts'
import { planTableFromRecords, readTableRecords } from './table.ts'

/** Maximum length of a row in characters, as in CSV files. */
const MAX_ROW_LENGTH = 1 << 20
const ROW_START_PATTERN = /<tr(?=[\s>])/i
const ROW_END_PATTERN = /<\/tr\s*>|<tr(?=[\s>])|<\/table\s*>/i
const CELL_PATTERN = /<t[dh](?=[\s>])[^<>]*>/i
/** Number of characters that are kept at the end of a chunk, because they may be the beginning of a `<tr` tag. */
const ROW_START_LENGTH = 4

export const htmlTableFormat: HistoryFormat = {
  id: 'html-table',
  source: 'other',
  matches: (path, { text }) => {
    if (!/^\s*</.test(text) || !ROW_START_PATTERN.test(text)) return false
    const reader = new HtmlRowReader()
    return planTableFromRecords(path, [...reader.push(text), ...reader.end()]) !== null
  },
  async *readRows(openFile, path, { nowMs, baseName }) {
    const openRecords = () => readTableRecords(readHtmlRows(openFile), path, baseName)
    yield* readTitleRecords({ source: 'other', nowMs, openRecords })
  },
}

async function* readHtmlRows(openFile: FileOpener): AsyncGenerator<CsvRecord> {
  const reader = new HtmlRowReader()
  for await (const text of decodeTextChunks(openFile())) yield* reader.push(text)
  yield* reader.end()
}

class HtmlRowReader {
  #pendingText = ''
  #line = 1

  /** Returns the rows that end in this chunk of text. Throws `CsvError` if a row is too long. */
  push(text: string): CsvRecord[] {
    this.#pendingText += text
    const records: CsvRecord[] = []
    for (;;) {
      const startIndex = this.#pendingText.search(ROW_START_PATTERN)
      if (startIndex < 0) {
        this.#discard(Math.max(0, this.#pendingText.length - ROW_START_LENGTH))
        return records
      }
      this.#discard(startIndex)
      const rowText = this.#pendingText.slice(1)
      const endIndex = rowText.search(ROW_END_PATTERN)
      if (endIndex < 0) {
        if (rowText.length > MAX_ROW_LENGTH) throw new CsvError(this.#line)
        return records
      }
      this.#addRow(records, rowText.slice(0, endIndex))
      this.#discard(endIndex + 1)
    }
  }

  /** Returns the last row if its end tag is missing at the end of the file. */
  end(): CsvRecord[] {
    const records: CsvRecord[] = []
    if (ROW_START_PATTERN.test(this.#pendingText)) this.#addRow(records, this.#pendingText)
    return records
  }

  #addRow(records: CsvRecord[], rowText: string): void {
    const fields = rowText.split(CELL_PATTERN).slice(1).map(toCellText)
    if (fields.length > 0) records.push({ line: this.#line, fields })
  }

  #discard(length: number): void {
    this.#line += this.#pendingText.slice(0, length).split('\n').length - 1
    this.#pendingText = this.#pendingText.slice(length)
  }
}

/** Returns the text of a cell without tags, so also without the URL of a link. */
const toCellText = (cellHtml: string): string =>
  decodeHtmlEntities(cellHtml.replace(/<br\s*\/?>/gi, ' ').replace(/<[^<>]*>/g, ''))
    .replace(/\s+/g, ' ')
    .trim()
