/** Trakt exports: JSON as in the Trakt API. Every item has ids; the fields of the items identify the kind of file. */

import { formatHistoryTime } from './date-order.ts'
import {
  createHistoryRow,
  type ExternalIds,
  type FileOpener,
  type HistoryFormat,
  type HistoryItem,
  type HistoryRow,
  type HistoryTitleType,
} from './history-row.ts'
import { asList, asNumber, asText, getValueAt, readJsonElements } from './json.ts'

/** Fields of comments, likes of comments and followed users. Such files mention titles but contain no history. */
const SOCIAL_FIELDS = /"(?:comment|liked_at|followed_at)"\s*:/

export const traktFormat: HistoryFormat = {
  id: 'trakt',
  source: 'trakt',
  matches: (path, { text }) =>
    /^\s*\[/.test(text) &&
    !SOCIAL_FIELDS.test(text) &&
    (/"trakt"\s*:/.test(text) || (/^\s*\[\s*\]/.test(text) && /trakt|watched|hidden/.test(path))),
  readRows: readTrakt,
}

async function* readTrakt(open: FileOpener, path: string): AsyncGenerator<HistoryItem> {
  for await (const { value, line } of readJsonElements(open())) {
    const items = toItems(value, line, path)
    if (items.length === 0) yield { line, skip: getValueAt(value, 'person') ? 'not_a_title' : 'bad_row' }
    yield* items
  }
}

interface CommonFields {
  source: 'trakt'
  line: number
  type: HistoryTitleType
  ids: ExternalIds
  title: string
  year: number | undefined
}

function toItems(value: unknown, line: number, path: string): HistoryItem[] {
  const subject = getValueAt(value, 'movie') ?? getValueAt(value, 'show')
  const type: HistoryTitleType = getValueAt(value, 'movie') ? 'movie' : 'tv'
  const [title, ids] = [asText(getValueAt(subject, 'title')), readIds(getValueAt(subject, 'ids'))]
  if (!title && Object.keys(ids).length === 0) return []
  const commonFields: CommonFields = {
    source: 'trakt',
    line,
    type,
    ids,
    title: title ?? '',
    year: asNumber(getValueAt(subject, 'year')),
  }
  return (
    toRatedItems(value, commonFields) ??
    toListedItems(value, commonFields, path) ??
    toPausedItems(value, commonFields) ??
    toWatchedItems(value, commonFields) ??
    []
  )
}

function readIds(value: unknown): ExternalIds {
  const imdb = asText(getValueAt(value, 'imdb'))
  const readId = (name: string) => asNumber(getValueAt(value, name)) || undefined
  const ids = { imdb, tmdb: readId('tmdb'), tvdb: readId('tvdb'), trakt: readId('trakt') }
  return Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== undefined))
}

/** Returns the season, episode and episode title of an element; a field is undefined if the element does not have it. */
function readEpisode(value: unknown) {
  const episode = getValueAt(value, 'episode')
  const season = asNumber(getValueAt(episode, 'season')) ?? asNumber(getValueAt(value, 'season', 'number'))
  return {
    season,
    episode: asNumber(getValueAt(episode, 'number')),
    episodeTitle: asText(getValueAt(episode, 'title')),
  }
}

function toRatedItems(value: unknown, commonFields: CommonFields): HistoryItem[] | null {
  const rating = asNumber(getValueAt(value, 'rating'))
  if (rating === undefined || !getValueAt(value, 'rated_at')) return null
  return [
    createHistoryRow({
      ...commonFields,
      kind: 'rated',
      ...readEpisode(value),
      rating,
      at: readTimestamp(value, 'rated_at'),
    }),
  ]
}

function toListedItems(value: unknown, commonFields: CommonFields, path: string): HistoryItem[] | null {
  const fields = { ...commonFields, ...readEpisode(value) }
  if (getValueAt(value, 'hidden_at'))
    return [createHistoryRow({ ...fields, kind: 'dropped', at: readTimestamp(value, 'hidden_at') })]
  if (getValueAt(value, 'listed_at')) {
    const fileName = /([^/]+)\.json/.exec(path)?.[1] ?? ''
    const list = /watchlist/.test(fileName) ? undefined : fileName.replace(/^lists?-/, '')
    return [createHistoryRow({ ...fields, kind: 'listed', list, at: readTimestamp(value, 'listed_at') })]
  }
  const collectedAt = readTimestamp(value, 'last_collected_at') ?? readTimestamp(value, 'collected_at')
  return collectedAt
    ? [createHistoryRow({ ...fields, kind: 'listed', list: 'collection', at: collectedAt })]
    : null
}

/** Converts elements of `playback` files, which contain the position where playback was paused, in percent. */
function toPausedItems(value: unknown, commonFields: CommonFields): HistoryItem[] | null {
  const percent = asNumber(getValueAt(value, 'progress'))
  const pausedAt = readTimestamp(value, 'paused_at')
  if (percent === undefined || !pausedAt) return null
  if (percent < 0 || percent > 100) return []
  return [
    createHistoryRow({ ...commonFields, kind: 'watched', ...readEpisode(value), percent, at: pausedAt }),
  ]
}

/**
 * Converts elements of two kinds of files. `watched-*` has the number of viewings and the time of the last one, per
 * episode if the file has episodes. `history` has a single viewing per element.
 */
function toWatchedItems(value: unknown, commonFields: CommonFields): HistoryItem[] | null {
  const watchedAt = readTimestamp(value, 'watched_at')
  if (watchedAt)
    return [
      createHistoryRow({ ...commonFields, kind: 'watched', ...readEpisode(value), at: watchedAt, plays: 1 }),
    ]
  const plays = asNumber(getValueAt(value, 'plays'))
  if (plays === undefined) return null
  const episodes: HistoryRow[] = asList(getValueAt(value, 'seasons')).flatMap((season) =>
    asList(getValueAt(season, 'episodes')).map((episode) =>
      createHistoryRow({
        ...commonFields,
        kind: 'watched',
        season: asNumber(getValueAt(season, 'number')),
        episode: asNumber(getValueAt(episode, 'number')),
        plays: asNumber(getValueAt(episode, 'plays')) ?? 1,
        at: readTimestamp(episode, 'last_watched_at'),
      }),
    ),
  )
  if (episodes.length > 0) return episodes
  return [
    createHistoryRow({
      ...commonFields,
      kind: 'watched',
      plays,
      at: readTimestamp(value, 'last_watched_at'),
    }),
  ]
}

function readTimestamp(value: unknown, name: string): string | undefined {
  const text = asText(getValueAt(value, name))
  const timeMs = text ? Date.parse(text) : Number.NaN
  return formatHistoryTime(timeMs)
}
