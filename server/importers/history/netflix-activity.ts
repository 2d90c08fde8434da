/**
 * Netflix `ViewingActivity.csv`: one row per playback session. A viewing may be split over many rows, and previews that
 * started automatically have rows too. Rows of one title within two days are merged into one viewing; viewings under two
 * minutes are skipped.
 */
import { readCsvTable } from './csv.ts'
import { parseIsoDate } from './date-order.ts'
import {
  createHistoryRow,
  type FileOpener,
  type HistoryFormat,
  type HistoryItem,
  hasColumns,
  type RowSkipReason,
} from './history-row.ts'
import { isNetflixSupplement, parseNetflixTitle } from './netflix-title.ts'

const MIN_VIEWING_SECONDS = 120
const MAX_GAP_MS = 48 * 3_600_000
/** Maximum number of viewings that wait for further rows. It limits memory use if the file is not sorted by time. */
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
  firstAt: string
  lastAt: string
  watchedSeconds: number
  bookmarkSeconds: number
}

async function* readActivity(open: FileOpener): AsyncGenerator<HistoryItem> {
  const viewings = new Map<string, NetflixViewing>()
  for await (const { line, get } of readCsvTable(open())) {
    const [profile, title] = [get('profile name'), get('title')]
    const at = parseIsoDate(get('start time'))
    const skipReason = findSkipReason(title, get('supplemental video type'), at)
    if (skipReason || !at) {
      yield { line, skip: skipReason ?? 'bad_date' }
      continue
    }
    const key = `${profile}\n${title}`
    const watchedSeconds = parseSeconds(get('duration'))
    const bookmarkSeconds = Math.max(parseSeconds(get('bookmark')), parseSeconds(get('latest bookmark')))
    const viewing = viewings.get(key)
    if (viewing && computeGapMs(viewing, at) <= MAX_GAP_MS) {
      viewing.watchedSeconds += watchedSeconds
      viewing.bookmarkSeconds = Math.max(viewing.bookmarkSeconds, bookmarkSeconds)
      if (at > viewing.lastAt) viewing.lastAt = at
      if (at < viewing.firstAt) viewing.firstAt = at
      continue
    }
    if (viewing) yield toItem(viewing)
    viewings.delete(key)
    viewings.set(key, { line, profile, title, firstAt: at, lastAt: at, watchedSeconds, bookmarkSeconds })
    if (viewings.size > MAX_OPEN_VIEWINGS) yield* finishOldest(viewings)
  }
  for (const viewing of viewings.values()) yield toItem(viewing)
}

function findSkipReason(title: string, supplementType: string, at: string | undefined): RowSkipReason | null {
  if (supplementType || isNetflixSupplement(title)) return 'supplement'
  if (!title) return 'no_title'
  return at ? null : 'bad_date'
}

/** Returns the time between a viewing and a row at `at`; 0 if the row lies within the viewing. */
function computeGapMs({ firstAt, lastAt }: NetflixViewing, at: string): number {
  const timeMs = Date.parse(at)
  return Math.max(0, timeMs - Date.parse(lastAt), Date.parse(firstAt) - timeMs)
}

/** Ends the older half of the open viewings. In a file that is sorted by time, they get no further rows. */
function* finishOldest(viewings: Map<string, NetflixViewing>): Generator<HistoryItem> {
  for (const [key, viewing] of viewings) {
    if (viewings.size <= MAX_OPEN_VIEWINGS / 2) return
    viewings.delete(key)
    yield toItem(viewing)
  }
}

function toItem({
  line,
  profile,
  title,
  lastAt,
  watchedSeconds,
  bookmarkSeconds,
}: NetflixViewing): HistoryItem {
  if (watchedSeconds < MIN_VIEWING_SECONDS) return { line, skip: 'too_short' }
  const [first, ...readings] = parseNetflixTitle(title)
  if (!first) return { line, skip: 'no_title' }
  return createHistoryRow({
    source: 'netflix',
    line,
    kind: 'watched',
    ids: {},
    ...first,
    ...(readings.length > 0 && { readings }),
    at: lastAt,
    profile,
    durationSeconds: watchedSeconds,
    progress: Math.max(bookmarkSeconds, 0) || watchedSeconds,
  })
}

/** Returns the seconds of a time like `01:02:03`; 0 for anything else, such as `Not latest view`. */
function parseSeconds(text: string): number {
  const match = /^(\d+):(\d{2}):(\d{2})$/.exec(text)
  return match ? Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3]) : 0
}
