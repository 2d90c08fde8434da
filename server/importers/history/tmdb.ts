/** TMDB's export of ratings, watchlist, favourites and lists: tables with the same columns. Every row has a TMDB id. */
import { createDateParser, type DateParser } from './column-dates.ts'
import { type CsvRow, readCsvTable } from './csv.ts'
import { createHistoryRow, type HistoryFormat, type HistoryItem, hasColumns } from './history-row.ts'

export const tmdbFormat: HistoryFormat = {
  id: 'tmdb',
  source: 'tmdb',
  matches: (_path, head) => hasColumns(head, 'tmdb id', 'type', 'name', 'release date'),
  async *readRows(open, path, { nowMs }) {
    const fileName = /([^/]+)\.csv/.exec(path)?.[1] ?? ''
    const parseDate = await createDateParser(open, ['date rated'], nowMs)
    for await (const cells of readCsvTable(open())) yield toItem(cells, fileName, parseDate)
  },
}

/** A row with a rating of the user counts as a rating in every file. */
function toItem({ line, get }: CsvRow, fileName: string, parseDate: DateParser): HistoryItem {
  const type = get('type').toLowerCase()
  const tmdb = Number(get('tmdb id')) || undefined
  const imdb = /^tt\d{7,10}$/.exec(get('imdb id'))?.[0]
  const [title, rating] = [get('name'), Number(get('your rating'))]
  if (type === 'person' || type === 'collection') return { line, skip: 'not_a_title' }
  if ((type !== 'movie' && type !== 'tv') || (!tmdb && !imdb && !title)) return { line, skip: 'bad_row' }
  const isRated = get('your rating') !== ''
  if ((isRated && !(rating > 0 && rating <= 10)) || (!isRated && fileName.includes('rating')))
    return { line, skip: 'bad_row' }
  const at = parseDate(get('date rated'))
  if (at === null) return { line, skip: 'bad_date' }
  const isFavourite = /favou?rite/.test(fileName)
  return createHistoryRow({
    source: 'tmdb',
    line,
    kind: isRated ? 'rated' : isFavourite ? 'liked' : 'listed',
    type,
    ids: { ...(imdb && { imdb }), ...(tmdb && { tmdb }) },
    title,
    year: Number(/\d{4}/.exec(get('release date'))?.[0]) || undefined,
    season: readNumber(get('season number')),
    episode: readNumber(get('episode number')),
    at,
    rating: isRated ? rating : undefined,
    list: isRated || isFavourite || fileName.includes('watchlist') ? undefined : fileName,
  })
}

const readNumber = (text: string) => (/^\d+$/.test(text) ? Number(text) : undefined)
