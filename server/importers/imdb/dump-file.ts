/**
 * Reads one file of the IMDb datasets (https://developer.imdb.com/non-commercial-datasets/): tab-separated values with a
 * header line, `\N` for null, no quoting; plain or gzip. Reading is streamed: only a chunk and a partial line are in memory.
 */
import { closeSync, createReadStream, existsSync, openSync, readSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createGunzip } from 'node:zlib'

const CHUNK_BYTES = 128 * 1024
const MAX_LINE_BYTES = 1024 * 1024
const LF_CODE = 10
const CR_CODE = 13

/** Thrown when the file cannot be read. The import ends before anything is written to the catalogue. */
export class DumpFileError extends Error {}

export interface DumpTable {
  /** File name without `.tsv` or `.tsv.gz`. */
  name: string
  /**
   * Required columns. A row is passed on with its fields in this order, which may differ from the order in
   * the file.
   */
  columns: readonly string[]
}

interface RowReader {
  /** Decides from the bytes of a line whether to read it. Returns -1 if the line does not begin with an id. */
  shouldRead: (bytes: Uint8Array, start: number, end: number) => boolean | -1
  onRow: (fields: (string | null)[], line: number) => void
  onDamagedLine: (location: string, reason: string) => void
  /** Called after each chunk with the fraction of the file that was read, from 0 to 1. */
  onProgress?: (fraction: number) => void
  signal?: AbortSignal | undefined
}

/** Returns the path of the file of a table in a folder; undefined if there is none. */
export function findDumpFile(folder: string, { name }: DumpTable): string | undefined {
  return [join(folder, `${name}.tsv.gz`), join(folder, `${name}.tsv`)].find((path) => existsSync(path))
}

/** Reads a file and returns its number of lines, without the header. Throws `DumpFileError`. */
export async function readDumpFile(path: string, table: DumpTable, reader: RowReader): Promise<number> {
  const file = basename(path)
  const sizeBytes = Math.max(1, statSync(path).size)
  const source = createReadStream(path)
  const stream = isGzip(path) ? source.pipe(createGunzip({ chunkSize: CHUNK_BYTES })) : source
  source.on('error', (error) => stream.destroy(error))
  const lines = new LineParser(file, table, reader)
  try {
    for await (const chunk of stream) {
      if (reader.signal?.aborted) return lines.count
      lines.push(chunk as Buffer)
      reader.onProgress?.(Math.min(1, source.bytesRead / sizeBytes))
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

class LineParser {
  readonly #file: string
  readonly #table: DumpTable
  readonly #reader: RowReader
  #partialLine: Buffer = Buffer.alloc(0)
  /** Position of each required column in the file; empty until the header is read. */
  #columnPositions: number[] = []
  #columnCount = 0
  count = 0

  constructor(file: string, table: DumpTable, reader: RowReader) {
    this.#file = file
    this.#table = table
    this.#reader = reader
  }

  push(chunk: Buffer): void {
    const bytes = this.#partialLine.length > 0 ? Buffer.concat([this.#partialLine, chunk]) : chunk
    let start = 0
    for (;;) {
      const end = bytes.indexOf(LF_CODE, start)
      if (end === -1) break
      this.#readLine(bytes, start, end)
      start = end + 1
    }
    if (bytes.length - start > MAX_LINE_BYTES) {
      throw new DumpFileError(`${this.#file} is damaged: line ${this.count + 2} does not end`)
    }
    this.#partialLine = bytes.subarray(start)
  }

  finish(): void {
    if (this.#partialLine.length > 0) this.#readLine(this.#partialLine, 0, this.#partialLine.length)
    if (this.#columnPositions.length === 0) throw new DumpFileError(`${this.#file} is empty`)
  }

  #readLine(bytes: Buffer, start: number, lineEnd: number): void {
    const end = bytes[lineEnd - 1] === CR_CODE && lineEnd > start ? lineEnd - 1 : lineEnd
    if (this.#columnPositions.length === 0) {
      this.#readHeader(bytes.toString('utf8', start, end))
      return
    }
    this.count += 1
    if (end === start) return
    const decision = this.#reader.shouldRead(bytes, start, end)
    if (decision === false) return
    const lineNumber = this.count + 1
    if (decision === -1) {
      this.#reader.onDamagedLine(`${this.#file}:${lineNumber}`, 'does not begin with an id')
      return
    }
    const text = bytes.toString('utf8', start, end)
    const fields = text.split('\t')
    const damage = this.#findDamage(text, fields)
    if (damage) {
      this.#reader.onDamagedLine(`${this.#file}:${lineNumber}`, damage)
      return
    }
    this.#reader.onRow(
      this.#columnPositions.map((position) => {
        const field = fields[position]
        return field === undefined || field === '\\N' || field === '' ? null : field
      }),
      lineNumber,
    )
  }

  #findDamage(text: string, fields: string[]): string | undefined {
    if (fields.length !== this.#columnCount) return `has ${fields.length} columns, not ${this.#columnCount}`
    if (text.includes('\u0000') || text.includes('\ufffd')) return 'is not UTF-8 text'
    return undefined
  }

  #readHeader(text: string): void {
    const names = text.replace(/^\ufeff/, '').split('\t')
    const missingColumns = this.#table.columns.filter((column) => !names.includes(column))
    if (missingColumns.length > 0) {
      throw new DumpFileError(
        `${this.#file} is not ${this.#table.name}: no column ${missingColumns.join(', ')}`,
      )
    }
    this.#columnPositions = this.#table.columns.map((column) => names.indexOf(column))
    this.#columnCount = names.length
  }
}
