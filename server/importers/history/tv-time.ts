/** TV Time exports: films, series, episodes and lists, as CSV or JSON, with TheTVDB ids and sometimes IMDb ids. */
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
    for await (const cells of csvTable(open())) yield toMovieItem(cells)
  },
}

function toMovieItem({ line, get }: Cells): Item {
  const ids = idsOf(get('tvdb_id'), get('imdb_id'))
  const year = Number(get('year')) || undefined
  const isWatched = get('is_watched') === 'true'
  if (!get('title') && !ids.imdb && !ids.tvdb) return { line, skip: 'no_title' }
  return row({
    source: 'tvtime',
    line,
    kind: isWatched ? 'watched' : 'listed',
    type: 'movie',
    ids,
    title: get('title'),
    year,
    at: isoDate(get(isWatched ? 'watched_at' : 'created_at')),
    plays: isWatched ? 1 + (Number(get('rewatch_count')) || 0) : undefined,
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
      yield toSeriesRow(
        { line, ids: idsOf(get('tvdb_id'), get('imdb_id')), title: get('title') },
        get('status'),
        {
          at: isoDate(get('created_at')),
        },
      )
    }
  },
}

function toSeriesRow(
  titleFields: TitleFields,
  status: string,
  { at }: { at?: string | undefined },
): HistoryRow {
  const fields = { source: 'tvtime', type: 'tv', ...titleFields, at } as const
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
      const titleFields = { line, ids, title: asText(at(value, 'title')) ?? '' }
      if (!titleFields.title && !ids.tvdb && !ids.imdb) yield { line, skip: 'no_title' }
      else if (at(value, 'seasons')) yield* toSeriesItems(value, titleFields)
      else yield toFilmRow(value, titleFields)
    }
  },
}

type TitleFields = { line: number; ids: Ids; title: string }

function toFilmRow(value: unknown, titleFields: TitleFields): HistoryRow {
  const isWatched = at(value, 'is_watched') === true
  const watchedOrAddedAt = isoDate(asText(at(value, isWatched ? 'watched_at' : 'created_at')) ?? '')
  const fields = {
    source: 'tvtime',
    type: 'movie',
    ...titleFields,
    year: asNumber(at(value, 'year')),
    at: watchedOrAddedAt,
  } as const
  return row({ ...fields, kind: isWatched ? 'watched' : 'listed' })
}

function* toSeriesItems(value: unknown, titleFields: TitleFields): Generator<Item> {
  yield toSeriesRow(titleFields, asText(at(value, 'status')) ?? '', {
    at: isoDate(asText(at(value, 'created_at')) ?? ''),
  })
  for (const season of asList(at(value, 'seasons'))) {
    for (const episode of asList(at(season, 'episodes'))) {
      if (at(episode, 'is_watched') !== true) continue
      yield row({
        source: 'tvtime',
        kind: 'watched',
        type: 'tv',
        ...titleFields,
        season: asNumber(at(season, 'number')),
        episode: asNumber(at(episode, 'number')),
        at: isoDate(asText(at(episode, 'watched_at')) ?? ''),
      })
    }
  }
}

/** Ids of a row; texts that are no valid id are ignored. */
export function idsOf(tvdb: string, imdb: string): Ids {
  const ids: Ids = {}
  if (Number(tvdb) > 0) ids.tvdb = Number(tvdb)
  if (/^tt\d+$/.test(imdb)) ids.imdb = imdb
  return ids
}
