/** Netflix: the viewing history that the account page offers, and the relevant files of a data request. */
import { readCsvRecords, readCsvTable } from './csv.ts'
import { DateOrderEvidence, isDateLike, parseDateWithOrder, parseIsoDate } from './date-order.ts'
import {
  createHistoryRow,
  type FileOpener,
  type HistoryFormat,
  type HistoryItem,
  type HistoryReadOptions,
  hasColumns,
  type TitleReading,
} from './history-row.ts'
import { isNetflixSupplement, parseNetflixTitle } from './netflix-title.ts'

/** Maximum number of title prefixes that are counted. It limits memory use. No real account has so many. */
const MAX_COUNTED_PREFIXES = 100_000

/** File or folder names of viewing histories. A data request contains other tables with two columns in other folders. */
const VIEWING_HISTORY_PATH = /(?:netflix|viewing)[^/]*$|(?:^|\/)netflix\/[^/]+$/

/**
 * `Title,Date`: two columns whose names and dates are in the account's language. The file is read twice, the
 * first time to infer the date order.
 */
export const netflixHistoryFormat: HistoryFormat = {
  id: 'netflix-viewing-history',
  source: 'netflix',
  matches: (path, head) => {
    if (head.header.length !== 2) return false
    const secondField = /\r?\n(?:"(?:[^"]|"")*"|[^",;\t\n]*)[,;\t]"?([^"\r\n]*)"?/.exec(head.text)?.[1] ?? ''
    return isDateLike(secondField) && (hasColumns(head, 'title', 'date') || VIEWING_HISTORY_PATH.test(path))
  },
  readRows: readViewingHistory,
}

async function* readViewingHistory(
  open: FileOpener,
  _path: string,
  { nowMs }: HistoryReadOptions,
): AsyncGenerator<HistoryItem> {
  const { order, siblingCounts } = await surveyFile(open, nowMs)
  let isFirstRecord = true
  for await (const { line, fields } of readCsvRecords(open())) {
    if (isFirstRecord && !isDateLike(fields[1] ?? '')) {
      isFirstRecord = false
      continue
    }
    isFirstRecord = false
    const [firstReading, ...otherReadings] = parseNetflixTitle(fields[0] ?? '')
    if (!firstReading) yield { line, skip: 'no_title' }
    else if (isNetflixSupplement(fields[0] ?? '')) yield { line, skip: 'supplement' }
    else {
      const at = parseDateWithOrder(fields[1] ?? '', order)
      const readings = otherReadings.map((reading) => addSiblingCount(reading, siblingCounts))
      if (!at) yield { line, skip: 'bad_date' }
      else yield toRow({ line, at, firstReading, readings })
    }
  }
}

/**
 * Reads the file for the first time. It infers the date order, and counts the titles that start with each prefix, because
 * the episodes of a series share a prefix.
 */
async function surveyFile(open: FileOpener, nowMs: number) {
  const evidence = new DateOrderEvidence(nowMs)
  const siblingCounts = new Map<string, number>()
  let previousTitle = ''
  for await (const { fields } of readCsvRecords(open())) {
    const [title = '', date = ''] = fields
    evidence.addDate(date)
    if (title === previousTitle) continue
    previousTitle = title
    for (const { title: prefix, type } of parseNetflixTitle(title)) {
      if (type !== 'tv') continue
      const count = siblingCounts.get(prefix)
      if (count !== undefined || siblingCounts.size < MAX_COUNTED_PREFIXES)
        siblingCounts.set(prefix, (count ?? 0) + 1)
    }
  }
  return { ...evidence.inferOrder(), siblingCounts }
}

const addSiblingCount = (
  reading: TitleReading,
  siblingCounts: ReadonlyMap<string, number>,
): TitleReading => ({
  ...reading,
  siblings: siblingCounts.get(reading.title) ?? 1,
})

interface WatchedTitle {
  line: number
  at: string
  firstReading: TitleReading
  readings: TitleReading[]
}
const toRow = ({ line, at, firstReading, readings }: WatchedTitle) =>
  createHistoryRow({
    source: 'netflix',
    line,
    kind: 'watched',
    ids: {},
    at,
    ...firstReading,
    ...(readings.length > 0 && { readings }),
  })

/** `MyList.csv` of a data request. */
export const netflixMyListFormat: HistoryFormat = {
  id: 'netflix-my-list',
  source: 'netflix',
  matches: (_path, head) => hasColumns(head, 'title name', 'utc title add date'),
  async *readRows(open) {
    for await (const { line, get } of readCsvTable(open())) {
      const title = get('title name')
      if (!title) yield { line, skip: 'no_title' }
      else {
        const at = parseIsoDate(get('utc title add date'))
        yield createHistoryRow({
          source: 'netflix',
          line,
          kind: 'listed',
          ids: {},
          title,
          at,
          profile: get('profile name'),
        })
      }
    }
  },
}

/** `Ratings.csv` of a data request: thumbs (1 down, 2 up, 3 two thumbs up), or stars from 1 to 5 in older ratings. */
export const netflixRatingsFormat: HistoryFormat = {
  id: 'netflix-ratings',
  source: 'netflix',
  matches: (_path, head) => hasColumns(head, 'title name', 'thumbs value', 'star value'),
  async *readRows(open) {
    for await (const { line, get } of readCsvTable(open())) {
      const title = get('title name')
      const thumbs = Number(get('thumbs value'))
      const stars = Number(get('star value'))
      const commonFields = { source: 'netflix', line, ids: {}, title, profile: get('profile name') } as const
      const at = parseIsoDate(get('event utc ts'))
      if (!title) yield { line, skip: 'no_title' }
      else if (thumbs >= 1 && thumbs <= 3)
        yield createHistoryRow({ ...commonFields, at, kind: thumbs === 1 ? 'disliked' : 'liked' })
      else if (stars >= 1 && stars <= 5)
        yield createHistoryRow({ ...commonFields, at, kind: 'rated', rating: stars * 2 })
      else yield { line, skip: 'bad_row' }
    }
  },
}
