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
import { isWatchlistName } from './watchlist-file.ts'

const TITLE_TYPES_BY_NAME: ReadonlyMap<string, HistoryTitleType> = new Map(
  Object.entries<HistoryTitleType>({
    movie: 'movie',
    'tv movie': 'movie',
    short: 'movie',
    'tv short': 'movie',
    video: 'movie',
    'tv special': 'movie',
    'tv series': 'tv',
    'tv mini series': 'tv',
    // Older exports use these spellings.
    tvmovie: 'movie',
    tvshort: 'movie',
    tvspecial: 'movie',
    tvseries: 'tv',
    tvminiseries: 'tv',
  }),
)
const EPISODE_TYPES = ['tv episode', 'tvepisode']
/**
 * IMDb writes the types in the language of the account. These patterns recognise them in German, French, Italian,
 * Spanish, Portuguese and Hindi. They are tried in this order.
 */
const NON_TITLE_TYPE_PATTERN = /podcast|पॉडकास्ट|game|jeu|spiel|gioco|juego|jogo|गेम|musi[ck]|संगीत/u
const EPISODE_TYPE_PATTERN = /[eé]pis|folge|एपिसोड/u
const SERIES_TYPE_PATTERN = /s[eé]ri|सीरी|सीरि|श्रृंखला/u
const MOVIE_TYPE_PATTERN =
  /film|documentary|pel[ií]cula|फ़िल्म|फिल्म|मूवी|court|corto|curta|kurz|लघु|sp[eé][cz]ial|vid[eé]o|विशेष|वीडियो/u

export const imdbRatingsFormat: HistoryFormat = {
  id: 'imdb-ratings',
  source: 'imdb',
  matches: (_path, head) =>
    hasColumns(head, 'const', 'your rating', 'date rated') && !hasColumns(head, 'created'),
  async *readRows(openFile, _path, { nowMs }) {
    const parseDate = await createDateParser(openFile, ['date rated'], nowMs)
    for await (const cells of readCsvTable(openFile()))
      yield toHistoryItem(cells, { kind: 'rated', parseDate })
  },
}

/**
 * Matches the name of the file of ratings, and the names of its copies. Until 2017, this file had the columns of a
 * list, so only its name distinguishes it from a list.
 */
const RATINGS_NAME_PATTERN = /^ratings?(?:[-_ ]?\(?\d{1,8}\)?)?$/i
/** Matches the name of the list of check-ins, in which a user of IMDb records viewings. */
const CHECK_INS_NAME_PATTERN = /^(?:imdb[-_ ])?check[-_ ]?ins?(?:[-_ ]?\(?\d{1,8}\)?)?$/i

/**
 * A list also contains the ratings of its owner, so a rated title of a list becomes two rows. A rated title in a file
 * of ratings becomes only a rating if it has no date of the rating.
 */
export const imdbListFormat: HistoryFormat = {
  id: 'imdb-list',
  source: 'imdb',
  matches: (_path, head) => hasColumns(head, 'const', 'created', 'title'),
  async *readRows(openFile, _path, { nowMs, baseName }) {
    const isRatingsFile = RATINGS_NAME_PATTERN.test(baseName)
    const kind = CHECK_INS_NAME_PATTERN.test(baseName) ? 'watched' : 'listed'
    const listName = kind === 'watched' || isWatchlistName(baseName) ? undefined : baseName
    const parseDate = await createDateParser(openFile, ['created', 'date rated'], nowMs)
    for await (const cells of readCsvTable(openFile())) {
      const isRated = readRatingText(cells) !== ''
      const isRatingWithoutDate = isRated && isRatingsFile && cells.getCell('date rated') === ''
      if (isRatingWithoutDate) {
        yield toHistoryItem(cells, { kind: 'rated', parseDate, dateColumn: 'created' })
        continue
      }
      const listedItem = toHistoryItem(cells, { kind, listName, parseDate })
      yield listedItem
      if (!('skip' in listedItem) && isRated) yield toHistoryItem(cells, { kind: 'rated', parseDate })
    }
  },
}

/** Returns the text of the user's rating; empty if there is none. Until 2017, the column was named `You rated`. */
const readRatingText = ({ getCell }: CsvRow) => getCell('your rating') || getCell('you rated')

interface ImdbRowOptions {
  kind: HistoryRow['kind']
  parseDate: DateParser
  listName?: string | undefined
  /** Name of the column with the date; by default `date rated` for ratings, and `created` for other rows. */
  dateColumn?: string
}

/** Parses the name of a type in any language of IMDb. Returns null for games, podcasts and other unknown types. */
function parseTitleType(typeName: string): HistoryTitleType | 'episode' | null {
  if (EPISODE_TYPES.includes(typeName)) return 'episode'
  const knownType = TITLE_TYPES_BY_NAME.get(typeName)
  if (knownType) return knownType
  if (NON_TITLE_TYPE_PATTERN.test(typeName)) return null
  if (EPISODE_TYPE_PATTERN.test(typeName)) return 'episode'
  if (SERIES_TYPE_PATTERN.test(typeName)) return 'tv'
  return MOVIE_TYPE_PATTERN.test(typeName) ? 'movie' : null
}

function toHistoryItem(
  cells: CsvRow,
  { kind, parseDate, listName, dateColumn }: ImdbRowOptions,
): HistoryItem {
  const { line, getCell } = cells
  const imdbId = /^tt\d{7,10}$/.exec(getCell('const'))?.[0]
  const [title, originalTitle] = [getCell('title'), getCell('original title')]
  const typeName = getCell('title type').toLowerCase().normalize('NFC')
  const titleType = parseTitleType(typeName)
  const isEpisode = titleType === 'episode'
  const type = isEpisode ? 'tv' : titleType
  if (!imdbId)
    return { line, skip: /^(?:nm|co|ch|li)\d+$/.test(getCell('const')) ? 'not_a_title' : 'bad_row', title }
  // Games, podcasts and music videos are not in the catalogue.
  if (!type && typeName) return { line, skip: 'not_a_title', title }
  const rating = Number(readRatingText(cells))
  if (kind === 'rated' && !(rating >= 1 && rating <= 10)) return { line, skip: 'bad_row', title }
  const occurredAt = parseDate(getCell(dateColumn ?? (kind === 'rated' ? 'date rated' : 'created')))
  if (occurredAt === null) return { line, skip: 'bad_date', title }
  const runtimeMinutes = Number(getCell('runtime (mins)'))
  return createHistoryRow({
    source: 'imdb',
    line,
    kind,
    type,
    ids: { imdb: imdbId },
    ...(isEpisode
      ? splitEpisodeTitle(title)
      : { title, originalTitle: originalTitle === title ? undefined : originalTitle }),
    year: Number(getCell('year')) || undefined,
    at: occurredAt,
    rating: kind === 'rated' ? rating : undefined,
    runtime: runtimeMinutes > 0 ? runtimeMinutes : undefined,
    list: listName,
  })
}

/**
 * Splits `Show: Episode`. An episode without a name is called `Episode #1.6` (season and episode number). A text that
 * cannot be split is returned as the title and as the episode title.
 */
function splitEpisodeTitle(
  fullTitle: string,
): Pick<HistoryRow, 'title' | 'episodeTitle' | 'season' | 'episode'> {
  const [, title = fullTitle, episodeTitle = fullTitle] = /^(.+?): (.+)$/.exec(fullTitle) ?? []
  const [, season, episode] = /^Episode #(\d+)\.(\d+)$/.exec(episodeTitle) ?? []
  return { title, episodeTitle, ...(season && { season: Number(season), episode: Number(episode) }) }
}
