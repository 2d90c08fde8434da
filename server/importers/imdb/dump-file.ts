/**
 * Reads one file of IMDb's dumps (https://developer.imdb.com/non-commercial-datasets/): tab-separated, a header line, `\N`
 * for nothing, no quoting; plain or gzip. Streams: a chunk and the rest of a line are all that is held.
 */
import { closeSync, createReadStream, existsSync, openSync, readSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createGunzip } from 'node:zlib'

const CHUNK_BYTES = 128 * 1024
const LINE_BYTES = 1024 * 1024
const NEWLINE = 10
const RETURN = 13

/** The file cannot be used at all: nothing of it, and nothing of the others, reaches the catalogue. */
export class DumpFileError extends Error {}

export interface Table {
  /** Without `.tsv` or `.tsv.gz`. */
  name: string
  /** The header must hold these; rows are given in this order, whatever the file's. */
  columns: readonly string[]
}

interface Reader {
  /** From a line's bytes: read it, pass it over, or -1: it does not begin with an id. */
  wants: (bytes: Uint8Array, start: number, end: number) => boolean | -1
  row: (fields: (string | null)[], line: number) => void
  damaged: (where: string, why: string) => void
  /** After each chunk; the share is of the file, 0 to 1. */
  progress?: (share: number) => void
  signal?: AbortSignal | undefined
}

/** Where a table lies in a folder, if it does. */
export function findDump(folder: string, { name }: Table): string | undefined {
  return [join(folder, `${name}.tsv.gz`), join(folder, `${name}.tsv`)].find((path) => existsSync(path))
}

/** Answers how many lines there were, the header not counted. Throws `DumpFileError`. */
export async function readDump(path: string, table: Table, reader: Reader): Promise<number> {
  const file = basename(path)
  const size = Math.max(1, statSync(path).size)
  const source = createReadStream(path)
  const stream = isGzip(path) ? source.pipe(createGunzip({ chunkSize: CHUNK_BYTES })) : source
  source.on('error', (error) => stream.destroy(error))
  const lines = new Lines(file, table, reader)
  try {
    for await (const chunk of stream) {
      if (reader.signal?.aborted) return lines.count
      lines.take(chunk as Buffer)
      reader.progress?.(Math.min(1, source.bytesRead / size))
    }
    lines.finish()
  } catch (error) {
    if (error instanceof DumpFileError) throw error
    throw new DumpFileError(`${file} is damaged: ${(error as Error).message}`)
  } finally {
    source.destroy()
    stream.destroy()
  }
  return lines.count
}

function isGzip(path: string): boolean {
  const bytes = Buffer.alloc(2)
  const file = openSync(path, 'r')
  try {
    readSync(file, bytes, 0, 2, 0)
  } finally {
    closeSync(file)
  }
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

class Lines {
  readonly #file: string
  readonly #table: Table
  readonly #reader: Reader
  #rest: Buffer = Buffer.alloc(0)
  /** Place of each wanted column in the file; empty until the header is read. */
  #places: number[] = []
  #width = 0
  count = 0

  constructor(file: string, table: Table, reader: Reader) {
    this.#file = file
    this.#table = table
    this.#reader = reader
  }

  take(chunk: Buffer): void {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk
    let start = 0
    for (;;) {
      const end = bytes.indexOf(NEWLINE, start)
      if (end === -1) break
      this.#line(bytes, start, end)
      start = end + 1
    }
    if (bytes.length - start > LINE_BYTES) {
      throw new DumpFileError(`${this.#file} is damaged: line ${this.count + 2} does not end`)
    }
    this.#rest = bytes.subarray(start)
  }

  finish(): void {
    if (this.#rest.length > 0) this.#line(this.#rest, 0, this.#rest.length)
    if (this.#places.length === 0) throw new DumpFileError(`${this.#file} is empty`)
  }

  #line(bytes: Buffer, start: number, lineEnd: number): void {
    const end = bytes[lineEnd - 1] === RETURN && lineEnd > start ? lineEnd - 1 : lineEnd
    if (this.#places.length === 0) {
      this.#header(bytes.toString('utf8', start, end))
      return
    }
    this.count += 1
    if (end === start) return
    const wanted = this.#reader.wants(bytes, start, end)
    if (wanted === false) return
    const line = this.count + 1
    if (wanted === -1) {
      this.#reader.damaged(`${this.#file}:${line}`, 'does not begin with an id')
      return
    }
    const text = bytes.toString('utf8', start, end)
    const fields = text.split('\t')
    const why = this.#damage(text, fields)
    if (why) {
      this.#reader.damaged(`${this.#file}:${line}`, why)
      return
    }
    this.#reader.row(
      this.#places.map((place) => {
        const field = fields[place]
        return field === undefined || field === '\\N' || field === '' ? null : field
      }),
      line,
    )
  }

  #damage(text: string, fields: string[]): string | undefined {
    if (fields.length !== this.#width) return `has ${fields.length} columns, not ${this.#width}`
    if (text.includes('\u0000') || text.includes('\ufffd')) return 'is not UTF-8 text'
    return undefined
  }

  #header(text: string): void {
    const names = text.replace(/^\ufeff/, '').split('\t')
    const missing = this.#table.columns.filter((column) => !names.includes(column))
    if (missing.length > 0) {
      throw new DumpFileError(`${this.#file} is not ${this.#table.name}: no column ${missing.join(', ')}`)
    }
    this.#places = this.#table.columns.map((column) => names.indexOf(column))
    this.#width = names.length
  }
}
