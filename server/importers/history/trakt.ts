/** Trakt exports: JSON as in the Trakt API. Every item has ids; the fields of the items identify the kind of file. */
import { asList, asNumber, asText, at, jsonElements } from './json.ts'
import { type Format, type HistoryRow, type Ids, type Item, type MediaType, type Opener, row } from './row.ts'

/** Fields of comments, likes of comments and followed users. Such files mention titles but contain no history. */
const SOCIAL_FIELDS = /"(?:comment|liked_at|followed_at)"\s*:/

export const trakt: Format = {
  id: 'trakt',
  source: 'trakt',
  fits: (path, { text }) =>
    /^\s*\[/.test(text) &&
    !SOCIAL_FIELDS.test(text) &&
    (/"trakt"\s*:/.test(text) || (/^\s*\[\s*\]/.test(text) && /trakt|watched|hidden/.test(path))),
  read: readTrakt,
}

async function* readTrakt(open: Opener, path: string): AsyncGenerator<Item> {
  for await (const { value, line } of jsonElements(open())) {
    const items = toItems(value, line, path)
    if (items.length === 0) yield { line, skip: at(value, 'person') ? 'not_a_title' : 'bad_row' }
    yield* items
  }
}

interface CommonFields {
  source: 'trakt'
  line: number
  type: MediaType
  ids: Ids
  title: string
  year: number | undefined
}

function toItems(value: unknown, line: number, path: string): Item[] {
  const subject = at(value, 'movie') ?? at(value, 'show')
  const type: MediaType = at(value, 'movie') ? 'movie' : 'tv'
  const [title, ids] = [asText(at(subject, 'title')), readIds(at(subject, 'ids'))]
  if (!title && Object.keys(ids).length === 0) return []
  const commonFields: CommonFields = {
    source: 'trakt',
    line,
    type,
    ids,
    title: title ?? '',
    year: asNumber(at(subject, 'year')),
  }
  return (
    toRatedItems(value, commonFields) ??
    toListedItems(value, commonFields, path) ??
    toPausedItems(value, commonFields) ??
    toWatchedItems(value, commonFields) ??
    []
  )
}

function readIds(value: unknown): Ids {
  const imdb = asText(at(value, 'imdb'))
  const readId = (name: string) => asNumber(at(value, name)) || undefined
  const ids = { imdb, tmdb: readId('tmdb'), tvdb: readId('tvdb'), trakt: readId('trakt') }
  return Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== undefined))
}

/** Season, episode and episode title of an element that has them. */
function readEpisode(value: unknown) {
  const episode = at(value, 'episode')
  const season = asNumber(at(episode, 'season')) ?? asNumber(at(value, 'season', 'number'))
  return { season, episode: asNumber(at(episode, 'number')), episodeTitle: asText(at(episode, 'title')) }
}

function toRatedItems(value: unknown, commonFields: CommonFields): Item[] | null {
  const rating = asNumber(at(value, 'rating'))
  if (rating === undefined || !at(value, 'rated_at')) return null
  return [
    row({
      ...commonFields,
      kind: 'rated',
      ...readEpisode(value),
      rating,
      at: readTimestamp(value, 'rated_at'),
    }),
  ]
}

function toListedItems(value: unknown, commonFields: CommonFields, path: string): Item[] | null {
  const fields = { ...commonFields, ...readEpisode(value) }
  if (at(value, 'hidden_at'))
    return [row({ ...fields, kind: 'dropped', at: readTimestamp(value, 'hidden_at') })]
  if (at(value, 'listed_at')) {
    const fileName = /([^/]+)\.json/.exec(path)?.[1] ?? ''
    const list = /watchlist/.test(fileName) ? undefined : fileName.replace(/^lists?-/, '')
    return [row({ ...fields, kind: 'listed', list, at: readTimestamp(value, 'listed_at') })]
  }
  const collectedAt = readTimestamp(value, 'last_collected_at') ?? readTimestamp(value, 'collected_at')
  return collectedAt ? [row({ ...fields, kind: 'listed', list: 'collection', at: collectedAt })] : null
}

/** `playback`: the position where playback was paused, in percent. */
function toPausedItems(value: unknown, commonFields: CommonFields): Item[] | null {
  const percent = asNumber(at(value, 'progress'))
  const pausedAt = readTimestamp(value, 'paused_at')
  if (percent === undefined || !pausedAt) return null
  if (percent < 0 || percent > 100) return []
  return [row({ ...commonFields, kind: 'watched', ...readEpisode(value), percent, at: pausedAt })]
}

/**
 * `watched-*`: the number of viewings and the time of the last one, per episode if the file has episodes. `history`: a single
 * viewing per element.
 */
function toWatchedItems(value: unknown, commonFields: CommonFields): Item[] | null {
  const watchedAt = readTimestamp(value, 'watched_at')
  if (watchedAt)
    return [row({ ...commonFields, kind: 'watched', ...readEpisode(value), at: watchedAt, plays: 1 })]
  const plays = asNumber(at(value, 'plays'))
  if (plays === undefined) return null
  const episodes: HistoryRow[] = asList(at(value, 'seasons')).flatMap((season) =>
    asList(at(season, 'episodes')).map((episode) =>
      row({
        ...commonFields,
        kind: 'watched',
        season: asNumber(at(season, 'number')),
        episode: asNumber(at(episode, 'number')),
        plays: asNumber(at(episode, 'plays')) ?? 1,
        at: readTimestamp(episode, 'last_watched_at'),
      }),
    ),
  )
  if (episodes.length > 0) return episodes
  return [row({ ...commonFields, kind: 'watched', plays, at: readTimestamp(value, 'last_watched_at') })]
}

function readTimestamp(value: unknown, name: string): string | undefined {
  const text = asText(at(value, name))
  const timeMs = text ? Date.parse(text) : Number.NaN
  return Number.isNaN(timeMs) ? undefined : new Date(timeMs).toISOString().replace('.000Z', 'Z')
}
