/** TMDB's export of ratings, watchlist, favourites and lists: tables with the same columns. Every row has a TMDB id. */
import { createDateParser, type DateParser } from './column-dates.ts'
import { type CsvRow, parseDecimal, readCsvTable } from './csv.ts'
import { createHistoryRow, type HistoryFormat, type HistoryItem, hasColumns } from './history-row.ts'
import { isWatchlistName } from './watchlist-file.ts'

export const tmdbFormat: HistoryFormat = {
  id: 'tmdb',
  source: 'tmdb',
  matches: (_path, head) => hasColumns(head, 'tmdb id', 'type', 'name', 'release date'),
  async *readRows(openFile, _path, { nowMs, baseName }) {
    const parseDate = await createDateParser(openFile, ['date rated'], nowMs)
    for await (const cells of readCsvTable(openFile())) yield* toHistoryItems(cells, baseName, parseDate)
  },
}

/** A row of the favourites, a watchlist or a list becomes two rows if it also has a rating of the user. */
function toHistoryItems({ line, getCell }: CsvRow, baseName: string, parseDate: DateParser): HistoryItem[] {
  const typeName = getCell('type').toLowerCase()
  const tmdbId = Number(getCell('tmdb id')) || undefined
  const imdbId = /^tt\d{7,10}$/.exec(getCell('imdb id'))?.[0]
  const [title, rating] = [getCell('name'), parseDecimal(getCell('your rating'))]
  if (typeName === 'person' || typeName === 'collection') return [{ line, skip: 'not_a_title', title }]
  if ((typeName !== 'movie' && typeName !== 'tv') || (!tmdbId && !imdbId && !title))
    return [{ line, skip: 'bad_row', title }]
  const isRated = getCell('your rating') !== ''
  const isRatingsFile = /rating/i.test(baseName)
  if ((isRated && !(rating > 0 && rating <= 10)) || (!isRated && isRatingsFile))
    return [{ line, skip: 'bad_row', title }]
  const date = parseDate(getCell('date rated'))
  if (date === null) return [{ line, skip: 'bad_date', title }]
  const isFavourite = /favou?rite/i.test(baseName)
  const commonFields = {
    source: 'tmdb',
    line,
    type: typeName,
    ids: { ...(imdbId && { imdb: imdbId }), ...(tmdbId && { tmdb: tmdbId }) },
    title,
    year: Number(/\d{4}/.exec(getCell('release date'))?.[0]) || undefined,
    season: readNumber(getCell('season number')),
    episode: readNumber(getCell('episode number')),
  } as const
  const items: HistoryItem[] = []
  if (!isRatingsFile)
    items.push(
      createHistoryRow({
        ...commonFields,
        kind: isFavourite ? 'liked' : 'listed',
        at: isRated ? undefined : date,
        list: isFavourite || isWatchlistName(baseName) ? undefined : baseName,
      }),
    )
  if (isRated) items.push(createHistoryRow({ ...commonFields, kind: 'rated', at: date, rating }))
  return items
}

const readNumber = (text: string) => (/^\d+$/.test(text) ? Number(text) : undefined)
