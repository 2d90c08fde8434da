/** IMDb exports: ratings, watchlist and lists. Every row has an IMDb id; dates are ISO 8601. */
import { type CsvRow, readCsvTable } from './csv.ts'
import { parseIsoDate } from './date-order.ts'
import {
  createHistoryRow,
  type HistoryFormat,
  type HistoryItem,
  type HistoryRow,
  type HistoryTitleType,
  hasColumns,
} from './history-row.ts'

const TYPE_BY_NAME: Readonly<Record<string, HistoryTitleType>> = {
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

export const imdbRatingsFormat: HistoryFormat = {
  id: 'imdb-ratings',
  source: 'imdb',
  matches: (_path, head) =>
    hasColumns(head, 'const', 'your rating', 'date rated') && !hasColumns(head, 'created'),
  async *readRows(open) {
    for await (const cells of readCsvTable(open())) yield toItem(cells, 'rated')
  },
}

/** A list also contains the owner's ratings. They are ignored, because the ratings file contains them too. */
export const imdbListFormat: HistoryFormat = {
  id: 'imdb-list',
  source: 'imdb',
  matches: (_path, head) => hasColumns(head, 'const', 'created', 'title'),
  async *readRows(open, path) {
    const fileName = /([^/]+)\.csv/.exec(path)?.[1] ?? ''
    const listName = fileName.includes('watchlist') ? undefined : fileName
    for await (const cells of readCsvTable(open())) yield toItem(cells, 'listed', listName)
  },
}

function toItem({ line, get }: CsvRow, kind: HistoryRow['kind'], list?: string): HistoryItem {
  const imdb = /^tt\d{7,10}$/.exec(get('const'))?.[0]
  const type = TYPE_BY_NAME[get('title type').toLowerCase()]
  if (!imdb) return { line, skip: /^(?:nm|co|ch|li)\d+$/.test(get('const')) ? 'not_a_title' : 'bad_row' }
  // Single episodes, games, podcasts and music videos are not in the catalogue.
  if (!type && get('title type')) return { line, skip: 'not_a_title' }
  const rating = Number(get('your rating'))
  if (kind === 'rated' && !(rating >= 1 && rating <= 10)) return { line, skip: 'bad_row' }
  const [title, originalTitle] = [get('title'), get('original title')]
  const runtimeMinutes = Number(get('runtime (mins)'))
  return createHistoryRow({
    source: 'imdb',
    line,
    kind,
    type,
    ids: { imdb },
    title,
    originalTitle: originalTitle === title ? undefined : originalTitle,
    year: Number(get('year')) || undefined,
    at: parseIsoDate(get(kind === 'rated' ? 'date rated' : 'created')),
    rating: kind === 'rated' ? rating : undefined,
    runtime: runtimeMinutes > 0 ? runtimeMinutes : undefined,
    list,
  })
}
