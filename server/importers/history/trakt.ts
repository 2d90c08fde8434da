/** Trakt: JSON in the shape of its API. Every item carries ids; each file says by its own fields what it is. */
import { asList, asNumber, asText, at, jsonElements } from './json.ts'
import { type Format, type HistoryRow, type Ids, type Item, type MediaType, type Opener, row } from './row.ts'

/** What somebody wrote, or thought of what others wrote, names titles too, and is no history. */
const SAID = /"(?:comment|liked_at|followed_at)"\s*:/

export const trakt: Format = {
  id: 'trakt',
  source: 'trakt',
  fits: (path, { text }) =>
    /^\s*\[/.test(text) &&
    !SAID.test(text) &&
    (/"trakt"\s*:/.test(text) || (/^\s*\[\s*\]/.test(text) && /trakt|watched|hidden/.test(path))),
  read,
}

async function* read(open: Opener, path: string): AsyncGenerator<Item> {
  for await (const { value, line } of jsonElements(open())) {
    const items = itemsOf(value, line, path)
    if (items.length === 0) yield { line, skip: at(value, 'person') ? 'not_a_title' : 'bad_row' }
    yield* items
  }
}

interface Base {
  source: 'trakt'
  line: number
  type: MediaType
  ids: Ids
  title: string
  year: number | undefined
}

function itemsOf(value: unknown, line: number, path: string): Item[] {
  const subject = at(value, 'movie') ?? at(value, 'show')
  const type: MediaType = at(value, 'movie') ? 'movie' : 'tv'
  const [title, ids] = [asText(at(subject, 'title')), idsOf(at(subject, 'ids'))]
  if (!title && Object.keys(ids).length === 0) return []
  const base: Base = {
    source: 'trakt',
    line,
    type,
    ids,
    title: title ?? '',
    year: asNumber(at(subject, 'year')),
  }
  return (
    ratedOf(value, base) ??
    listedOf(value, base, path) ??
    pausedOf(value, base) ??
    watchedOf(value, base) ??
    []
  )
}

function idsOf(value: unknown): Ids {
  const imdb = asText(at(value, 'imdb'))
  const number = (name: string) => asNumber(at(value, name)) || undefined
  const ids = { imdb, tmdb: number('tmdb'), tvdb: number('tvdb'), trakt: number('trakt') }
  return Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== undefined))
}

/** Season and episode of an element about one of them. */
function placeOf(value: unknown) {
  const episode = at(value, 'episode')
  const season = asNumber(at(episode, 'season')) ?? asNumber(at(value, 'season', 'number'))
  return { season, episode: asNumber(at(episode, 'number')), episodeTitle: asText(at(episode, 'title')) }
}

function ratedOf(value: unknown, base: Base): Item[] | null {
  const rating = asNumber(at(value, 'rating'))
  if (rating === undefined || !at(value, 'rated_at')) return null
  return [row({ ...base, kind: 'rated', ...placeOf(value), rating, at: instant(value, 'rated_at') })]
}

function listedOf(value: unknown, base: Base, path: string): Item[] | null {
  const fields = { ...base, ...placeOf(value) }
  if (at(value, 'hidden_at')) return [row({ ...fields, kind: 'dropped', at: instant(value, 'hidden_at') })]
  if (at(value, 'listed_at')) {
    const name = /([^/]+)\.json/.exec(path)?.[1] ?? ''
    const list = /watchlist/.test(name) ? undefined : name.replace(/^lists?-/, '')
    return [row({ ...fields, kind: 'listed', list, at: instant(value, 'listed_at') })]
  }
  const collected = instant(value, 'last_collected_at') ?? instant(value, 'collected_at')
  return collected ? [row({ ...fields, kind: 'listed', list: 'collection', at: collected })] : null
}

/** `playback`: where somebody stopped, as a share of the length. */
function pausedOf(value: unknown, base: Base): Item[] | null {
  const percent = asNumber(at(value, 'progress'))
  const when = instant(value, 'paused_at')
  if (percent === undefined || !when) return null
  if (percent < 0 || percent > 100) return []
  return [row({ ...base, kind: 'watched', ...placeOf(value), percent, at: when })]
}

/** `watched-*`: how often and when last; of a series, by episode where the file goes down to them. `history`: one play. */
function watchedOf(value: unknown, base: Base): Item[] | null {
  const once = instant(value, 'watched_at')
  if (once) return [row({ ...base, kind: 'watched', ...placeOf(value), at: once, plays: 1 })]
  const plays = asNumber(at(value, 'plays'))
  if (plays === undefined) return null
  const episodes: HistoryRow[] = asList(at(value, 'seasons')).flatMap((season) =>
    asList(at(season, 'episodes')).map((episode) =>
      row({
        ...base,
        kind: 'watched',
        season: asNumber(at(season, 'number')),
        episode: asNumber(at(episode, 'number')),
        plays: asNumber(at(episode, 'plays')) ?? 1,
        at: instant(episode, 'last_watched_at'),
      }),
    ),
  )
  if (episodes.length > 0) return episodes
  return [row({ ...base, kind: 'watched', plays, at: instant(value, 'last_watched_at') })]
}

function instant(value: unknown, name: string): string | undefined {
  const text = asText(at(value, name))
  const time = text ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().replace('.000Z', 'Z')
}
