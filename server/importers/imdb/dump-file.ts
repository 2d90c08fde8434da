/**
 * Reads one file of the IMDb datasets (https://developer.imdb.com/non-commercial-datasets/): tab-separated values with
 * a header line, `\N` for null, no quoting; plain or gzip. Reading is streamed: only a chunk and a partial line are in
 * memory.
 */
import { closeSync, createReadStream, existsSync, openSync, readSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { ImporterError } from '../importer.ts'
import { MAX_LINE_BYTES } from '../read-lines.ts'

const CHUNK_BYTES = 128 * 1024
const LF_CODE = 10
const CR_CODE = 13

/** Thrown when the file cannot be read. The import ends before anything is written to the catalogue. */
export class DumpFileError extends ImporterError {}

export interface DumpTable {
  /** File name without `.tsv` or `.tsv.gz`. */
  name: string
  /** Required columns. The fields of a row are passed on in this order, which may differ from the order in the file. */
  columns: readonly string[]
}

interface DumpRowReader {
  /** Decides from the bytes of a line whether to read the line. Returns -1 if an id in the line is not valid. */
  filterLine: (bytes: Uint8Array, startOffset: number, endOffset: number) => boolean | -1
  onRow: (fields: (string | null)[], lineNumber: number) => void
  onDamagedLine: (location: string, reason: string) => void
  /** Called after each chunk with the fraction of the file that was read, from 0 to 1. */
  onProgress?: (fraction: number) => void
  signal?: AbortSignal | undefined
}

/** Returns the path of the file of a table in `folder`; undefined if there is none. */
export function findDumpFile(folder: string, { name }: DumpTable): string | undefined {
  return [join(folder, `${name}.tsv.gz`), join(folder, `${name}.tsv`)].find((path) => existsSync(path))
}

/**
 * Reads a file and returns the number of lines that were read, without the header. Stops early when `reader.signal` is
 * aborted. Throws `DumpFileError`.
 */
export async function readDumpFile(path: string, table: DumpTable, reader: DumpRowReader): Promise<number> {
  const fileName = basename(path)
  const sizeBytes = Math.max(1, statSync(path).size)
  const source = createReadStream(path)
  const stream = isGzip(path) ? source.pipe(createGunzip({ chunkSize: CHUNK_BYTES })) : source
  source.on('error', (error) => stream.destroy(error))
  const lineParser = new DumpLineParser(fileName, table, reader)
  try {
    for await (const chunk of stream) {
      if (reader.signal?.aborted) return lineParser.lineCount
      lineParser.push(chunk as Buffer)
      reader.onProgress?.(Math.min(1, source.bytesRead / sizeBytes))
    }
    lineParser.finish()
  } catch (error) {
    if (error instanceof DumpFileError) throw error
    const { code, message } = error as NodeJS.ErrnoException
    // For a system error, only the code is shown, because the message contains the path of the file.
    throw new DumpFileError(`${fileName} is damaged: ${code?.startsWith('E') ? code : message}`)
  } finally {
    source.destroy()
    stream.destroy()
  }
  return lineParser.lineCount
}

function isGzip(path: string): boolean {
  const magicBytes = Buffer.alloc(2)
  const fileDescriptor = openSync(path, 'r')
  try {
    readSync(fileDescriptor, magicBytes, 0, 2, 0)
  } finally {
    closeSync(fileDescriptor)
  }
  return magicBytes[0] === 0x1f && magicBytes[1] === 0x8b
}

class DumpLineParser {
  readonly #file: string
  readonly #table: DumpTable
  readonly #reader: DumpRowReader
  #partialLine: Buffer = Buffer.alloc(0)
  /** Position of each required column in the file; empty until the header is read. */
  #columnPositions: number[] = []
  #columnCount = 0
  lineCount = 0

  constructor(fileName: string, table: DumpTable, reader: DumpRowReader) {
    this.#file = fileName
    this.#table = table
    this.#reader = reader
  }

  push(chunk: Buffer): void {
    const bytes = this.#partialLine.length > 0 ? Buffer.concat([this.#partialLine, chunk]) : chunk
    let lineStart = 0
    for (;;) {
      const lineEnd = bytes.indexOf(LF_CODE, lineStart)
      if (lineEnd === -1) break
      this.#readLine(bytes, lineStart, lineEnd)
      lineStart = lineEnd + 1
    }
    if (bytes.length - lineStart > MAX_LINE_BYTES) {
      throw new DumpFileError(`${this.#file} is damaged: line ${this.lineCount + 2} does not end`)
    }
    this.#partialLine = bytes.subarray(lineStart)
  }

  finish(): void {
    if (this.#partialLine.length > 0) this.#readLine(this.#partialLine, 0, this.#partialLine.length)
    if (this.#columnPositions.length === 0) throw new DumpFileError(`${this.#file} is empty`)
  }

  #readLine(bytes: Buffer, lineStart: number, lineEnd: number): void {
    const contentEnd = bytes[lineEnd - 1] === CR_CODE && lineEnd > lineStart ? lineEnd - 1 : lineEnd
    if (this.#columnPositions.length === 0) {
      this.#readHeader(bytes.toString('utf8', lineStart, contentEnd))
      return
    }
    this.lineCount += 1
    if (contentEnd === lineStart) return
    const decision = this.#reader.filterLine(bytes, lineStart, contentEnd)
    if (decision === false) return
    const lineNumber = this.lineCount + 1
    if (decision === -1) {
      this.#reader.onDamagedLine(`${this.#file}:${lineNumber}`, 'does not begin with an id')
      return
    }
    const lineText = bytes.toString('utf8', lineStart, contentEnd)
    const fields = lineText.split('\t')
    const damage = this.#findDamage(lineText, fields)
    if (damage) {
      this.#reader.onDamagedLine(`${this.#file}:${lineNumber}`, damage)
      return
    }
    this.#reader.onRow(
      this.#columnPositions.map((columnIndex) => {
        const field = fields[columnIndex]
        return field === undefined || field === '\\N' || field === '' ? null : field
      }),
      lineNumber,
    )
  }

  #findDamage(lineText: string, fields: string[]): string | undefined {
    if (fields.length !== this.#columnCount) return `has ${fields.length} columns, not ${this.#columnCount}`
    if (lineText.includes('\u0000') || lineText.includes('\ufffd')) return 'is not UTF-8 text'
    return undefined
  }

  #readHeader(headerText: string): void {
    const columnNames = headerText.replace(/^\ufeff/, '').split('\t')
    const missingColumns = this.#table.columns.filter((column) => !columnNames.includes(column))
    if (missingColumns.length > 0) {
      throw new DumpFileError(
        `${this.#file} is not ${this.#table.name}: no column ${missingColumns.join(', ')}`,
      )
    }
    this.#columnPositions = this.#table.columns.map((column) => columnNames.indexOf(column))
    this.#columnCount = columnNames.length
  }
}
