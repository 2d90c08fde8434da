/** Detects the format of a history file and parses its rows. A file of an archive is passed with its path in the archive. */
import { CsvError, CsvReader, columnsOf, separatorOf } from './csv.ts'
import { imdbList, imdbRatings } from './imdb.ts'
import { JsonError } from './json.ts'
import { letterboxdFilms, letterboxdList } from './letterboxd.ts'
import { marqueeCsv, marqueeJson } from './marquee.ts'
import { myList, ratings, viewingHistory } from './netflix.ts'
import { viewingActivity } from './netflix-activity.ts'
import type { Format, Head, HistoryRow, Opener, Skip } from './row.ts'
import { encodingOf } from './text.ts'
import { trakt } from './trakt.ts'
import { tvTimeEpisodes, tvTimeJson, tvTimeLists, tvTimeMovies, tvTimeSeries } from './tv-time.ts'
import { tvTimeFollowed, tvTimeRecords, tvTimeSeen, tvTimeTracking } from './tv-time-request.ts'

/** The most specific format first. The Netflix viewing history comes last, because two columns are enough for it. */
const FORMATS: readonly Format[] = [
  marqueeJson,
  marqueeCsv,
  viewingActivity,
  myList,
  ratings,
  letterboxdList,
  letterboxdFilms,
  imdbRatings,
  imdbList,
  tvTimeEpisodes,
  tvTimeMovies,
  tvTimeLists,
  tvTimeSeries,
  tvTimeJson,
  tvTimeTracking,
  tvTimeRecords,
  tvTimeSeen,
  tvTimeFollowed,
  trakt,
  viewingHistory,
]

const HEAD_BYTES = 8192

/** Detects the format from the path in the export and the first 8 kB of the file. Returns null for an unknown format. */
export function detect(fileName: string, head: Uint8Array): Format | null {
  const bytes = head.subarray(0, HEAD_BYTES)
  const text = new TextDecoder(encodingOf(bytes)).decode(bytes)
  const firstRecord = new CsvReader(separatorOf(text)).push(`${text}\n`)[0]
  const fileHead: Head = { text, header: [...columnsOf(firstRecord?.fields ?? []).keys()] }
  return FORMATS.find((format) => format.fits(normalisePath(fileName), fileHead)) ?? null
}

const normalisePath = (fileName: string) => fileName.replaceAll('\\', '/').toLowerCase()

export class UnknownFormat extends Error {
  constructor(fileName: string) {
    super(`${fileName} has no known format`)
  }
}

interface ParseOptions {
  /** Called for every skipped row, with its line and the reason. */
  onSkip?: (skip: Skip) => void
  /** Current time in ms; later dates are impossible. */
  now?: number
}

/**
 * Yields the rows of a history file, approximately in file order. `open` is called up to three times. Invalid rows are
 * reported to `onSkip`. If the file is broken, the rows before the broken place are still yielded. Throws
 * `UnknownFormatError`.
 */
export async function* parse(
  open: Opener,
  fileName: string,
  { onSkip, now = Date.now() }: ParseOptions = {},
): AsyncGenerator<HistoryRow> {
  const format = detect(fileName, await readFirstBytes(open))
  if (!format) throw new UnknownFormat(fileName)
  try {
    for await (const item of format.read(open, normalisePath(fileName), { now })) {
      if ('skip' in item) onSkip?.(item)
      else yield item
    }
  } catch (error) {
    if (!(error instanceof CsvError || error instanceof JsonError)) throw error
    onSkip?.({ line: error.line, skip: 'broken_file' })
  }
}

async function readFirstBytes(open: Opener): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of open()) {
    chunks.push(chunk)
    sizeBytes += chunk.length
    if (sizeBytes >= HEAD_BYTES) break
  }
  return Buffer.concat(chunks)
}
