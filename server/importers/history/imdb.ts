/** IMDb exports: ratings, watchlist and lists. Every row has an IMDb id; dates are ISO 8601. */
import { type Cells, csvTable } from './csv.ts'
import { isoDate } from './date-order.ts'
import { type Format, type HistoryRow, hasColumns, type Item, type MediaType, row } from './row.ts'

const TYPE_BY_NAME: Readonly<Record<string, MediaType>> = {
  movie: 'movie',
  'tv movie': 'movie',
  short: 'movie',
  'tv short': 'movie',
  video: 'movie',
  'tv special': 'movie',
  'tv series': 'tv',
  'tv mini series': 'tv',
  // Spelling of older exports.
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
    for await (const cells of csvTable(open())) yield toItem(cells, 'rated')
  },
}

/** A list also contains the owner's ratings. They are ignored, because the ratings file contains them too. */
export const imdbList: Format = {
  id: 'imdb-list',
  source: 'imdb',
  fits: (_path, head) => hasColumns(head, 'const', 'created', 'title'),
  async *read(open, path) {
    const fileName = /([^/]+)\.csv/.exec(path)?.[1] ?? ''
    const listName = fileName.includes('watchlist') ? undefined : fileName
    for await (const cells of csvTable(open())) yield toItem(cells, 'listed', listName)
  },
}

function toItem({ line, get }: Cells, kind: HistoryRow['kind'], list?: string): Item {
  const imdb = /^tt\d{7,10}$/.exec(get('const'))?.[0]
  const type = TYPE_BY_NAME[get('title type').toLowerCase()]
  if (!imdb) return { line, skip: /^(?:nm|co|ch|li)\d+$/.test(get('const')) ? 'not_a_title' : 'bad_row' }
  // Single episodes, games, podcasts and music videos are not in the catalogue.
  if (!type && get('title type')) return { line, skip: 'not_a_title' }
  const rating = Number(get('your rating'))
  if (kind === 'rated' && !(rating >= 1 && rating <= 10)) return { line, skip: 'bad_row' }
  const [title, originalTitle] = [get('title'), get('original title')]
  const runtimeMinutes = Number(get('runtime (mins)'))
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
    runtime: runtimeMinutes > 0 ? runtimeMinutes : undefined,
    list,
  })
}
