/** The door: which format a file is of, and its rows. The files of an archive come one by one, by their paths in it. */
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

/** The surest first: the viewing history of Netflix is known by two columns only. */
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

/** The format of a file by its path inside the export and its first bytes (8 kB are enough); null for any other file. */
export function detect(fileName: string, head: Uint8Array): Format | null {
  const bytes = head.subarray(0, HEAD_BYTES)
  const text = new TextDecoder(encodingOf(bytes)).decode(bytes)
  const first = new CsvReader(separatorOf(text)).push(`${text}\n`)[0]
  const about: Head = { text, header: [...columnsOf(first?.fields ?? []).keys()] }
  return FORMATS.find((format) => format.fits(pathOf(fileName), about)) ?? null
}

const pathOf = (fileName: string) => fileName.replaceAll('\\', '/').toLowerCase()

export class UnknownFormat extends Error {
  constructor(fileName: string) {
    super(`${fileName} is of no known format`)
  }
}

interface ParseOptions {
  /** Hears of every row that is no history, with its line and why. */
  onSkip?: (skip: Skip) => void
  /** Our clock, in milliseconds; nothing can have happened after it. */
  now?: number
}

/**
 * The rows of a history file, in its order or nearly so. `open` may be called up to three times. A row that does not fit is
 * skipped and reported; where the file itself breaks off, what was read before it counts. Throws `UnknownFormat`.
 */
export async function* parse(
  open: Opener,
  fileName: string,
  { onSkip, now = Date.now() }: ParseOptions = {},
): AsyncGenerator<HistoryRow> {
  const format = detect(fileName, await headOf(open))
  if (!format) throw new UnknownFormat(fileName)
  try {
    for await (const item of format.read(open, pathOf(fileName), { now })) {
      if ('skip' in item) onSkip?.(item)
      else yield item
    }
  } catch (error) {
    if (!(error instanceof CsvError || error instanceof JsonError)) throw error
    onSkip?.({ line: error.line, skip: 'broken_file' })
  }
}

async function headOf(open: Opener): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of open()) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= HEAD_BYTES) break
  }
  return Buffer.concat(chunks)
}
