/**
 * The files of a TV Time data request: tables of the service's own database. The service is closed and never documented the
 * columns; they are known from other importers. Series have TheTVDB ids, films only names.
 */
import { type CsvRow, readCsvTable } from './csv.ts'
import { parseIsoDate } from './date-order.ts'
import { createHistoryRow, type HistoryFormat, type HistoryItem, hasColumns } from './history-row.ts'
import { readTvTimeIds } from './tv-time.ts'

/** `tracking-prod-records-v2.csv`: watched episodes and followed series. */
export const tvTimeTrackingFormat: HistoryFormat = {
  id: 'tvtime-tracking',
  source: 'tvtime',
  matches: (_path, head) => hasColumns(head, 'key', 's_id', 'series_name', 'created_at'),
  async *readRows(open) {
    for await (const cells of readCsvTable(open())) {
      const { line, get } = cells
      const key = get('key')
      const series = { id: get('s_id'), name: get('series_name') }
      if (/^(?:re)?watch-episode-/.test(key)) {
        const season = get('season_number') || get('s_no')
        yield toEpisodeItem(cells, series, season, get('episode_number') || get('ep_no'))
      } else if (key.startsWith('user-series-')) {
        const isForLater = isYes(get('is_for_later'))
        yield toSeriesItem(cells, series, {
          isArchived: isYes(get('is_archived')),
          isFollowed: isForLater || isYes(get('is_followed')),
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
  async *readRows(open) {
    for await (const cells of readCsvTable(open())) {
      const { line, get } = cells
      const isWatched = /^(?:re)?watch$/.test(get('type'))
      if (get('entity_type') === 'movie') yield toFilmItem(cells, isWatched)
      else if (get('entity_type') === 'episode' && isWatched) {
        const series = { id: get('series_id'), name: get('series_name') }
        yield toEpisodeItem(cells, series, get('season_number'), get('episode_number'))
      } else yield { line, skip: 'not_a_title' }
    }
  },
}

/** `seen_episode.csv` and similar files. Other files with these columns contain emotions and votes. */
export const tvTimeSeenFormat: HistoryFormat = {
  id: 'tvtime-seen',
  source: 'tvtime',
  matches: (path, head) =>
    /(?:^|\/)(?:seen_episode(?:_source)?|(?:re)?watched(?:_on)?_episode)\.csv$/.test(path) &&
    hasColumns(head, 'tv_show_name', 'episode_season_number', 'episode_number'),
  async *readRows(open) {
    for await (const cells of readCsvTable(open())) {
      const { get } = cells
      const series = { id: get('tv_show_id') || get('tvdb_id'), name: get('tv_show_name') }
      yield toEpisodeItem(cells, series, get('episode_season_number'), get('episode_number'))
    }
  },
}

export const tvTimeFollowedFormat: HistoryFormat = {
  id: 'tvtime-followed',
  source: 'tvtime',
  matches: (path, head) =>
    /(?:^|\/)followed_tv_show\.csv$/.test(path) && hasColumns(head, 'tv_show_id', 'tv_show_name'),
  async *readRows(open) {
    for await (const cells of readCsvTable(open())) {
      const { get } = cells
      const series = { id: get('tv_show_id'), name: get('tv_show_name') }
      const isFollowed = get('active') === '' || isYes(get('active'))
      yield toSeriesItem(cells, series, { isArchived: isYes(get('archived')), isFollowed, state: 'watching' })
    }
  },
}

interface TvTimeSeries {
  id: string
  name: string
}

function toEpisodeItem(
  { line, get }: CsvRow,
  series: TvTimeSeries,
  season: string,
  episode: string,
): HistoryItem {
  if (!series.name && !Number(series.id)) return { line, skip: 'no_title' }
  if (!/^\d+$/.test(season) || !/^\d+$/.test(episode)) return { line, skip: 'bad_row' }
  return createHistoryRow({
    source: 'tvtime',
    line,
    kind: 'watched',
    type: 'tv',
    ids: readTvTimeIds(series.id, ''),
    ...splitYear(series.name),
    season: Number(season),
    episode: Number(episode),
    at: parseIsoDate(get('watched_at') || get('created_at')),
  })
}

interface FollowState {
  isArchived: boolean
  isFollowed: boolean
  state: 'planned' | 'watching'
}

function toSeriesItem(
  { line, get }: CsvRow,
  series: TvTimeSeries,
  { isArchived, isFollowed, state }: FollowState,
): HistoryItem {
  if (!series.name && !Number(series.id)) return { line, skip: 'no_title' }
  if (!isArchived && !isFollowed) return { line, skip: 'deleted' }
  return createHistoryRow({
    source: 'tvtime',
    line,
    type: 'tv',
    ids: readTvTimeIds(series.id, ''),
    ...splitYear(series.name),
    at: parseIsoDate(get('created_at')),
    ...(isArchived ? { kind: 'dropped' } : { kind: 'listed', state }),
  })
}

/** Every film has a `follow` row, whether it was watched or not; only planned films have a `towatch` row. */
function toFilmItem({ line, get }: CsvRow, isWatched: boolean): HistoryItem {
  if (!isWatched && get('type') !== 'towatch') return { line, skip: 'not_watched' }
  const { title, year } = splitYear(get('movie_name'))
  if (!title) return { line, skip: 'no_title' }
  const runtimeSeconds = Number(get('runtime'))
  return createHistoryRow({
    source: 'tvtime',
    line,
    kind: isWatched ? 'watched' : 'listed',
    type: 'movie',
    ids: {},
    title,
    year: Number(/^[12]\d{3}/.exec(get('release_date'))?.[0]) || year,
    runtime: runtimeSeconds >= 600 ? Math.round(runtimeSeconds / 60) : undefined,
    at: parseIsoDate(get('watch_date')) ?? parseIsoDate(get('created_at')),
    state: isWatched ? undefined : 'planned',
  })
}

/** Splits a name such as `Bodyguard (2018)`: TheTVDB adds the year to distinguish series of the same name. */
function splitYear(name: string): { title: string; year?: number } {
  const match = /^(.+) \(([12]\d{3})\)$/.exec(name.trim())
  return match ? { title: match[1] as string, year: Number(match[2]) } : { title: name.trim() }
}

const isYes = (text: string) => /^(?:1|true)$/i.test(text)
