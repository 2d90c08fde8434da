/**
 * Netflix `ViewingActivity.csv`: one row per sitting. The same episode is split over many rows, and every preview that
 * played by itself is one too. Rows of one title within two days are one viewing; what stays under two minutes is none.
 */
import { csvTable } from './csv.ts'
import { isoDate } from './date-order.ts'
import { isSupplement, readingsOf } from './netflix-title.ts'
import { type Format, hasColumns, type Item, type Opener, row, type SkipReason } from './row.ts'

const SHORTEST_SECONDS = 120
const SITTING_MS = 48 * 3_600_000
/** Viewings held open at most, should a file not be sorted by time. */
const OPEN_VIEWINGS = 5_000

export const viewingActivity: Format = {
  id: 'netflix-viewing-activity',
  source: 'netflix',
  fits: (_path, head) => hasColumns(head, 'start time', 'duration', 'title', 'supplemental video type'),
  read,
}

interface Viewing {
  line: number
  profile: string
  title: string
  first: string
  last: string
  seconds: number
  bookmark: number
}

async function* read(open: Opener): AsyncGenerator<Item> {
  const viewings = new Map<string, Viewing>()
  for await (const { line, get } of csvTable(open())) {
    const [profile, title] = [get('profile name'), get('title')]
    const at = isoDate(get('start time'))
    const why = refused(title, get('supplemental video type'), at)
    if (why || !at) {
      yield { line, skip: why ?? 'bad_date' }
      continue
    }
    const key = `${profile}\n${title}`
    const seconds = secondsOf(get('duration'))
    const bookmark = Math.max(secondsOf(get('bookmark')), secondsOf(get('latest bookmark')))
    const viewing = viewings.get(key)
    if (viewing && apart(viewing, at) <= SITTING_MS) {
      viewing.seconds += seconds
      viewing.bookmark = Math.max(viewing.bookmark, bookmark)
      if (at > viewing.last) viewing.last = at
      if (at < viewing.first) viewing.first = at
      continue
    }
    if (viewing) yield finish(viewing)
    viewings.delete(key)
    viewings.set(key, { line, profile, title, first: at, last: at, seconds, bookmark })
    if (viewings.size > OPEN_VIEWINGS) yield* finishOldest(viewings)
  }
  for (const viewing of viewings.values()) yield finish(viewing)
}

function refused(title: string, supplement: string, at: string | undefined): SkipReason | null {
  if (supplement || isSupplement(title)) return 'supplement'
  if (!title) return 'no_title'
  return at ? null : 'bad_date'
}

function apart({ first, last }: Viewing, at: string): number {
  const time = Date.parse(at)
  return Math.max(0, time - Date.parse(last), Date.parse(first) - time)
}

/** The half that was opened first is behind us in a sorted file. */
function* finishOldest(viewings: Map<string, Viewing>): Generator<Item> {
  for (const [key, viewing] of viewings) {
    if (viewings.size <= OPEN_VIEWINGS / 2) return
    viewings.delete(key)
    yield finish(viewing)
  }
}

function finish({ line, profile, title, last, seconds, bookmark }: Viewing): Item {
  if (seconds < SHORTEST_SECONDS) return { line, skip: 'too_short' }
  const [first, ...readings] = readingsOf(title)
  if (!first) return { line, skip: 'no_title' }
  return row({
    source: 'netflix',
    line,
    kind: 'watched',
    ids: {},
    ...first,
    ...(readings.length > 0 && { readings }),
    at: last,
    profile,
    durationSeconds: seconds,
    progress: Math.max(bookmark, 0) || seconds,
  })
}

/** `01:02:03`; 0 for anything else, as `Not latest view`. */
function secondsOf(text: string): number {
  const match = /^(\d+):(\d{2}):(\d{2})$/.exec(text)
  return match ? Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3]) : 0
}
