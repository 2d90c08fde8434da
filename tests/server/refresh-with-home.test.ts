/**
 * Session refresh with a `home` field. The field adds the data of the first screen of the home page to the response.
 * The added data must equal the responses of the separate endpoints.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDemoDatabase } from '../support/demo-database.ts'
import { insertTestAccount, startTestServer, type TestServer } from '../support/server.ts'
import { TestClient } from '../support/test-client.ts'

let server: TestServer
let device: TestClient
let profileId = ''
let kidsProfileId = ''
beforeAll(async () => {
  server = await startTestServer({ database: await openDemoDatabase(), env: { DEMO: '1' } })
  await insertTestAccount(server, 'alice@example.com')
  device = new TestClient(server)
  await device.login('alice@example.com')
  profileId = (await device.post('/api/profile', { name: 'Ann' })).body.profile_id
  kidsProfileId = (await device.post('/api/profile', { name: 'Ben', kids: true })).body.profile_id
}, 120_000)
afterAll(() => server.close())

async function refreshWithHome(actingProfileId: string | null, home: object) {
  device.profileId = actingProfileId
  const { body } = await device.post('/api/auth/refresh', { home })
  device.accessToken = body.access_token
  return body
}

it('a refresh with a `home` field returns the featured movies, Continue Watching and the visible rows of the profile', async () => {
  device.profileId = profileId
  const [movie] = (await device.get('/api/movies/featured')).body.results
  await device.post(`/api/profile/${profileId}/history`, {
    media: { type: 'movie', id: movie.id },
    progress: 600,
    duration: 6_000,
  })
  await device.put(`/api/profile/${profileId}`, {
    preferences: {
      home_rows: [
        { row: 'movies', hidden: false },
        { row: 'continue', hidden: true },
      ],
    },
  })
  const { home } = await refreshWithHome(profileId, { kids: false })
  expect(home.profile_id).toBe(profileId)
  expect(home.rows).toEqual(['movies', 'picks', 'shows', 'library', 'new', 'because', 'genres'])
  expect(home.featured).toEqual((await device.get('/api/movies/featured?limit=20')).body)
  const path = `/api/profile/${profileId}/continue-watching`
  expect(home.continue_watching).toEqual((await device.get(path)).body)
})

it('for a kids profile, a refresh with a `home` field returns only titles that the profile may see', async () => {
  const { home } = await refreshWithHome(kidsProfileId, { kids: true })
  const listIds = (titles: { id: string }[]) => titles.map(({ id }) => id)
  const visibleIds = listIds((await device.get('/api/movies/featured?limit=100')).body.results)
  expect(home.featured.results.length).toBeGreaterThan(0)
  expect(visibleIds).toEqual(expect.arrayContaining(listIds(home.featured.results)))
})

it('a refresh returns home data only with a `home` field and an acting profile', async () => {
  device.profileId = profileId
  expect((await device.post('/api/auth/refresh', {})).body.home).toBeUndefined()
  const otherDevice = new TestClient(server)
  await otherDevice.login('alice@example.com')
  expect((await otherDevice.post('/api/auth/refresh', { home: { kids: false } })).body.home).toBeUndefined()
  expect((await otherDevice.post('/api/auth/refresh', { home: { kids: 1 } })).status).toBe(422)
})
