/**
 * The files of a TV Time data request: tables of the service's own database. The service is closed and never documented the
 * columns; they are known from other importers. Series have TheTVDB ids, films only names.
 */
import { type Cells, csvTable } from './csv.ts'
import { isoDate } from './date-order.ts'
import { type Format, hasColumns, type Item, row } from './row.ts'
import { idsOf } from './tv-time.ts'

/** `tracking-prod-records-v2.csv`: watched episodes and followed series. */
export const tvTimeTracking: Format = {
  id: 'tvtime-tracking',
  source: 'tvtime',
  fits: (_path, head) => hasColumns(head, 'key', 's_id', 'series_name', 'created_at'),
  async *read(open) {
    for await (const cells of csvTable(open())) {
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
export const tvTimeRecords: Format = {
  id: 'tvtime-records',
  source: 'tvtime',
  fits: (_path, head) => hasColumns(head, 'type', 'entity_type', 'movie_name', 'created_at'),
  async *read(open) {
    for await (const cells of csvTable(open())) {
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
export const tvTimeSeen: Format = {
  id: 'tvtime-seen',
  source: 'tvtime',
  fits: (path, head) =>
    /(?:^|\/)(?:seen_episode(?:_source)?|(?:re)?watched(?:_on)?_episode)\.csv$/.test(path) &&
    hasColumns(head, 'tv_show_name', 'episode_season_number', 'episode_number'),
  async *read(open) {
    for await (const cells of csvTable(open())) {
      const { get } = cells
      const series = { id: get('tv_show_id') || get('tvdb_id'), name: get('tv_show_name') }
      yield toEpisodeItem(cells, series, get('episode_season_number'), get('episode_number'))
    }
  },
}

export const tvTimeFollowed: Format = {
  id: 'tvtime-followed',
  source: 'tvtime',
  fits: (path, head) =>
    /(?:^|\/)followed_tv_show\.csv$/.test(path) && hasColumns(head, 'tv_show_id', 'tv_show_name'),
  async *read(open) {
    for await (const cells of csvTable(open())) {
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

function toEpisodeItem({ line, get }: Cells, series: TvTimeSeries, season: string, episode: string): Item {
  if (!series.name && !Number(series.id)) return { line, skip: 'no_title' }
  if (!/^\d+$/.test(season) || !/^\d+$/.test(episode)) return { line, skip: 'bad_row' }
  return row({
    source: 'tvtime',
    line,
    kind: 'watched',
    type: 'tv',
    ids: idsOf(series.id, ''),
    ...splitYear(series.name),
    season: Number(season),
    episode: Number(episode),
    at: isoDate(get('watched_at') || get('created_at')),
  })
}

interface FollowState {
  isArchived: boolean
  isFollowed: boolean
  state: 'planned' | 'watching'
}

function toSeriesItem(
  { line, get }: Cells,
  series: TvTimeSeries,
  { isArchived, isFollowed, state }: FollowState,
): Item {
  if (!series.name && !Number(series.id)) return { line, skip: 'no_title' }
  if (!isArchived && !isFollowed) return { line, skip: 'deleted' }
  return row({
    source: 'tvtime',
    line,
    type: 'tv',
    ids: idsOf(series.id, ''),
    ...splitYear(series.name),
    at: isoDate(get('created_at')),
    ...(isArchived ? { kind: 'dropped' } : { kind: 'listed', state }),
  })
}

/** Every film has a `follow` row, whether it was watched or not; only planned films have a `towatch` row. */
function toFilmItem({ line, get }: Cells, isWatched: boolean): Item {
  if (!isWatched && get('type') !== 'towatch') return { line, skip: 'not_watched' }
  const { title, year } = splitYear(get('movie_name'))
  if (!title) return { line, skip: 'no_title' }
  const runtimeSeconds = Number(get('runtime'))
  return row({
    source: 'tvtime',
    line,
    kind: isWatched ? 'watched' : 'listed',
    type: 'movie',
    ids: {},
    title,
    year: Number(/^[12]\d{3}/.exec(get('release_date'))?.[0]) || year,
    runtime: runtimeSeconds >= 600 ? Math.round(runtimeSeconds / 60) : undefined,
    at: isoDate(get('watch_date')) ?? isoDate(get('created_at')),
    state: isWatched ? undefined : 'planned',
  })
}

/** Splits a name such as `Bodyguard (2018)`: TheTVDB adds the year to distinguish series of the same name. */
function splitYear(name: string): { title: string; year?: number } {
  const match = /^(.+) \(([12]\d{3})\)$/.exec(name.trim())
  return match ? { title: match[1] as string, year: Number(match[2]) } : { title: name.trim() }
}

const isYes = (text: string) => /^(?:1|true)$/i.test(text)
