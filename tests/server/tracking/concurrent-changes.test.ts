/** Concurrent changes of the watchlist: no change is lost, each request is atomic and no deadlock occurs. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DATABASES, insertTestAccount, startTestServer, type TestServer } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'
import { addMovies, createMovieRecord } from '../admin/admin-test-server.ts'

const TITLE_COUNT = 100

describe.each(DATABASES)('concurrent watchlist changes on %s', (_name, openTestDatabase) => {
  let server: TestServer
  let device: TestClient
  let profilePath = ''
  let movieIds: string[] = []
  beforeEach(async () => {
    server = await startTestServer({ database: await openTestDatabase() })
    await insertTestAccount(server, 'alice@example.com')
    device = new TestClient(server)
    await device.login('alice@example.com')
    device.profileId = (await device.post('/api/profile', { name: 'Alice' })).body.profile_id
    profilePath = `/api/profile/${device.profileId}`
    movieIds = await addMovies(
      { server },
      Array.from({ length: TITLE_COUNT }, (_, index) => createMovieRecord(index + 1)),
    )
  }, 60_000)
  afterEach(() => server.close())

  const changeWatchlist = (entries: object[]) => device.put(`${profilePath}/watchlist`, { entries })
  const countEntries = async (query = '') =>
    (await device.get(`${profilePath}/watchlist${query}`)).body.total_results
  const buildWatchlistChanges = (change: object) =>
    movieIds.map((media_id) => ({ type: 'movie', media_id, ...change }))

  it('concurrent requests that set the favourite mark or the watch state on 100 titles in opposite order are all stored', async () => {
    await changeWatchlist(buildWatchlistChanges({}))
    const responses = await Promise.all(
      [
        buildWatchlistChanges({ favorite: true }),
        buildWatchlistChanges({ state: 'watching' }).reverse(),
        buildWatchlistChanges({ favorite: true }).reverse(),
        buildWatchlistChanges({ state: 'watching' }),
      ].map(changeWatchlist),
    )
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await countEntries('?favorite=true&state=watching')).toBe(TITLE_COUNT)
  }, 60_000)

  it('concurrent requests that each add or remove all titles leave either all titles or no title in the watchlist', async () => {
    for (let round = 0; round < 5; round += 1) {
      const responses = await Promise.all(
        [
          buildWatchlistChanges({ in_watchlist: false }),
          buildWatchlistChanges({}).reverse(),
          buildWatchlistChanges({ in_watchlist: false }).reverse(),
        ].map(changeWatchlist),
      )
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
      expect([0, TITLE_COUNT]).toContain(await countEntries())
    }
  }, 60_000)

  it('when 20 concurrent requests each toggle one title, every request is applied, and at the end the title is not in the watchlist', async () => {
    const path = `${profilePath}/watchlist/movie/${movieIds[0]}/toggle`
    const responses = await Promise.all(Array.from({ length: 20 }, () => device.put(path)))
    expect(responses.filter(({ status }) => status !== 200)).toEqual([])
    expect(responses.filter(({ body }) => body.in_watchlist)).toHaveLength(10)
    expect(await countEntries()).toBe(0)
  }, 60_000)
})
