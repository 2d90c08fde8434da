/** Netflix: the viewing history a page offers, and the files of the data request that matter. */
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

/** Texts whose beginnings are counted at most: a bound on memory, far above any real account. */
const PREFIXES_COUNTED = 100_000

/** By its own name or its folder's; the data request has tables of two columns about other things in folders of its own. */
const NAMED = /(?:netflix|viewing)[^/]*$|(?:^|\/)netflix\/[^/]+$/

/** `Title,Date`: two columns whose heads and dates follow the account's language. Read twice: first for the dates. */
export const viewingHistory: Format = {
  id: 'netflix-viewing-history',
  source: 'netflix',
  fits: (path, head) => {
    if (head.header.length !== 2) return false
    const second = /\r?\n(?:"(?:[^"]|"")*"|[^",;\t\n]*)[,;\t]"?([^"\r\n]*)"?/.exec(head.text)?.[1] ?? ''
    return isDateLike(second) && (hasColumns(head, 'title', 'date') || NAMED.test(path))
  },
  read: readHistory,
}

async function* readHistory(open: Opener, _path: string, { now }: ReadOptions): AsyncGenerator<Item> {
  const { order, siblings } = await survey(open, now)
  let header = true
  for await (const { line, fields } of csvRecords(open())) {
    if (header && !isDateLike(fields[1] ?? '')) {
      header = false
      continue
    }
    header = false
    const [first, ...readings] = readingsOf(fields[0] ?? '')
    if (!first) yield { line, skip: 'no_title' }
    else if (isSupplement(fields[0] ?? '')) yield { line, skip: 'supplement' }
    else {
      const at = readDate(fields[1] ?? '', order)
      if (!at) yield { line, skip: 'bad_date' }
      else yield watched({ line, at, first, readings: readings.map((one) => counted(one, siblings)) })
    }
  }
}

/** The first reading of the file: the order of its dates, and which unmarked beginnings recur as those of series do. */
async function survey(open: Opener, now: number) {
  const evidence = new DateEvidence(now)
  const siblings = new Map<string, number>()
  let before = ''
  for await (const { fields } of csvRecords(open())) {
    const [title = '', date = ''] = fields
    evidence.add(date)
    if (title === before) continue
    before = title
    for (const { title: prefix, type } of readingsOf(title)) {
      if (type !== 'tv') continue
      const count = siblings.get(prefix)
      if (count !== undefined || siblings.size < PREFIXES_COUNTED) siblings.set(prefix, (count ?? 0) + 1)
    }
  }
  return { ...evidence.decide(), siblings }
}

const counted = (reading: Reading, siblings: ReadonlyMap<string, number>): Reading => ({
  ...reading,
  siblings: siblings.get(reading.title) ?? 1,
})

interface Watched {
  line: number
  at: string
  first: Reading
  readings: Reading[]
}
const watched = ({ line, at, first, readings }: Watched) =>
  row({
    source: 'netflix',
    line,
    kind: 'watched',
    ids: {},
    at,
    ...first,
    ...(readings.length > 0 && { readings }),
  })

/** `MyList.csv` of the data request. */
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

/** `Ratings.csv` of the data request: thumbs (1 down, 2 up, 3 both up), or the stars of former days. */
export const ratings: Format = {
  id: 'netflix-ratings',
  source: 'netflix',
  fits: (_path, head) => hasColumns(head, 'title name', 'thumbs value', 'star value'),
  async *read(open) {
    for await (const { line, get } of csvTable(open())) {
      const title = get('title name')
      const thumbs = Number(get('thumbs value'))
      const stars = Number(get('star value'))
      const fields = { source: 'netflix', line, ids: {}, title, profile: get('profile name') } as const
      const at = isoDate(get('event utc ts'))
      if (!title) yield { line, skip: 'no_title' }
      else if (thumbs >= 1 && thumbs <= 3)
        yield row({ ...fields, at, kind: thumbs === 1 ? 'disliked' : 'liked' })
      else if (stars >= 1 && stars <= 5) yield row({ ...fields, at, kind: 'rated', rating: stars * 2 })
      else yield { line, skip: 'bad_row' }
    }
  },
}
