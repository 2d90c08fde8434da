/** Trakt exports: JSON as in the Trakt API. Every item has ids; the fields of the items identify the kind of file. */

import { formatHistoryTime } from './date-order.ts'
import {
  createHistoryRow,
  type ExternalIds,
  type FileOpener,
  type HistoryFormat,
  type HistoryItem,
  type HistoryReadOptions,
  type HistoryRow,
  type HistoryTitleType,
} from './history-row.ts'
import { getValueAt, readJsonElements, readList, readNumber, readText } from './json.ts'
import { isUnixEpochDate } from './machine-date.ts'
import { isWatchlistName } from './watchlist-file.ts'

/**
 * Fields of files with comments, likes of comments, followed users or descriptions of lists. Such files mention titles
 * but contain no history.
 */
const SOCIAL_FIELDS_PATTERN = /"(?:comment|liked_at|followed_at|item_count)"\s*:/
/** Matches the name of the file of favourites. An export names this file like a list: `lists-favorites`. */
const FAVOURITES_NAME_PATTERN = /^(?:lists?-)?favou?rites(?:-(?:movies|shows))?(?:[-_ ]?\(?\d{1,2}\)?)?$/i
/**
 * Matches the start of the name of a list file, with the id of the list if there is one: `lists-list-29-watchlist-done`
 * is the list "watchlist-done".
 */
const LIST_PREFIX_PATTERN = /^(?:lists?-list-\d+-|lists?-)(?=.)/i

export const traktFormat: HistoryFormat = {
  id: 'trakt',
  source: 'trakt',
  matches: (path, { text }) =>
    /^\s*\[/.test(text) &&
    !SOCIAL_FIELDS_PATTERN.test(text) &&
    (/"trakt"\s*:/.test(text) || (/^\s*\[\s*\]/.test(text) && /trakt|watched|hidden/.test(path))),
  readRows: readTraktRows,
}

async function* readTraktRows(
  openFile: FileOpener,
  _path: string,
  { baseName }: HistoryReadOptions,
): AsyncGenerator<HistoryItem> {
  for await (const { value: traktEntry, line } of readJsonElements(openFile())) {
    const items = toHistoryItems(traktEntry, line, baseName)
    if (items.length === 0) yield { line, skip: getValueAt(traktEntry, 'person') ? 'not_a_title' : 'bad_row' }
    yield* items
  }
}

interface CommonTraktFields {
  source: 'trakt'
  line: number
  type: HistoryTitleType
  ids: ExternalIds
  title: string
  year: number | undefined
}

function toHistoryItems(traktEntry: unknown, line: number, baseName: string): HistoryItem[] {
  const movieOrShow = getValueAt(traktEntry, 'movie') ?? getValueAt(traktEntry, 'show')
  const type: HistoryTitleType = getValueAt(traktEntry, 'movie') ? 'movie' : 'tv'
  const [title, ids] = [readText(getValueAt(movieOrShow, 'title')), readIds(getValueAt(movieOrShow, 'ids'))]
  if (!title && Object.keys(ids).length === 0) return []
  const commonFields: CommonTraktFields = {
    source: 'trakt',
    line,
    type,
    ids,
    title: title ?? '',
    year: readNumber(getValueAt(movieOrShow, 'year')),
  }
  return (
    toRatedItems(traktEntry, commonFields) ??
    toListedItems(traktEntry, commonFields, baseName) ??
    toPausedItems(traktEntry, commonFields) ??
    toWatchedItems(traktEntry, commonFields) ??
    []
  )
}

function readIds(traktIds: unknown): ExternalIds {
  const imdbId = readText(getValueAt(traktIds, 'imdb'))
  const readId = (idName: string) => {
    const id = getValueAt(traktIds, idName)
    return (typeof id === 'string' && /^\d{1,10}$/.test(id) ? Number(id) : readNumber(id)) || undefined
  }
  const ids = { imdb: imdbId, tmdb: readId('tmdb'), tvdb: readId('tvdb'), trakt: readId('trakt') }
  return Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== undefined))
}

/**
 * Returns the season, episode and episode title of an element; a field is undefined if the element does not have it.
 */
function readEpisode(traktEntry: unknown) {
  const episode = getValueAt(traktEntry, 'episode')
  const season =
    readNumber(getValueAt(episode, 'season')) ?? readNumber(getValueAt(traktEntry, 'season', 'number'))
  return {
    season,
    episode: readNumber(getValueAt(episode, 'number')),
    episodeTitle: readText(getValueAt(episode, 'title')),
  }
}

function toRatedItems(traktEntry: unknown, commonFields: CommonTraktFields): HistoryItem[] | null {
  const rating = readNumber(getValueAt(traktEntry, 'rating'))
  if (rating === undefined || !getValueAt(traktEntry, 'rated_at')) return null
  return [
    createHistoryRow({
      ...commonFields,
      kind: 'rated',
      ...readEpisode(traktEntry),
      rating,
      at: readTimestamp(traktEntry, 'rated_at'),
    }),
  ]
}

function toListedItems(
  traktEntry: unknown,
  commonFields: CommonTraktFields,
  baseName: string,
): HistoryItem[] | null {
  const episodeFields = { ...commonFields, ...readEpisode(traktEntry) }
  if (getValueAt(traktEntry, 'hidden_at'))
    return [
      createHistoryRow({ ...episodeFields, kind: 'dropped', at: readTimestamp(traktEntry, 'hidden_at') }),
    ]
  if (getValueAt(traktEntry, 'listed_at')) {
    const isFavourite = FAVOURITES_NAME_PATTERN.test(baseName)
    const isNamedList = !isFavourite && !isWatchlistName(baseName)
    return [
      createHistoryRow({
        ...episodeFields,
        kind: isFavourite ? 'liked' : 'listed',
        list: isNamedList ? baseName.replace(LIST_PREFIX_PATTERN, '') : undefined,
        at: readTimestamp(traktEntry, 'listed_at'),
      }),
    ]
  }
  const dateField = ['last_collected_at', 'collected_at'].find((fieldName) =>
    getValueAt(traktEntry, fieldName),
  )
  return dateField
    ? [
        createHistoryRow({
          ...episodeFields,
          kind: 'listed',
          owned: true,
          at: readTimestamp(traktEntry, dateField),
        }),
      ]
    : null
}

/** Converts elements of `playback` files, which contain the position where playback was paused, in percent. */
function toPausedItems(traktEntry: unknown, commonFields: CommonTraktFields): HistoryItem[] | null {
  const watchedPercent = readNumber(getValueAt(traktEntry, 'progress'))
  if (watchedPercent === undefined || !getValueAt(traktEntry, 'paused_at')) return null
  if (watchedPercent < 0 || watchedPercent > 100) return []
  return [
    createHistoryRow({
      ...commonFields,
      kind: 'watched',
      ...readEpisode(traktEntry),
      percent: watchedPercent,
      at: readTimestamp(traktEntry, 'paused_at'),
    }),
  ]
}

/**
 * Converts elements of two kinds of files. An element of `watched-*` has the number of viewings and the time of the
 * last viewing, for each episode if the file has episodes. An element of `history` is a single viewing.
 */
function toWatchedItems(traktEntry: unknown, commonFields: CommonTraktFields): HistoryItem[] | null {
  // `watched_at` is null if the date of the viewing is unknown.
  if (getValueAt(traktEntry, 'watched_at') !== undefined)
    return [
      createHistoryRow({
        ...commonFields,
        kind: 'watched',
        ...readEpisode(traktEntry),
        at: readTimestamp(traktEntry, 'watched_at'),
        plays: 1,
      }),
    ]
  const playCount = readNumber(getValueAt(traktEntry, 'plays'))
  if (playCount === undefined) return null
  const episodes: HistoryRow[] = readList(getValueAt(traktEntry, 'seasons')).flatMap((season) =>
    readList(getValueAt(season, 'episodes')).map((episode) =>
      createHistoryRow({
        ...commonFields,
        kind: 'watched',
        season: readNumber(getValueAt(season, 'number')),
        episode: readNumber(getValueAt(episode, 'number')),
        plays: readNumber(getValueAt(episode, 'plays')) ?? 1,
        at: readTimestamp(episode, 'last_watched_at'),
      }),
    ),
  )
  if (episodes.length > 0) return episodes
  return [
    createHistoryRow({
      ...commonFields,
      kind: 'watched',
      plays: playCount,
      at: readTimestamp(traktEntry, 'last_watched_at'),
    }),
  ]
}

function readTimestamp(traktEntry: unknown, fieldName: string): string | undefined {
  const timestamp = readText(getValueAt(traktEntry, fieldName))
  const time = formatHistoryTime(timestamp ? Date.parse(timestamp) : Number.NaN)
  // Trakt stores an unknown date as the start of Unix time.
  return time && !isUnixEpochDate(time) ? time : undefined
}
