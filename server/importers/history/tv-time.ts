/** TV Time exports: films, series, episodes and lists, as CSV or JSON, with TheTVDB ids and sometimes IMDb ids. */
import { type CsvRow, readCsvTable } from './csv.ts'
import { parseIsoDate } from './date-order.ts'
import {
  createHistoryRow,
  type ExternalIds,
  type HistoryFormat,
  type HistoryItem,
  type HistoryRow,
  hasColumns,
} from './history-row.ts'
import { asList, asNumber, asText, getValueAt, readJsonElements } from './json.ts'

export const tvTimeMoviesFormat: HistoryFormat = {
  id: 'tvtime-movies',
  source: 'tvtime',
  matches: (_path, head) =>
    hasColumns(head, 'uuid', 'imdb_id', 'title', 'is_watched') && hasColumns(head, 'year'),
  async *readRows(open) {
    for await (const cells of readCsvTable(open())) yield toMovieItem(cells)
  },
}

function toMovieItem({ line, get }: CsvRow): HistoryItem {
  const ids = readTvTimeIds(get('tvdb_id'), get('imdb_id'))
  const year = Number(get('year')) || undefined
  const isWatched = get('is_watched') === 'true'
  if (!get('title') && !ids.imdb && !ids.tvdb) return { line, skip: 'no_title' }
  return createHistoryRow({
    source: 'tvtime',
    line,
    kind: isWatched ? 'watched' : 'listed',
    type: 'movie',
    ids,
    title: get('title'),
    year,
    at: parseIsoDate(get(isWatched ? 'watched_at' : 'created_at')),
    plays: isWatched ? 1 + (Number(get('rewatch_count')) || 0) : undefined,
  })
}

export const tvTimeEpisodesFormat: HistoryFormat = {
  id: 'tvtime-episodes',
  source: 'tvtime',
  matches: (_path, head) => hasColumns(head, 'series_tvdb_id', 'season', 'episode', 'is_watched'),
  async *readRows(open) {
    for await (const { line, get } of readCsvTable(open())) {
      const [season, episode] = [Number(get('season') || Number.NaN), Number(get('episode') || Number.NaN)]
      if (get('is_watched') !== 'true') yield { line, skip: 'not_watched' }
      else if (Number.isNaN(season) || Number.isNaN(episode)) yield { line, skip: 'bad_row' }
      else {
        yield createHistoryRow({
          source: 'tvtime',
          line,
          kind: 'watched',
          type: 'tv',
          ids: readTvTimeIds(get('series_tvdb_id'), get('series_imdb_id')),
          title: get('title'),
          season: get('special') === 'true' ? 0 : season,
          episode,
          at: parseIsoDate(get('watched_at')),
          plays: 1 + (Number(get('rewatch_count')) || 0),
        })
      }
    }
  },
}

export const tvTimeSeriesFormat: HistoryFormat = {
  id: 'tvtime-series',
  source: 'tvtime',
  matches: (_path, head) => hasColumns(head, 'uuid', 'tvdb_id', 'title', 'status'),
  async *readRows(open) {
    for await (const { line, get } of readCsvTable(open())) {
      yield toSeriesRow(
        { line, ids: readTvTimeIds(get('tvdb_id'), get('imdb_id')), title: get('title') },
        get('status'),
        {
          at: parseIsoDate(get('created_at')),
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
  if (status === 'stopped') return createHistoryRow({ ...fields, kind: 'dropped' })
  return createHistoryRow({
    ...fields,
    kind: 'listed',
    state: status === 'not_started_yet' ? 'planned' : 'watching',
  })
}

export const tvTimeListsFormat: HistoryFormat = {
  id: 'tvtime-lists',
  source: 'tvtime',
  matches: (_path, head) => hasColumns(head, 'list_id', 'list_name', 'item_type'),
  async *readRows(open) {
    for await (const { line, get } of readCsvTable(open())) {
      const ids = readTvTimeIds(get('tvdb_id'), '')
      if (!get('name') && !ids.tvdb) yield { line, skip: 'no_title' }
      else {
        const type = get('item_type') === 'series' ? 'tv' : 'movie'
        yield createHistoryRow({
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

export const tvTimeJsonFormat: HistoryFormat = {
  id: 'tvtime-json',
  source: 'tvtime',
  matches: (_path, head) => /^\s*\[\s*\{\s*"id"\s*:\s*\{\s*"(?:tvdb|imdb)"/.test(head.text),
  async *readRows(open) {
    for await (const { value, line } of readJsonElements(open())) {
      const ids = readTvTimeIds(
        String(getValueAt(value, 'id', 'tvdb') ?? ''),
        asText(getValueAt(value, 'id', 'imdb')) ?? '',
      )
      const titleFields = { line, ids, title: asText(getValueAt(value, 'title')) ?? '' }
      if (!titleFields.title && !ids.tvdb && !ids.imdb) yield { line, skip: 'no_title' }
      else if (getValueAt(value, 'seasons')) yield* toSeriesItems(value, titleFields)
      else yield toFilmRow(value, titleFields)
    }
  },
}

type TitleFields = { line: number; ids: ExternalIds; title: string }

function toFilmRow(value: unknown, titleFields: TitleFields): HistoryRow {
  const isWatched = getValueAt(value, 'is_watched') === true
  const watchedOrAddedAt = parseIsoDate(
    asText(getValueAt(value, isWatched ? 'watched_at' : 'created_at')) ?? '',
  )
  const fields = {
    source: 'tvtime',
    type: 'movie',
    ...titleFields,
    year: asNumber(getValueAt(value, 'year')),
    at: watchedOrAddedAt,
  } as const
  return createHistoryRow({ ...fields, kind: isWatched ? 'watched' : 'listed' })
}

function* toSeriesItems(value: unknown, titleFields: TitleFields): Generator<HistoryItem> {
  yield toSeriesRow(titleFields, asText(getValueAt(value, 'status')) ?? '', {
    at: parseIsoDate(asText(getValueAt(value, 'created_at')) ?? ''),
  })
  for (const season of asList(getValueAt(value, 'seasons'))) {
    for (const episode of asList(getValueAt(season, 'episodes'))) {
      if (getValueAt(episode, 'is_watched') !== true) continue
      yield createHistoryRow({
        source: 'tvtime',
        kind: 'watched',
        type: 'tv',
        ...titleFields,
        season: asNumber(getValueAt(season, 'number')),
        episode: asNumber(getValueAt(episode, 'number')),
        at: parseIsoDate(asText(getValueAt(episode, 'watched_at')) ?? ''),
      })
    }
  }
}

/** Returns the ids of a row. Texts that are not a valid id are ignored. */
export function readTvTimeIds(tvdb: string, imdb: string): ExternalIds {
  const ids: ExternalIds = {}
  if (Number(tvdb) > 0) ids.tvdb = Number(tvdb)
  if (/^tt\d+$/.test(imdb)) ids.imdb = imdb
  return ids
}
