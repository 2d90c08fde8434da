/** TV Time exports: films, series, episodes and lists, as CSV or JSON, with TheTVDB ids and sometimes IMDb ids. */
import { createDateParser, type DateParser } from './column-dates.ts'
import { type CsvRow, parseBoolean, readCsvTable } from './csv.ts'
import { parseIsoDate } from './date-order.ts'
import {
  createHistoryRow,
  type ExternalIds,
  type HistoryFormat,
  type HistoryItem,
  type HistoryRow,
  hasColumns,
} from './history-row.ts'
import { getValueAt, readJsonElements, readList, readNumber, readText } from './json.ts'

export const tvTimeMoviesFormat: HistoryFormat = {
  id: 'tvtime-movies',
  source: 'tvtime',
  matches: (_path, head) =>
    hasColumns(head, 'uuid', 'imdb_id', 'title', 'is_watched') && hasColumns(head, 'year'),
  async *readRows(openFile, _path, { nowMs }) {
    const parseDate = await createDateParser(openFile, ['watched_at', 'created_at'], nowMs)
    for await (const cells of readCsvTable(openFile())) yield toMovieItem(cells, parseDate)
  },
}

function toMovieItem({ line, getCell }: CsvRow, parseDate: DateParser): HistoryItem {
  const ids = readTvTimeIds(getCell('tvdb_id'), getCell('imdb_id'))
  const year = Number(getCell('year')) || undefined
  const isWatched = parseBoolean(getCell('is_watched'))
  if (!getCell('title') && !ids.imdb && !ids.tvdb) return { line, skip: 'no_title' }
  if (isWatched === null) return { line, skip: 'bad_row', title: getCell('title') }
  const watchedOrAddedAt = parseDate(getCell(isWatched ? 'watched_at' : 'created_at'))
  if (watchedOrAddedAt === null) return { line, skip: 'bad_date', title: getCell('title') }
  return createHistoryRow({
    source: 'tvtime',
    line,
    kind: isWatched ? 'watched' : 'listed',
    type: 'movie',
    ids,
    title: getCell('title'),
    year,
    at: watchedOrAddedAt,
    plays: isWatched ? 1 + (Number(getCell('rewatch_count')) || 0) : undefined,
  })
}

export const tvTimeEpisodesFormat: HistoryFormat = {
  id: 'tvtime-episodes',
  source: 'tvtime',
  matches: (_path, head) => hasColumns(head, 'series_tvdb_id', 'season', 'episode', 'is_watched'),
  async *readRows(openFile, _path, { nowMs }) {
    const parseDate = await createDateParser(openFile, ['watched_at'], nowMs)
    for await (const { line, getCell } of readCsvTable(openFile())) {
      const [season, episode] = [
        Number(getCell('season') || Number.NaN),
        Number(getCell('episode') || Number.NaN),
      ]
      const [isWatched, isSpecial] = [parseBoolean(getCell('is_watched')), parseBoolean(getCell('special'))]
      const watchedAt = parseDate(getCell('watched_at'))
      if (isWatched === false) yield { line, skip: 'not_watched', title: getCell('title') }
      else if (isWatched === null || isSpecial === null || Number.isNaN(season) || Number.isNaN(episode))
        yield { line, skip: 'bad_row', title: getCell('title') }
      else if (watchedAt === null) yield { line, skip: 'bad_date', title: getCell('title') }
      else {
        yield createHistoryRow({
          source: 'tvtime',
          line,
          kind: 'watched',
          type: 'tv',
          ids: readTvTimeIds(getCell('series_tvdb_id'), getCell('series_imdb_id')),
          title: getCell('title'),
          season: isSpecial ? 0 : season,
          episode,
          at: watchedAt,
          plays: 1 + (Number(getCell('rewatch_count')) || 0),
        })
      }
    }
  },
}

export const tvTimeSeriesFormat: HistoryFormat = {
  id: 'tvtime-series',
  source: 'tvtime',
  matches: (_path, head) => hasColumns(head, 'uuid', 'tvdb_id', 'title', 'status'),
  async *readRows(openFile, _path, { nowMs }) {
    const parseDate = await createDateParser(openFile, ['created_at'], nowMs)
    for await (const { line, getCell } of readCsvTable(openFile())) {
      const ids = readTvTimeIds(getCell('tvdb_id'), getCell('imdb_id'))
      const addedAt = parseDate(getCell('created_at'))
      if (addedAt === null) yield { line, skip: 'bad_date', title: getCell('title') }
      else yield toSeriesRow({ line, ids, title: getCell('title') }, getCell('status'), { addedAt })
    }
  },
}

function toSeriesRow(
  titleFields: TvTimeTitleFields,
  status: string,
  { addedAt }: { addedAt: string | undefined },
): HistoryRow {
  const seriesFields = { source: 'tvtime', type: 'tv', ...titleFields } as const
  // The file has the time when the series was added, but not when it was stopped. So the row stays undated.
  if (status === 'stopped') return createHistoryRow({ ...seriesFields, kind: 'dropped' })
  return createHistoryRow({
    ...seriesFields,
    kind: 'listed',
    at: addedAt,
    state: status === 'not_started_yet' ? 'planned' : 'watching',
  })
}

export const tvTimeListsFormat: HistoryFormat = {
  id: 'tvtime-lists',
  source: 'tvtime',
  matches: (_path, head) => hasColumns(head, 'list_id', 'list_name', 'item_type'),
  async *readRows(openFile) {
    for await (const { line, getCell } of readCsvTable(openFile())) {
      const ids = readTvTimeIds(getCell('tvdb_id'), '')
      if (!getCell('name') && !ids.tvdb) yield { line, skip: 'no_title' }
      else {
        const type = getCell('item_type') === 'series' ? 'tv' : 'movie'
        yield createHistoryRow({
          source: 'tvtime',
          line,
          kind: 'listed',
          type,
          ids,
          title: getCell('name'),
          list: getCell('list_name'),
        })
      }
    }
  },
}

export const tvTimeJsonFormat: HistoryFormat = {
  id: 'tvtime-json',
  source: 'tvtime',
  matches: (_path, head) => /^\s*\[\s*\{\s*"id"\s*:\s*\{\s*"(?:tvdb|imdb)"/.test(head.text),
  async *readRows(openFile) {
    for await (const { value: tvTimeEntry, line } of readJsonElements(openFile())) {
      const ids = readTvTimeIds(
        String(getValueAt(tvTimeEntry, 'id', 'tvdb') ?? ''),
        readText(getValueAt(tvTimeEntry, 'id', 'imdb')) ?? '',
      )
      const titleFields = { line, ids, title: readText(getValueAt(tvTimeEntry, 'title')) ?? '' }
      if (!titleFields.title && !ids.tvdb && !ids.imdb) yield { line, skip: 'no_title' }
      else if (getValueAt(tvTimeEntry, 'seasons')) yield* toSeriesItems(tvTimeEntry, titleFields)
      else yield toFilmRow(tvTimeEntry, titleFields)
    }
  },
}

type TvTimeTitleFields = { line: number; ids: ExternalIds; title: string }

function toFilmRow(tvTimeEntry: unknown, titleFields: TvTimeTitleFields): HistoryRow {
  const isWatched = getValueAt(tvTimeEntry, 'is_watched') === true
  const watchedOrAddedAt = parseIsoDate(
    readText(getValueAt(tvTimeEntry, isWatched ? 'watched_at' : 'created_at')) ?? '',
  )
  const filmFields = {
    source: 'tvtime',
    type: 'movie',
    ...titleFields,
    year: readNumber(getValueAt(tvTimeEntry, 'year')),
    at: watchedOrAddedAt,
  } as const
  return createHistoryRow({ ...filmFields, kind: isWatched ? 'watched' : 'listed' })
}

function* toSeriesItems(tvTimeEntry: unknown, titleFields: TvTimeTitleFields): Generator<HistoryItem> {
  yield toSeriesRow(titleFields, readText(getValueAt(tvTimeEntry, 'status')) ?? '', {
    addedAt: parseIsoDate(readText(getValueAt(tvTimeEntry, 'created_at')) ?? ''),
  })
  for (const season of readList(getValueAt(tvTimeEntry, 'seasons'))) {
    for (const episode of readList(getValueAt(season, 'episodes'))) {
      if (getValueAt(episode, 'is_watched') !== true) continue
      yield createHistoryRow({
        source: 'tvtime',
        kind: 'watched',
        type: 'tv',
        ...titleFields,
        season: readNumber(getValueAt(season, 'number')),
        episode: readNumber(getValueAt(episode, 'number')),
        at: parseIsoDate(readText(getValueAt(episode, 'watched_at')) ?? ''),
      })
    }
  }
}

/** Returns the ids of a row. Texts that are not a valid id are ignored. */
export function readTvTimeIds(tvdbId: string, imdbId: string): ExternalIds {
  const ids: ExternalIds = {}
  if (Number(tvdbId) > 0) ids.tvdb = Number(tvdbId)
  if (/^tt\d+$/.test(imdbId)) ids.imdb = imdbId
  return ids
}
