/**
 * Detects the format of a history file and parses its rows. A file of an archive is passed with its path in the
 * archive.
 */
import { CsvError, CsvReader, detectSeparator, indexColumns, removeSeparatorLine } from './csv.ts'
import { decodeFileHead, EncodingError } from './decode-text-chunks.ts'
import type { FileHead, FileOpener, HistoryFormat, HistoryRow, SkippedRow } from './history-row.ts'
import { htmlTableFormat } from './html-table.ts'
import { imdbListFormat, imdbRatingsFormat } from './imdb.ts'
import { JsonError } from './json.ts'
import { jsonRecordsFormat } from './json-records.ts'
import { letterboxdFilmsFormat, letterboxdListFormat } from './letterboxd.ts'
import { marqueeCsvFormat, marqueeJsonFormat } from './marquee.ts'
import { netflixHistoryFormat, netflixMyListFormat, netflixRatingsFormat } from './netflix.ts'
import { netflixActivityFormat } from './netflix-activity.ts'
import { isStorableRow } from './storable-row.ts'
import { tableFormat } from './table.ts'
import { tmdbFormat } from './tmdb.ts'
import { traktFormat } from './trakt.ts'
import {
  tvTimeEpisodesFormat,
  tvTimeJsonFormat,
  tvTimeListsFormat,
  tvTimeMoviesFormat,
  tvTimeSeriesFormat,
} from './tv-time.ts'
import {
  tvTimeFollowedFormat,
  tvTimeRecordsFormat,
  tvTimeSeenFormat,
  tvTimeTrackingFormat,
} from './tv-time-data-request.ts'
import { XmlError } from './xml.ts'
import { kodiFormat, myAnimeListFormat } from './xml-exports.ts'
import { xmlRecordsFormat } from './xml-records.ts'

/**
 * The formats, in the order in which they are tried: the most specific one first. The viewing history of Netflix comes
 * after the tables of the other services, because its format also matches other tables with two columns. The general
 * formats come last.
 */
const HISTORY_FORMATS: readonly HistoryFormat[] = [
  marqueeJsonFormat,
  marqueeCsvFormat,
  netflixActivityFormat,
  netflixMyListFormat,
  netflixRatingsFormat,
  letterboxdListFormat,
  letterboxdFilmsFormat,
  imdbRatingsFormat,
  imdbListFormat,
  tmdbFormat,
  tvTimeEpisodesFormat,
  tvTimeMoviesFormat,
  tvTimeListsFormat,
  tvTimeSeriesFormat,
  tvTimeJsonFormat,
  tvTimeTrackingFormat,
  tvTimeRecordsFormat,
  tvTimeSeenFormat,
  tvTimeFollowedFormat,
  traktFormat,
  netflixHistoryFormat,
  myAnimeListFormat,
  kodiFormat,
  jsonRecordsFormat,
  xmlRecordsFormat,
  htmlTableFormat,
  tableFormat,
]

/** Number of bytes at the start of a file that `detectHistoryFormat` examines. */
export const HEAD_BYTES = 8192

/**
 * Detects the format from the path in the export and the first 8 kB of the file. Returns null for an unknown format.
 */
export function detectHistoryFormat(fileName: string, head: Uint8Array): HistoryFormat | null {
  const headBytes = head.subarray(0, HEAD_BYTES)
  const decodedText = decodeHeadLeniently(headBytes)
  const headText = removeSeparatorLine(decodedText).trimStart()
  const firstRecord = new CsvReader(detectSeparator(decodedText)).push(`${headText}\n`)[0]
  const fileHead: FileHead = { text: headText, header: [...indexColumns(firstRecord?.fields ?? []).keys()] }
  return HISTORY_FORMATS.find((format) => format.matches(normalisePath(fileName), fileHead)) ?? null
}

/**
 * Returns the text of the first bytes. If their encoding is unknown, the bytes are decoded as Latin-1, so that at least
 * the ASCII characters are right. If these characters contain the names of the columns, the format is recognised, and
 * the file is reported as unreadable and not as unknown.
 */
function decodeHeadLeniently(headBytes: Uint8Array): string {
  try {
    return decodeFileHead(headBytes)
  } catch (error) {
    if (!(error instanceof EncodingError)) throw error
    return new TextDecoder('latin1').decode(headBytes)
  }
}

/**
 * Returns the name of a file without folder and extensions. A name that consists only of an extension, such as `.csv`,
 * is returned unchanged.
 */
export function getBaseName(fileName: string): string {
  const nameWithExtension = fileName.replaceAll('\\', '/').split('/').at(-1)?.trim() ?? ''
  return (
    nameWithExtension.replace(/(?:\.(?:csv|json|tsv|txt|gz))+$|\.[a-z\d]{1,5}$/i, '').trim() ||
    nameWithExtension
  )
}

const normalisePath = (fileName: string) => fileName.replaceAll('\\', '/').toLowerCase()

export class UnknownFormatError extends Error {
  constructor(fileName: string) {
    super(`${fileName} has no known format`)
  }
}

interface HistoryParseOptions {
  /** Called for every skipped row, with its line and the reason. */
  onSkip?: (skippedRow: SkippedRow) => void
  /** Current time in milliseconds since 1970; later dates are impossible. */
  nowMs?: number
}

/**
 * Yields the rows of a history file, approximately in file order. `openFile` is called up to three times. Skipped rows
 * are reported to `onSkip`. If the file is broken, the rows before the broken place are still yielded. Throws
 * `UnknownFormatError`, and `UnknownExportVersionError` for a Marquee export of an unsupported version.
 */
export async function* parseHistoryFile(
  openFile: FileOpener,
  fileName: string,
  { onSkip, nowMs = Date.now() }: HistoryParseOptions = {},
): AsyncGenerator<HistoryRow> {
  const format = detectHistoryFormat(fileName, await readFirstBytes(openFile))
  if (!format) throw new UnknownFormatError(fileName)
  const readOptions = { nowMs, baseName: getBaseName(fileName) }
  try {
    for await (const historyItem of format.readRows(openFile, normalisePath(fileName), readOptions)) {
      if ('skip' in historyItem) onSkip?.(historyItem)
      else if (isStorableRow(historyItem)) yield historyItem
      else onSkip?.({ line: historyItem.line, skip: 'bad_row' })
    }
  } catch (error) {
    if (error instanceof EncodingError) return onSkip?.({ line: 1, skip: 'bad_encoding' })
    if (!(error instanceof CsvError || error instanceof JsonError || error instanceof XmlError)) throw error
    onSkip?.({ line: error.line, skip: 'broken_file' })
  }
}

async function readFirstBytes(openFile: FileOpener): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of openFile()) {
    chunks.push(chunk)
    sizeBytes += chunk.length
    if (sizeBytes >= HEAD_BYTES) break
  }
  return Buffer.concat(chunks)
}
