/** Netflix: the viewing history that the account page offers, and the relevant files of a data request. */
import { csvRecords, csvTable } from './csv.ts'
import { DateEvidence, isDateLike, isoDate, readDate } from './date-order.ts'
import { isSupplement, readingsOf } from './netflix-title.ts'
import {
  type Format,
  hasColumns,
  type Item,
  type Opener,
  type Reading,
  type ReadOptions,
  row,
} from './row.ts'

/** Most title prefixes that are counted. It bounds memory and is far above any real account. */
const MAX_COUNTED_PREFIXES = 100_000

/** File or folder names of viewing histories. A data request contains other tables with two columns in other folders. */
const VIEWING_HISTORY_PATH = /(?:netflix|viewing)[^/]*$|(?:^|\/)netflix\/[^/]+$/

/** `Title,Date`: two columns whose names and dates are in the account's language. It is read twice, first for the date order. */
export const viewingHistory: Format = {
  id: 'netflix-viewing-history',
  source: 'netflix',
  fits: (path, head) => {
    if (head.header.length !== 2) return false
    const secondField = /\r?\n(?:"(?:[^"]|"")*"|[^",;\t\n]*)[,;\t]"?([^"\r\n]*)"?/.exec(head.text)?.[1] ?? ''
    return isDateLike(secondField) && (hasColumns(head, 'title', 'date') || VIEWING_HISTORY_PATH.test(path))
  },
  read: readViewingHistory,
}

async function* readViewingHistory(open: Opener, _path: string, { now }: ReadOptions): AsyncGenerator<Item> {
  const { order, siblingCounts } = await surveyFile(open, now)
  let isFirstRecord = true
  for await (const { line, fields } of csvRecords(open())) {
    if (isFirstRecord && !isDateLike(fields[1] ?? '')) {
      isFirstRecord = false
      continue
    }
    isFirstRecord = false
    const [firstReading, ...otherReadings] = readingsOf(fields[0] ?? '')
    if (!firstReading) yield { line, skip: 'no_title' }
    else if (isSupplement(fields[0] ?? '')) yield { line, skip: 'supplement' }
    else {
      const at = readDate(fields[1] ?? '', order)
      const readings = otherReadings.map((reading) => withSiblingCount(reading, siblingCounts))
      if (!at) yield { line, skip: 'bad_date' }
      else yield toRow({ line, at, firstReading, readings })
    }
  }
}

/**
 * The first pass over the file: infers the date order, and counts the titles that start with each prefix. The episodes of a
 * series share a prefix.
 */
async function surveyFile(open: Opener, now: number) {
  const evidence = new DateEvidence(now)
  const siblingCounts = new Map<string, number>()
  let previousTitle = ''
  for await (const { fields } of csvRecords(open())) {
    const [title = '', date = ''] = fields
    evidence.add(date)
    if (title === previousTitle) continue
    previousTitle = title
    for (const { title: prefix, type } of readingsOf(title)) {
      if (type !== 'tv') continue
      const count = siblingCounts.get(prefix)
      if (count !== undefined || siblingCounts.size < MAX_COUNTED_PREFIXES)
        siblingCounts.set(prefix, (count ?? 0) + 1)
    }
  }
  return { ...evidence.decide(), siblingCounts }
}

const withSiblingCount = (reading: Reading, siblingCounts: ReadonlyMap<string, number>): Reading => ({
  ...reading,
  siblings: siblingCounts.get(reading.title) ?? 1,
})

interface WatchedTitle {
  line: number
  at: string
  firstReading: Reading
  readings: Reading[]
}
const toRow = ({ line, at, firstReading, readings }: WatchedTitle) =>
  row({
    source: 'netflix',
    line,
    kind: 'watched',
    ids: {},
    at,
    ...firstReading,
    ...(readings.length > 0 && { readings }),
  })

/** `MyList.csv` of a data request. */
export const myList: Format = {
  id: 'netflix-my-list',
  source: 'netflix',
  fits: (_path, head) => hasColumns(head, 'title name', 'utc title add date'),
  async *read(open) {
    for await (const { line, get } of csvTable(open())) {
      const title = get('title name')
      if (!title) yield { line, skip: 'no_title' }
      else {
        const at = isoDate(get('utc title add date'))
        yield row({
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
export const ratings: Format = {
  id: 'netflix-ratings',
  source: 'netflix',
  fits: (_path, head) => hasColumns(head, 'title name', 'thumbs value', 'star value'),
  async *read(open) {
    for await (const { line, get } of csvTable(open())) {
      const title = get('title name')
      const thumbs = Number(get('thumbs value'))
      const stars = Number(get('star value'))
      const commonFields = { source: 'netflix', line, ids: {}, title, profile: get('profile name') } as const
      const at = isoDate(get('event utc ts'))
      if (!title) yield { line, skip: 'no_title' }
      else if (thumbs >= 1 && thumbs <= 3)
        yield row({ ...commonFields, at, kind: thumbs === 1 ? 'disliked' : 'liked' })
      else if (stars >= 1 && stars <= 5) yield row({ ...commonFields, at, kind: 'rated', rating: stars * 2 })
      else yield { line, skip: 'bad_row' }
    }
  },
}
