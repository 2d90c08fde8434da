/** TV Time: tables or JSON of films, series, their episodes, and lists. Ids are TheTVDB's, sometimes IMDb's. */
import { type Cells, csvTable } from './csv.ts'
import { isoDate } from './date-order.ts'
import { asList, asNumber, asText, at, jsonElements } from './json.ts'
import { type Format, type HistoryRow, hasColumns, type Ids, type Item, row } from './row.ts'

export const tvTimeMovies: Format = {
  id: 'tvtime-movies',
  source: 'tvtime',
  fits: (_path, head) =>
    hasColumns(head, 'uuid', 'imdb_id', 'title', 'is_watched') && hasColumns(head, 'year'),
  async *read(open) {
    for await (const one of csvTable(open())) yield movie(one)
  },
}

function movie({ line, get }: Cells): Item {
  const ids = idsOf(get('tvdb_id'), get('imdb_id'))
  const year = Number(get('year')) || undefined
  const seen = get('is_watched') === 'true'
  if (!get('title') && !ids.imdb && !ids.tvdb) return { line, skip: 'no_title' }
  return row({
    source: 'tvtime',
    line,
    kind: seen ? 'watched' : 'listed',
    type: 'movie',
    ids,
    title: get('title'),
    year,
    at: isoDate(get(seen ? 'watched_at' : 'created_at')),
    plays: seen ? 1 + (Number(get('rewatch_count')) || 0) : undefined,
  })
}

export const tvTimeEpisodes: Format = {
  id: 'tvtime-episodes',
  source: 'tvtime',
  fits: (_path, head) => hasColumns(head, 'series_tvdb_id', 'season', 'episode', 'is_watched'),
  async *read(open) {
    for await (const { line, get } of csvTable(open())) {
      const [season, episode] = [Number(get('season') || Number.NaN), Number(get('episode') || Number.NaN)]
      if (get('is_watched') !== 'true') yield { line, skip: 'not_watched' }
      else if (Number.isNaN(season) || Number.isNaN(episode)) yield { line, skip: 'bad_row' }
      else {
        yield row({
          source: 'tvtime',
          line,
          kind: 'watched',
          type: 'tv',
          ids: idsOf(get('series_tvdb_id'), get('series_imdb_id')),
          title: get('title'),
          season: get('special') === 'true' ? 0 : season,
          episode,
          at: isoDate(get('watched_at')),
          plays: 1 + (Number(get('rewatch_count')) || 0),
        })
      }
    }
  },
}

export const tvTimeSeries: Format = {
  id: 'tvtime-series',
  source: 'tvtime',
  fits: (_path, head) => hasColumns(head, 'uuid', 'tvdb_id', 'title', 'status'),
  async *read(open) {
    for await (const { line, get } of csvTable(open())) {
      yield followed(
        { line, ids: idsOf(get('tvdb_id'), get('imdb_id')), title: get('title') },
        get('status'),
        {
          at: isoDate(get('created_at')),
        },
      )
    }
  },
}

function followed(
  base: { line: number; ids: Ids; title: string },
  status: string,
  more: { at?: string | undefined },
): HistoryRow {
  const fields = { source: 'tvtime', type: 'tv', ...base, ...more } as const
  if (status === 'stopped') return row({ ...fields, kind: 'dropped' })
  return row({ ...fields, kind: 'listed', state: status === 'not_started_yet' ? 'planned' : 'watching' })
}

export const tvTimeLists: Format = {
  id: 'tvtime-lists',
  source: 'tvtime',
  fits: (_path, head) => hasColumns(head, 'list_id', 'list_name', 'item_type'),
  async *read(open) {
    for await (const { line, get } of csvTable(open())) {
      const ids = idsOf(get('tvdb_id'), '')
      if (!get('name') && !ids.tvdb) yield { line, skip: 'no_title' }
      else {
        const type = get('item_type') === 'series' ? 'tv' : 'movie'
        yield row({
          source: 'tvtime',
          line,
          kind: 'listed',
          type,
          ids,
          title: get('name'),
          list: get('list_name'),
        })
      }
    }
  },
}

export const tvTimeJson: Format = {
  id: 'tvtime-json',
  source: 'tvtime',
  fits: (_path, head) => /^\s*\[\s*\{\s*"id"\s*:\s*\{\s*"(?:tvdb|imdb)"/.test(head.text),
  async *read(open) {
    for await (const { value, line } of jsonElements(open())) {
      const ids = idsOf(String(at(value, 'id', 'tvdb') ?? ''), asText(at(value, 'id', 'imdb')) ?? '')
      const base = { line, ids, title: asText(at(value, 'title')) ?? '' }
      if (!base.title && !ids.tvdb && !ids.imdb) yield { line, skip: 'no_title' }
      else if (at(value, 'seasons')) yield* series(value, base)
      else yield film(value, base)
    }
  },
}

type Base = { line: number; ids: Ids; title: string }

function film(value: unknown, base: Base): HistoryRow {
  const seen = at(value, 'is_watched') === true
  const when = isoDate(asText(at(value, seen ? 'watched_at' : 'created_at')) ?? '')
  const fields = {
    source: 'tvtime',
    type: 'movie',
    ...base,
    year: asNumber(at(value, 'year')),
    at: when,
  } as const
  return row({ ...fields, kind: seen ? 'watched' : 'listed' })
}

function* series(value: unknown, base: Base): Generator<Item> {
  yield followed(base, asText(at(value, 'status')) ?? '', {
    at: isoDate(asText(at(value, 'created_at')) ?? ''),
  })
  for (const season of asList(at(value, 'seasons'))) {
    for (const episode of asList(at(season, 'episodes'))) {
      if (at(episode, 'is_watched') !== true) continue
      yield row({
        source: 'tvtime',
        kind: 'watched',
        type: 'tv',
        ...base,
        season: asNumber(at(season, 'number')),
        episode: asNumber(at(episode, 'number')),
        at: isoDate(asText(at(episode, 'watched_at')) ?? ''),
      })
    }
  }
}

export function idsOf(tvdb: string, imdb: string): Ids {
  const ids: Ids = {}
  if (Number(tvdb) > 0) ids.tvdb = Number(tvdb)
  if (/^tt\d+$/.test(imdb)) ids.imdb = imdb
  return ids
}
