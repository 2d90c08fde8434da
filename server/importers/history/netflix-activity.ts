/**
 * Netflix `ViewingActivity.csv`: one row per playback session. A viewing may be split over many rows, and previews that
 * started automatically have rows too. The rows of a profile for one title are merged into one viewing if at most two
 * days lie between them. Viewings under two minutes are skipped.
 */
import { createDateParser, type DateParser } from './column-dates.ts'
import { CsvError, readCsvTable } from './csv.ts'
import {
  createHistoryRow,
  type FileOpener,
  type HistoryFormat,
  type HistoryItem,
  type HistoryReadOptions,
  hasColumns,
  type RowSkipReason,
} from './history-row.ts'
import { isNetflixSupplement, parseNetflixTitle } from './netflix-title.ts'

const MIN_VIEWING_SECONDS = 120
const MAX_SESSION_GAP_MS = 48 * 3_600_000
/**
 * Maximum number of unfinished viewings, to which further rows can be added. It limits memory use if the file is not
 * sorted by time.
 */
const MAX_OPEN_VIEWINGS = 5_000

export const netflixActivityFormat: HistoryFormat = {
  id: 'netflix-viewing-activity',
  source: 'netflix',
  matches: (_path, head) => hasColumns(head, 'start time', 'duration', 'title', 'supplemental video type'),
  readRows: readActivity,
}

interface NetflixViewing {
  line: number
  profile: string
  title: string
  firstStartedAt: string
  lastStartedAt: string
  watchedSeconds: number
  bookmarkSeconds: number
}

async function* readActivity(
  openFile: FileOpener,
  _path: string,
  { nowMs }: HistoryReadOptions,
): AsyncGenerator<HistoryItem> {
  const parseDate = await createDateParser(openFile, ['start time'], nowMs)
  const viewingsByKey = new Map<string, NetflixViewing>()
  let csvError: CsvError | null = null
  try {
    yield* mergeSessions(openFile, parseDate, viewingsByKey)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    csvError = error
  }
  // These viewings were still unfinished at the end of the file. In a broken file, they consist of rows before the
  // broken place.
  for (const viewing of viewingsByKey.values()) yield toHistoryItem(viewing)
  if (csvError) throw csvError
}

/**
 * Yields skipped rows and finished viewings. `viewingsByKey` contains the unfinished viewings, to which further rows
 * can be added. At the end of the file, the caller finishes them. A key consists of the profile and the title.
 */
async function* mergeSessions(
  openFile: FileOpener,
  parseDate: DateParser,
  viewingsByKey: Map<string, NetflixViewing>,
): AsyncGenerator<HistoryItem> {
  for await (const { line, getCell } of readCsvTable(openFile())) {
    const [profile, title] = [getCell('profile name'), getCell('title')]
    const startedAt = parseDate(getCell('start time'))
    const skipReason = findSkipReason(title, getCell('supplemental video type'), startedAt)
    if (skipReason || !startedAt) {
      yield { line, skip: skipReason ?? 'bad_date', title }
      continue
    }
    const viewingKey = `${profile}\n${title}`
    const watchedSeconds = parseSeconds(getCell('duration'))
    const bookmarkSeconds = Math.max(
      parseSeconds(getCell('bookmark')),
      parseSeconds(getCell('latest bookmark')),
    )
    const viewing = viewingsByKey.get(viewingKey)
    if (viewing && computeGapMs(viewing, startedAt) <= MAX_SESSION_GAP_MS) {
      viewing.watchedSeconds += watchedSeconds
      viewing.bookmarkSeconds = Math.max(viewing.bookmarkSeconds, bookmarkSeconds)
      if (startedAt > viewing.lastStartedAt) viewing.lastStartedAt = startedAt
      if (startedAt < viewing.firstStartedAt) viewing.firstStartedAt = startedAt
      continue
    }
    if (viewing) yield toHistoryItem(viewing)
    viewingsByKey.delete(viewingKey)
    viewingsByKey.set(viewingKey, {
      line,
      profile,
      title,
      firstStartedAt: startedAt,
      lastStartedAt: startedAt,
      watchedSeconds,
      bookmarkSeconds,
    })
    if (viewingsByKey.size > MAX_OPEN_VIEWINGS) yield* finishOldestViewings(viewingsByKey)
  }
}

function findSkipReason(
  title: string,
  supplementType: string,
  startedAt: string | null | undefined,
): RowSkipReason | null {
  if (supplementType || isNetflixSupplement(title)) return 'supplement'
  if (!title) return 'no_title'
  return startedAt ? null : 'bad_date'
}

/**
 * Returns the time between a viewing and a row at `startedAt`, in milliseconds; 0 if the row lies within the viewing.
 */
function computeGapMs({ firstStartedAt, lastStartedAt }: NetflixViewing, startedAt: string): number {
  const startedAtMs = Date.parse(startedAt)
  return Math.max(0, startedAtMs - Date.parse(lastStartedAt), Date.parse(firstStartedAt) - startedAtMs)
}

/**
 * Finishes and yields unfinished viewings until half of MAX_OPEN_VIEWINGS remain, beginning with the viewing that
 * comes first in the file. If the file is sorted by time, in either direction, these viewings rarely get further rows.
 */
function* finishOldestViewings(viewingsByKey: Map<string, NetflixViewing>): Generator<HistoryItem> {
  for (const [viewingKey, viewing] of viewingsByKey) {
    if (viewingsByKey.size <= MAX_OPEN_VIEWINGS / 2) return
    viewingsByKey.delete(viewingKey)
    yield toHistoryItem(viewing)
  }
}

function toHistoryItem({
  line,
  profile,
  title,
  lastStartedAt,
  watchedSeconds,
  bookmarkSeconds,
}: NetflixViewing): HistoryItem {
  if (watchedSeconds < MIN_VIEWING_SECONDS) return { line, skip: 'too_short', title }
  const [firstReading, ...readings] = parseNetflixTitle(title)
  if (!firstReading) return { line, skip: 'no_title' }
  return createHistoryRow({
    source: 'netflix',
    line,
    kind: 'watched',
    ids: {},
    ...firstReading,
    ...(readings.length > 0 && { readings }),
    at: lastStartedAt,
    profile,
    durationSeconds: watchedSeconds,
    progress: Math.max(bookmarkSeconds, 0) || watchedSeconds,
  })
}

/** Returns the number of seconds of a duration such as `01:02:03`; 0 for any other text, such as `Not latest view`. */
function parseSeconds(durationText: string): number {
  const durationMatch = /^(\d+):(\d{2}):(\d{2})$/.exec(durationText)
  return durationMatch
    ? Number(durationMatch[1]) * 3600 + Number(durationMatch[2]) * 60 + Number(durationMatch[3])
    : 0
}
