/**
 * A streaming reader of RFC 4180 files: quoted fields with separators, quotes and line breaks inside, CRLF or LF, a byte
 * order mark. Where files stray it does not give up: a quote inside an unquoted field is a character, rows may be short.
 */
import { decoded } from './text.ts'

export interface CsvRecord {
  /** Line where the record begins, from 1. */
  line: number
  fields: string[]
}

/** A quote that is never closed swallows the file: that many characters and reading stops. */
const LONGEST_FIELD = 1 << 20
const QUOTE = 34
const LF = 10
const CR = 13

export class CsvError extends Error {
  readonly line: number
  constructor(line: number) {
    super(`a field that begins in line ${line} does not end`)
    this.line = line
  }
}

export class CsvReader {
  readonly #separator: number
  #fields: string[] = []
  #field = ''
  #quoted = false
  #justClosed = false
  #begun = false
  #line = 1
  #startLine = 1
  #lastWasCr = false

  constructor(separator = ',') {
    this.#separator = separator.charCodeAt(0)
  }

  /** The records that end in this piece of text. Empty lines are none. */
  push(text: string): CsvRecord[] {
    const records: CsvRecord[] = []
    let from = 0
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code === LF) this.#line += 1
      if (this.#quoted) {
        if (code !== QUOTE) continue
        this.#field += text.slice(from, i)
        from = i + 1
        this.#quoted = false
        this.#justClosed = true
        continue
      }
      if (code === QUOTE) from = this.#quote(text, from, i)
      else if (code === this.#separator) from = this.#cell(text, from, i)
      else if (code === LF || code === CR) {
        const crlf = code === LF && this.#lastWasCr && i === from
        if (!crlf) this.#end(text.slice(from, i), records)
        if (code === CR) this.#lastWasCr = true
        from = i + 1
        this.#startLine = this.#line
        if (code === CR) continue
      }
      this.#lastWasCr = false
      if (code !== QUOTE) this.#justClosed = false
    }
    this.#field += text.slice(from)
    if (from < text.length) this.#begun = true
    if (this.#field.length > LONGEST_FIELD) throw new CsvError(this.#startLine)
    return records
  }

  end(): CsvRecord[] {
    const records: CsvRecord[] = []
    this.#end('', records)
    return records
  }

  /** A quote opens a field, is doubled for one inside of it, or stands as it is. */
  #quote(text: string, from: number, i: number): number {
    const soFar = text.slice(from, i)
    if (this.#justClosed && soFar === '') {
      this.#field += '"'
      this.#quoted = true
    } else if (this.#field === '' && soFar === '' && !this.#justClosed) {
      this.#quoted = true
      this.#begun = true
    } else {
      this.#field += `${soFar}"`
    }
    this.#justClosed = false
    return i + 1
  }

  #cell(text: string, from: number, i: number): number {
    this.#fields.push(this.#field + text.slice(from, i))
    this.#field = ''
    this.#begun = true
    return i + 1
  }

  #end(rest: string, records: CsvRecord[]): void {
    const last = this.#field + rest
    if (this.#begun || last !== '') records.push({ line: this.#startLine, fields: [...this.#fields, last] })
    this.#fields = []
    this.#field = ''
    this.#begun = false
    this.#justClosed = false
  }
}

/** `separator` may be `,`, `;` or a tab: see `separatorOf`. Throws `CsvError`. */
export async function* csvRecords(
  chunks: AsyncIterable<Uint8Array>,
  separator?: string,
): AsyncGenerator<CsvRecord> {
  let reader: CsvReader | null = separator ? new CsvReader(separator) : null
  let begin = ''
  for await (const text of decoded(chunks)) {
    begin += text
    // The first line tells the separator, so it has to be whole.
    if (!reader && !/[\r\n]/.test(begin) && begin.length < LONGEST_FIELD) continue
    reader ??= new CsvReader(separatorOf(begin))
    yield* reader.push(begin)
    begin = ''
  }
  reader ??= new CsvReader(separatorOf(begin))
  yield* reader.push(begin)
  yield* reader.end()
}

/** What the first line is cut with: spreadsheets of many countries save semicolons or tabs. */
export function separatorOf(text: string): string {
  const [line = ''] = text.split(/\r|\n/, 1)
  const bare = line.replace(/"[^"]*"/g, '')
  const count = (sign: string) => bare.split(sign).length
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}

/** A record by the names of its columns. Names are trimmed and lower case. */
export interface Cells {
  line: number
  /** Trimmed; empty when there is no such column or cell. */
  get(name: string): string
}

/** The records after a header line. */
export async function* csvTable(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Cells> {
  let columns: Map<string, number> | null = null
  for await (const { line, fields } of csvRecords(chunks)) {
    if (columns) yield cells(line, fields, columns)
    else columns = columnsOf(fields)
  }
}

export function columnsOf(header: readonly string[]): Map<string, number> {
  return new Map(header.map((name, i) => [name.trim().toLowerCase(), i]))
}

export function cells(line: number, fields: readonly string[], columns: Map<string, number>): Cells {
  return { line, get: (name) => fields[columns.get(name) ?? -1]?.trim() ?? '' }
}
