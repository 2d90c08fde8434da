/** Letterboxd: the files of its export. Ratings are half stars, dates ISO, everything is a film. */
import { type Cells, cells, columnsOf, csvRecords, csvTable } from './csv.ts'
import { isoDate } from './date-order.ts'
import { type Format, type Head, type HistoryRow, hasColumns, type Item, type Opener, row } from './row.ts'

const isOurs = (head: Head) => hasColumns(head, 'date', 'name', 'year', 'letterboxd uri')

/** What was deleted on Letterboxd, and what lost its film there, is no history. */
const isGone = (path: string) => /(?:^|\/)(?:deleted|orphaned)\//.test(path)

/** watched, ratings, watchlist and likes look alike inside: the name of the file tells them apart. */
export const letterboxdFilms: Format = {
  id: 'letterboxd-films',
  source: 'letterboxd',
  fits: (_path, head) => isOurs(head),
  async *read(open, path) {
    const kind = kindOf(path)
    for await (const one of csvTable(open()))
      yield isGone(path) ? { line: one.line, skip: 'deleted' } : film(one, kind)
  },
}

function kindOf(path: string): HistoryRow['kind'] {
  if (/(?:^|\/)likes\//.test(path)) return 'liked'
  if (/watchlist[^/]*$/.test(path)) return 'listed'
  return /(?:^|\/)ratings[^/]*$/.test(path) ? 'rated' : 'watched'
}

function film({ line, get }: Cells, kind: HistoryRow['kind'], list?: string): Item {
  const title = get('name')
  if (!title) return { line, skip: 'no_title' }
  const stars = Number(get('rating'))
  if (kind === 'rated' && !(stars > 0 && stars <= 5)) return { line, skip: 'bad_row' }
  const year = Number(get('year'))
  const [seen, entered] = [isoDate(get('watched date')), isoDate(get('date'))]
  return row({
    source: 'letterboxd',
    line,
    kind,
    type: 'movie',
    ids: {},
    title,
    year: year > 1800 ? year : undefined,
    // A diary says when the film was seen beside when the entry was made.
    at: seen ?? entered,
    logged: seen && seen !== entered ? entered : undefined,
    rating: stars > 0 && stars <= 5 ? stars * 2 : undefined,
    list,
  })
}

/** `Letterboxd list export v7`: a head about the list, an empty line, then its films under a second header. */
export const letterboxdList: Format = {
  id: 'letterboxd-list',
  source: 'letterboxd',
  fits: (_path, head) => /^letterboxd list export v\d+/.test(head.header[0] ?? ''),
  async *read(open: Opener, path: string): AsyncGenerator<Item> {
    let columns: Map<string, number> | null = null
    let about: Map<string, number> | null = null
    let list: { name: string; date: string } | null = null
    let title = true
    for await (const { line, fields } of csvRecords(open())) {
      if (title) title = false
      else if (columns) {
        const one = cells(line, fields, columns)
        const dated = { line, get: (name: string) => (name === 'date' ? (list?.date ?? '') : one.get(name)) }
        yield isGone(path) ? { line, skip: 'deleted' } : film(dated, 'listed', list?.name)
      } else if (fields[0] === 'Position') columns = columnsOf(fields)
      else if (!about) about = columnsOf(fields)
      else {
        const { get } = cells(line, fields, about)
        list = { name: get('name'), date: get('date') }
      }
    }
  },
}
