/** Reads one table of the dump files. Defines the context that the readers of all tables share. */
import type { IdSet } from '../id-set.ts'
import { countExcludedItems, type ImportReport, reportSkip } from '../import-report.ts'
import { DumpFileError, type DumpTable, findDumpFile, readDumpFile } from './dump-file.ts'
import { parseImdbIdAt } from './ids.ts'
import type { ScratchDatabase } from './scratch-database.ts'

export interface DumpFilter {
  folder: string
  /** Titles with fewer votes are excluded. 0 also includes titles without a rating. */
  minVotes: number
  /** IMDb title types, which are keys of IMDB_TITLE_TYPES. */
  types: ReadonlySet<string>
  shouldIncludeAdult: boolean
}
export interface DumpReadContext {
  filter: DumpFilter
  scratchDatabase: ScratchDatabase
  report: ImportReport
  onProgress: () => void
  signal?: AbortSignal | undefined
}
export type DumpRowFields = (string | null)[]
export type LineFilter = (bytes: Uint8Array, startOffset: number, endOffset: number) => boolean | -1

interface DumpTableReader {
  table: DumpTable
  filterLine: LineFilter
  onRow: (fields: DumpRowFields, location: string) => void
}

export async function readTable(
  context: DumpReadContext,
  { table, filterLine, onRow }: DumpTableReader,
  isTableRequired = false,
): Promise<number> {
  const { report, filter, signal, onProgress } = context
  if (signal?.aborted) return 0
  const path = findDumpFile(filter.folder, table)
  if (!path) {
    if (isTableRequired) throw new DumpFileError(`the folder has no ${table.name}.tsv.gz`)
    countExcludedItems(report, `no file ${table.name}`)
    return 0
  }
  return readDumpFile(path, table, {
    filterLine,
    onRow: (fields, lineNumber) => onRow(fields, `${table.name}:${lineNumber}`),
    onDamagedLine: (location, reason) => reportSkip(report, location, reason),
    onProgress: (fraction) => {
      report.stage = `reading ${table.name}, ${Math.floor(fraction * 100)} %`
      onProgress()
    },
    signal,
  })
}

export const createIdFilter =
  (idSet: IdSet): LineFilter =>
  (bytes, startOffset, endOffset) => {
    const rowId = parseImdbIdAt(bytes, startOffset, endOffset)
    return rowId === -1 ? -1 : idSet.has(rowId)
  }
export const acceptLineWithId: LineFilter = (bytes, startOffset, endOffset) =>
  parseImdbIdAt(bytes, startOffset, endOffset) === -1 ? -1 : true
export const parseWholeNumber = (text: string | null | undefined): number =>
  text && /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
