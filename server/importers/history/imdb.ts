/** IMDb: ratings, watchlist and lists. Every row has an id; dates are ISO. */
import { type Cells, csvTable } from './csv.ts'
import { isoDate } from './date-order.ts'
import { type Format, type HistoryRow, hasColumns, type Item, type MediaType, row } from './row.ts'

const TYPES: Readonly<Record<string, MediaType>> = {
  movie: 'movie',
  'tv movie': 'movie',
  short: 'movie',
  'tv short': 'movie',
  video: 'movie',
  'tv special': 'movie',
  'tv series': 'tv',
  'tv mini series': 'tv',
  // As older exports write it.
  tvmovie: 'movie',
  tvshort: 'movie',
  tvspecial: 'movie',
  tvseries: 'tv',
  tvminiseries: 'tv',
}

export const imdbRatings: Format = {
  id: 'imdb-ratings',
  source: 'imdb',
  fits: (_path, head) =>
    hasColumns(head, 'const', 'your rating', 'date rated') && !hasColumns(head, 'created'),
  async *read(open) {
    for await (const one of csvTable(open())) yield entry(one, 'rated')
  },
}

/** A list holds the owner's ratings too; they are in the ratings file and would be told twice. */
export const imdbList: Format = {
  id: 'imdb-list',
  source: 'imdb',
  fits: (_path, head) => hasColumns(head, 'const', 'created', 'title'),
  async *read(open, path) {
    const name = /([^/]+)\.csv/.exec(path)?.[1] ?? ''
    const list = name.includes('watchlist') ? undefined : name
    for await (const one of csvTable(open())) yield entry(one, 'listed', list)
  },
}

function entry({ line, get }: Cells, kind: HistoryRow['kind'], list?: string): Item {
  const imdb = /^tt\d{7,10}$/.exec(get('const'))?.[0]
  const type = TYPES[get('title type').toLowerCase()]
  if (!imdb) return { line, skip: /^(?:nm|co|ch|li)\d+$/.test(get('const')) ? 'not_a_title' : 'bad_row' }
  // Single episodes, games, podcasts and music videos are not what a catalogue of titles holds.
  if (!type && get('title type')) return { line, skip: 'not_a_title' }
  const rating = Number(get('your rating'))
  if (kind === 'rated' && !(rating >= 1 && rating <= 10)) return { line, skip: 'bad_row' }
  const [title, originalTitle] = [get('title'), get('original title')]
  const runtime = Number(get('runtime (mins)'))
  return row({
    source: 'imdb',
    line,
    kind,
    type,
    ids: { imdb },
    title,
    originalTitle: originalTitle === title ? undefined : originalTitle,
    year: Number(get('year')) || undefined,
    at: isoDate(get(kind === 'rated' ? 'date rated' : 'created')),
    rating: kind === 'rated' ? rating : undefined,
    runtime: runtime > 0 ? runtime : undefined,
    list,
  })
}
