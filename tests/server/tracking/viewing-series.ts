/** A server with a profile, two movies and a series with known episodes, for tests of viewings. */
import type { Database } from '../../../server/db/database.ts'
import { insertTestAccount, startTestServer, type TestServer } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'
import { addMovies, createMovieRecord } from '../admin/admin-test-server.ts'

const DAY_MS = 86_400_000
export const formatDay = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10)
/** Date on which the last released episode aired. The next episode airs a week after today. */
const LAST_AIRED_DAY = formatDay(Date.now() - 10 * DAY_MS)
const NEXT_AIRING_DAY = formatDay(Date.now() + 7 * DAY_MS)

/** Air dates by season. Season 2 has one episode that is not released. */
export const AIR_DATES_BY_SEASON: Record<number, string[]> = {
  0: ['2020-03-01'],
  1: ['2020-01-01', '2020-01-08', '2020-01-15'],
  2: ['2021-01-01', LAST_AIRED_DAY, NEXT_AIRING_DAY],
}
export const RELEASED_EPISODE_COUNT = 5

export interface ViewingHousehold {
  server: TestServer
  device: TestClient
  profilePath: string
  movieId: string
  /** Id of a movie that is not safe for kids. */
  adultMovieId: string
  seriesId: string
}

export async function startViewingHousehold(database: Database): Promise<ViewingHousehold> {
  const server = await startTestServer({ database })
  await insertTestAccount(server, 'alice@example.com')
  const device = new TestClient(server)
  await device.login('alice@example.com')
  device.profileId = (await device.post('/api/profile', { name: 'Alice' })).body.profile_id
  const series = {
    ...createMovieRecord(3, { imdb_id: 'tt7000003', safe_for_kids: true }),
    type: 'tv' as const,
    seasons: Object.entries(AIR_DATES_BY_SEASON).map(([seasonNumber, dates]) => ({
      season_number: Number(seasonNumber),
      episodes: dates.map((air_date, index) => ({
        episode_number: index + 1,
        air_date,
        name: `Part ${index + 1}`,
        runtime: 3_000,
      })),
    })),
  }
  const [movieId = '', adultMovieId = '', seriesId = ''] = await addMovies({ server }, [
    createMovieRecord(1, { safe_for_kids: true, release_date: '2015-05-01' }),
    createMovieRecord(2, { safe_for_kids: false }),
    series,
  ])
  return { server, device, profilePath: `/api/profile/${device.profileId}`, movieId, adultMovieId, seriesId }
}

/**
 * Returns the viewings, the progress and the watchlist of the profile in a fixed order, to compare states byte for
 * byte.
 */
export async function readViewingsProgressAndWatchlist({
  server,
  device,
}: ViewingHousehold): Promise<string> {
  const readRows = (table: 'play' | 'progress' | 'watchlist_entry', columns: string[]) =>
    columns
      .reduce(
        (query, column) => query.orderBy(column as never),
        server.database.primary
          .selectFrom(table as 'play')
          .selectAll()
          .where('profile_id', '=', device.profileId ?? ''),
      )
      .execute()
  const sections = [
    await readRows('play', ['title_id', 'season_number', 'episode_number', 'watched_at', 'name']),
    await readRows('progress', ['title_id', 'season_number', 'episode_number']),
    await readRows('watchlist_entry', ['title_id']),
  ]
  const sortFields = (row: object) =>
    Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))
  return JSON.stringify(sections.map((rows) => rows.map(sortFields)))
}

let keyCount = 0
export const createEditKey = () => `test-key-${++keyCount}`

/** Returns functions that call the API of viewings for the current household. */
export function createViewingCalls(getHousehold: () => ViewingHousehold) {
  const getPath = (suffix = 'viewings') => `${getHousehold().profilePath}/${suffix}`
  const markAsSeen = (viewingScope: object, options: object) =>
    getHousehold().device.post(getPath(), { key: createEditKey(), scopes: [viewingScope], ...options })
  return {
    getPath,
    markSeries: (viewingScope: object, options: object = {}) =>
      markAsSeen({ type: 'tv', media_id: getHousehold().seriesId, ...viewingScope }, options),
    markMovie: (options: object = {}) =>
      markAsSeen({ type: 'movie', media_id: getHousehold().movieId, scope: 'title' }, options),
    undoChange: (editKey: string) => getHousehold().device.post(getPath(`viewings/${editKey}/undo`)),
    listViewings: async (query = '') => (await getHousehold().device.get(getPath(`viewings${query}`))).body,
  }
}
