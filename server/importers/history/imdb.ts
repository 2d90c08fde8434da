/**
 * IMDb exports: ratings, watchlist and lists. Every row has an IMDb id. Dates are ISO 8601, unless a
 * spreadsheet saved the file.
 */
import { createDateParser, type DateParser } from './column-dates.ts'
import { type CsvRow, readCsvTable } from './csv.ts'
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
const EPISODE_TYPES = ['tv episode', 'tvepisode']

export const imdbRatingsFormat: HistoryFormat = {
  id: 'imdb-ratings',
  source: 'imdb',
  matches: (_path, head) =>
    hasColumns(head, 'const', 'your rating', 'date rated') && !hasColumns(head, 'created'),
  async *readRows(open, _path, { nowMs }) {
    const parseDate = await createDateParser(open, ['date rated'], nowMs)
    for await (const cells of readCsvTable(open())) yield toItem(cells, { kind: 'rated', parseDate })
  },
}

/** A list also contains the owner's ratings. They are ignored, because the ratings file contains them too. */
export const imdbListFormat: HistoryFormat = {
  id: 'imdb-list',
  source: 'imdb',
  matches: (_path, head) => hasColumns(head, 'const', 'created', 'title'),
  async *readRows(open, path, { nowMs }) {
    const fileName = /([^/]+)\.csv/.exec(path)?.[1] ?? ''
    const list = fileName.includes('watchlist') ? undefined : fileName
    const parseDate = await createDateParser(open, ['created'], nowMs)
    for await (const cells of readCsvTable(open())) yield toItem(cells, { kind: 'listed', list, parseDate })
  },
}

interface RowOptions {
  kind: HistoryRow['kind']
  parseDate: DateParser
  list?: string | undefined
}

function toItem({ line, get }: CsvRow, { kind, parseDate, list }: RowOptions): HistoryItem {
  const imdb = /^tt\d{7,10}$/.exec(get('const'))?.[0]
  const typeName = get('title type').toLowerCase()
  const isEpisode = EPISODE_TYPES.includes(typeName)
  const type = isEpisode ? 'tv' : TYPE_BY_NAME[typeName]
  if (!imdb) return { line, skip: /^(?:nm|co|ch|li)\d+$/.test(get('const')) ? 'not_a_title' : 'bad_row' }
  // Games, podcasts and music videos are not in the catalogue.
  if (!type && typeName) return { line, skip: 'not_a_title' }
  const rating = Number(get('your rating'))
  if (kind === 'rated' && !(rating >= 1 && rating <= 10)) return { line, skip: 'bad_row' }
  const at = parseDate(get(kind === 'rated' ? 'date rated' : 'created'))
  if (at === null) return { line, skip: 'bad_date' }
  const [title, originalTitle] = [get('title'), get('original title')]
  const runtimeMinutes = Number(get('runtime (mins)'))
  return createHistoryRow({
    source: 'imdb',
    line,
    kind,
    type,
    ids: { imdb },
    ...(isEpisode
      ? splitEpisodeTitle(title)
      : { title, originalTitle: originalTitle === title ? undefined : originalTitle }),
    year: Number(get('year')) || undefined,
    at,
    rating: kind === 'rated' ? rating : undefined,
    runtime: runtimeMinutes > 0 ? runtimeMinutes : undefined,
    list,
  })
}

/** Splits `Show: Episode`, where episodes without a name are called `Episode #1.6`. A row may have the episode title only. */
function splitEpisodeTitle(text: string): Pick<HistoryRow, 'title' | 'episodeTitle' | 'season' | 'episode'> {
  const [, title = text, episodeTitle = text] = /^(.+?): (.+)$/.exec(text) ?? []
  const [, season, episode] = /^Episode #(\d+)\.(\d+)$/.exec(episodeTitle) ?? []
  return { title, episodeTitle, ...(season && { season: Number(season), episode: Number(episode) }) }
}
