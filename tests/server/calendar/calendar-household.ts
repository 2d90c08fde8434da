/** A server with a profile and titles whose release dates are known, for tests of the calendar. */
import type { Database } from '../../../server/db/database.ts'
import type { TitleRecord } from '../../../server/queries/title-record.ts'
import { insertTestAccount, startTestServer, type TestServer } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'
import { addMovies, createMovieRecord } from '../admin/admin-test-server.ts'

const DAY_MS = 86_400_000
/** Returns the date `offsetDays` days from today as `YYYY-MM-DD`. */
export const formatDay = (offsetDays: number) =>
  new Date(Date.now() + offsetDays * DAY_MS).toISOString().slice(0, 10)

/**
 * Returns the record of a series with one special episode (season 0) and season 1. The episodes of season 1 air on
 * `airDates`. The special episode airs on the first of these dates, or on 2020-01-01 if there are none.
 */
export function createSeriesRecord(
  seriesNumber: number,
  airDates: string[],
  overrides: Partial<TitleRecord> = {},
): TitleRecord {
  const specialEpisode = { episode_number: 1, air_date: airDates[0] ?? '2020-01-01', name: 'Special' }
  const episodes = airDates.map((air_date, index) => ({
    episode_number: index + 1,
    air_date,
    name: `Part ${index + 1}`,
    runtime: 3_000,
  }))
  const seasons = [
    { season_number: 0, episodes: [specialEpisode] },
    { season_number: 1, episodes },
  ]
  return { ...createMovieRecord(seriesNumber), type: 'tv', seasons, ...overrides }
}

export interface CalendarHousehold {
  server: TestServer
  device: TestClient
  profilePath: string
  /** Title ids in the order of the records. */
  ids: string[]
}

export async function startCalendarHousehold(
  database: Database,
  records: TitleRecord[],
): Promise<CalendarHousehold> {
  const server = await startTestServer({ database })
  await insertTestAccount(server, 'alice@example.com')
  const device = new TestClient(server)
  await device.login('alice@example.com')
  device.profileId = (await device.post('/api/profile', { name: 'Alice' })).body.profile_id
  const ids = await addMovies({ server }, records)
  return { server, device, profilePath: `/api/profile/${device.profileId}`, ids }
}
