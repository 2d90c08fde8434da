/** Popular titles, which are recommended while there is no model. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { insertTestAccount, startTestServer, type TestServer } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'
import { addMovies, createMovieRecord } from '../admin/admin-test-server.ts'

let server: TestServer
let safeMovieIds: string[]
let device: TestClient
beforeAll(async () => {
  server = await startTestServer()
  const popularRecords = Array.from({ length: 501 }, (_, index) =>
    createMovieRecord(index + 10, { safe_for_kids: false, popularity: 1_000 + index }),
  )
  await addMovies({ server }, popularRecords)
  safeMovieIds = await addMovies(
    { server },
    [1, 2, 3].map((movieNumber) => createMovieRecord(movieNumber, { popularity: movieNumber })),
  )
  await insertTestAccount(server, 'alice@example.com')
  device = new TestClient(server)
  await device.login('alice@example.com')
  device.profileId = (await device.post('/api/profile', { name: 'Alice' })).body.profile_id
  device.profileId = (await device.post('/api/profile', { name: 'Kim', kids: true })).body.profile_id
}, 60_000)
afterAll(() => server.close())

const listIds = async (path: string): Promise<string[]> =>
  (await device.get(path)).body.results.map((title: { id: string }) => title.id)

it('a kids profile gets the popular titles that it may see, although 500 other titles are more popular', async () => {
  expect(server.deps.recommender.getCurrentModel()).toBeNull()
  const topPickIds = await listIds(`/api/profile/${device.profileId}/recommend?limit=15`)
  expect(topPickIds.toSorted()).toEqual(safeMovieIds.toSorted())
  const [openedId, ...otherIds] = safeMovieIds
  const similarIds = await listIds(`/api/recommend/similar/${openedId}?limit=15`)
  expect(similarIds.toSorted()).toEqual(otherIds.toSorted())
})
