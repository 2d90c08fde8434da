/**
 * The files of a TV Time data request: tables of the database of the service. The service has closed and never
 * documented the columns, which are known from other importers. Series have TheTVDB ids; films have only names.
 */
import { createDateParser, type DateParser } from './column-dates.ts'
import { type CsvRow, parseBoolean, readCsvTable } from './csv.ts'
import {
  createHistoryRow,
  type FileOpener,
  type HistoryFormat,
  type HistoryItem,
  hasColumns,
} from './history-row.ts'
import { readTvTimeIds } from './tv-time.ts'

/** `tracking-prod-records-v2.csv`: watched episodes and followed series. */
export const tvTimeTrackingFormat: HistoryFormat = {
  id: 'tvtime-tracking',
  source: 'tvtime',
  matches: (_path, head) => hasColumns(head, 'key', 's_id', 'series_name', 'created_at'),
  async *readRows(openFile, _path, { nowMs }) {
    for await (const cells of readDatedTable(openFile, ['watched_at', 'created_at'], nowMs)) {
      const { line, getCell } = cells
      const trackingKey = getCell('key')
      const series = { id: getCell('s_id'), name: getCell('series_name') }
      if (/^(?:re)?watch-episode-/.test(trackingKey)) {
        const seasonText = getCell('season_number') || getCell('s_no')
        yield toEpisodeItem(cells, series, seasonText, getCell('episode_number') || getCell('ep_no'))
      } else if (trackingKey.startsWith('user-series-')) {
        const isForLater = parseBoolean(getCell('is_for_later')) === true
        yield toSeriesItem(cells, series, {
          isArchived: parseBoolean(getCell('is_archived')) === true,
          isFollowed: isForLater || parseBoolean(getCell('is_followed')) === true,
          state: isForLater ? 'planned' : 'watching',
        })
      } else yield { line, skip: 'not_a_title' }
    }
  },
}

/** `tracking-prod-records.csv`: films, and episodes from earlier years. */
export const tvTimeRecordsFormat: HistoryFormat = {
  id: 'tvtime-records',
  source: 'tvtime',
  matches: (_path, head) => hasColumns(head, 'type', 'entity_type', 'movie_name', 'created_at'),
  async *readRows(openFile, _path, { nowMs }) {
    for await (const cells of readDatedTable(openFile, ['watch_date', 'created_at', 'watched_at'], nowMs)) {
      const { line, getCell } = cells
      const isWatched = /^(?:re)?watch$/.test(getCell('type'))
      if (getCell('entity_type') === 'movie') yield toFilmItem(cells, isWatched)
      else if (getCell('entity_type') === 'episode' && isWatched) {
        const series = { id: getCell('series_id'), name: getCell('series_name') }
        yield toEpisodeItem(cells, series, getCell('season_number'), getCell('episode_number'))
      } else yield { line, skip: 'not_a_title' }
    }
  },
}

/**
 * `seen_episode.csv` and similar files. The name is checked, because the files with the emotions that users state about
 * episodes have the same columns.
 */
export const tvTimeSeenFormat: HistoryFormat = {
  id: 'tvtime-seen',
  source: 'tvtime',
  matches: (path, head) =>
    /(?:^|\/)(?:seen_episode(?:_source)?|(?:re)?watched(?:_on)?_episode)\.csv$/.test(path) &&
    hasColumns(head, 'tv_show_name', 'episode_season_number', 'episode_number'),
  async *readRows(openFile, _path, { nowMs }) {
    for await (const cells of readDatedTable(openFile, ['watched_at', 'created_at'], nowMs)) {
      const { getCell } = cells
      // The column `tvdb_id`, if there is one, is not read. It contains the id of the episode. Used as the id of a
      // series, it could match another series.
      const series = { id: getCell('tv_show_id'), name: getCell('tv_show_name') }
      yield toEpisodeItem(cells, series, getCell('episode_season_number'), getCell('episode_number'))
    }
  },
}

export const tvTimeFollowedFormat: HistoryFormat = {
  id: 'tvtime-followed',
  source: 'tvtime',
  matches: (path, head) =>
    /(?:^|\/)followed_tv_show\.csv$/.test(path) && hasColumns(head, 'tv_show_id', 'tv_show_name'),
  async *readRows(openFile, _path, { nowMs }) {
    for await (const cells of readDatedTable(openFile, ['created_at'], nowMs)) {
      const { getCell } = cells
      const series = { id: getCell('tv_show_id'), name: getCell('tv_show_name') }
      const isFollowed = getCell('active') === '' || parseBoolean(getCell('active')) === true
      yield toSeriesItem(cells, series, {
        isArchived: parseBoolean(getCell('archived')) === true,
        isFollowed,
        state: 'watching',
      })
    }
  },
}

type DatedRow = CsvRow & { parseDate: DateParser }

async function* readDatedTable(
  openFile: FileOpener,
  dateColumnNames: readonly string[],
  nowMs: number,
): AsyncGenerator<DatedRow> {
  const parseDate = await createDateParser(openFile, dateColumnNames, nowMs)
  for await (const cells of readCsvTable(openFile())) yield { ...cells, parseDate }
}

interface TvTimeSeries {
  id: string
  name: string
}

function toEpisodeItem(
  { line, getCell, parseDate }: DatedRow,
  series: TvTimeSeries,
  seasonText: string,
  episodeText: string,
): HistoryItem {
  if (!series.name && !Number(series.id)) return { line, skip: 'no_title' }
  if (!/^\d+$/.test(seasonText) || !/^\d+$/.test(episodeText))
    return { line, skip: 'bad_row', title: series.name }
  const watchedAt = parseDate(getCell('watched_at') || getCell('created_at'))
  if (watchedAt === null) return { line, skip: 'bad_date', title: series.name }
  return createHistoryRow({
    source: 'tvtime',
    line,
    kind: 'watched',
    type: 'tv',
    ids: readTvTimeIds(series.id, ''),
    ...splitTitleAndYear(series.name),
    season: Number(seasonText),
    episode: Number(episodeText),
    at: watchedAt,
  })
}

interface SeriesFollowState {
  isArchived: boolean
  isFollowed: boolean
  state: 'planned' | 'watching'
}

function toSeriesItem(
  { line, getCell, parseDate }: DatedRow,
  series: TvTimeSeries,
  { isArchived, isFollowed, state }: SeriesFollowState,
): HistoryItem {
  if (!series.name && !Number(series.id)) return { line, skip: 'no_title' }
  if (!isArchived && !isFollowed) return { line, skip: 'deleted', title: series.name }
  const addedAt = parseDate(getCell('created_at'))
  if (addedAt === null) return { line, skip: 'bad_date', title: series.name }
  return createHistoryRow({
    source: 'tvtime',
    line,
    type: 'tv',
    ids: readTvTimeIds(series.id, ''),
    ...splitTitleAndYear(series.name),
    // The file has the time when the series was added, but not when it was archived. So the row of an archived series
    // stays undated.
    ...(isArchived ? { kind: 'dropped' } : { kind: 'listed', state, at: addedAt }),
  })
}

/**
 * Returns a viewing or a watchlist entry; skips other rows. Every film has a row of the type `follow`, whether it was
 * watched or not. Only planned films have a row of the type `towatch`.
 */
function toFilmItem({ line, getCell, parseDate }: DatedRow, isWatched: boolean): HistoryItem {
  if (!isWatched && getCell('type') !== 'towatch')
    return { line, skip: 'not_watched', title: getCell('movie_name') }
  const { title, year } = splitTitleAndYear(getCell('movie_name'))
  if (!title) return { line, skip: 'no_title' }
  const watchedOrAddedAt = parseDate(getCell('watch_date')) ?? parseDate(getCell('created_at'))
  if (watchedOrAddedAt === null) return { line, skip: 'bad_date', title }
  const runtimeSeconds = Number(getCell('runtime'))
  return createHistoryRow({
    source: 'tvtime',
    line,
    kind: isWatched ? 'watched' : 'listed',
    type: 'movie',
    ids: {},
    title,
    year: Number(/\b[12]\d{3}\b/.exec(getCell('release_date'))?.[0]) || year,
    runtime: runtimeSeconds >= 600 ? Math.round(runtimeSeconds / 60) : undefined,
    at: watchedOrAddedAt,
    state: isWatched ? undefined : 'planned',
  })
}

/** Splits a name such as `Bodyguard (2018)`. TheTVDB adds the year to distinguish series of the same name. */
function splitTitleAndYear(name: string): { title: string; year?: number } {
  const yearMatch = /^(.+) \(([12]\d{3})\)$/.exec(name.trim())
  return yearMatch ? { title: yearMatch[1] as string, year: Number(yearMatch[2]) } : { title: name.trim() }
}
