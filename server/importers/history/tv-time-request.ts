/**
 * TV Time's data request, which people have kept since the service closed: tables as its own database had them. Columns as
 * published by those who read them (no document of the service names them); series are TheTVDB's, films have names alone.
 */
import { type Cells, csvTable } from './csv.ts'
import { isoDate } from './date-order.ts'
import { type Format, hasColumns, type Item, row } from './row.ts'
import { idsOf } from './tv-time.ts'

/** `tracking-prod-records-v2.csv`: episodes watched, and series followed. */
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
        yield episode(cells, series, season, get('episode_number') || get('ep_no'))
      } else if (key.startsWith('user-series-')) {
        const later = isYes(get('is_for_later'))
        yield follow(cells, series, {
          archived: isYes(get('is_archived')),
          followed: later || isYes(get('is_followed')),
          state: later ? 'planned' : 'watching',
        })
      } else yield { line, skip: 'not_a_title' }
    }
  },
}

/** `tracking-prod-records.csv`: films, and episodes of the years before. */
export const tvTimeRecords: Format = {
  id: 'tvtime-records',
  source: 'tvtime',
  fits: (_path, head) => hasColumns(head, 'type', 'entity_type', 'movie_name', 'created_at'),
  async *read(open) {
    for await (const cells of csvTable(open())) {
      const { line, get } = cells
      const watched = /^(?:re)?watch$/.test(get('type'))
      if (get('entity_type') === 'movie') yield film(cells, watched)
      else if (get('entity_type') === 'episode' && watched) {
        const series = { id: get('series_id'), name: get('series_name') }
        yield episode(cells, series, get('season_number'), get('episode_number'))
      } else yield { line, skip: 'not_a_title' }
    }
  },
}

/** `seen_episode.csv` and its kin. Others with these columns tell of feelings and votes. */
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
      yield episode(cells, series, get('episode_season_number'), get('episode_number'))
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
      const followed = get('active') === '' || isYes(get('active'))
      yield follow(cells, series, { archived: isYes(get('archived')), followed, state: 'watching' })
    }
  },
}

interface Series {
  id: string
  name: string
}

function episode({ line, get }: Cells, series: Series, season: string, number: string): Item {
  if (!series.name && !Number(series.id)) return { line, skip: 'no_title' }
  if (!/^\d+$/.test(season) || !/^\d+$/.test(number)) return { line, skip: 'bad_row' }
  return row({
    source: 'tvtime',
    line,
    kind: 'watched',
    type: 'tv',
    ids: idsOf(series.id, ''),
    ...titleAndYear(series.name),
    season: Number(season),
    episode: Number(number),
    at: isoDate(get('watched_at') || get('created_at')),
  })
}

interface Following {
  archived: boolean
  followed: boolean
  state: 'planned' | 'watching'
}

function follow({ line, get }: Cells, series: Series, { archived, followed, state }: Following): Item {
  if (!series.name && !Number(series.id)) return { line, skip: 'no_title' }
  if (!archived && !followed) return { line, skip: 'deleted' }
  return row({
    source: 'tvtime',
    line,
    type: 'tv',
    ids: idsOf(series.id, ''),
    ...titleAndYear(series.name),
    at: isoDate(get('created_at')),
    ...(archived ? { kind: 'dropped' } : { kind: 'listed', state }),
  })
}

/** `follow` stands beside every film, seen or not; `towatch` beside those that are wanted. */
function film({ line, get }: Cells, watched: boolean): Item {
  if (!watched && get('type') !== 'towatch') return { line, skip: 'not_watched' }
  const { title, year } = titleAndYear(get('movie_name'))
  if (!title) return { line, skip: 'no_title' }
  const seconds = Number(get('runtime'))
  return row({
    source: 'tvtime',
    line,
    kind: watched ? 'watched' : 'listed',
    type: 'movie',
    ids: {},
    title,
    year: Number(/^[12]\d{3}/.exec(get('release_date'))?.[0]) || year,
    runtime: seconds >= 600 ? Math.round(seconds / 60) : undefined,
    at: isoDate(get('watch_date')) ?? isoDate(get('created_at')),
    state: watched ? undefined : 'planned',
  })
}

/** `Bodyguard (2018)`: TheTVDB tells namesakes apart by the year in their names. */
function titleAndYear(name: string): { title: string; year?: number } {
  const match = /^(.+) \(([12]\d{3})\)$/.exec(name.trim())
  return match ? { title: match[1] as string, year: Number(match[2]) } : { title: name.trim() }
}

const isYes = (text: string) => /^(?:1|true)$/i.test(text)
