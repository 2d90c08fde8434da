/** Checks that a kids profile gets only data of kids genres, and which callers get the artwork of a hidden title. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { KIDS_GENRE_IDS } from '../../../src/lib/rules/genres.ts'
import { openDemoDatabase } from '../../support/demo-database.ts'
import { startTestServer, type TestServer } from '../../support/server.ts'
import type { TestClient } from '../../support/test-client.ts'
import { createHousehold, type Household, PIN } from './household.ts'

let server: TestServer
let household: Household
beforeAll(async () => {
  server = await startTestServer({ database: await openDemoDatabase() })
  await server.deps.recommender.refresh()
  household = await createHousehold(server, { role: 'admin' })
}, 60_000)
afterAll(() => server.close())

const setPublished = (id: string, isPublished: boolean) =>
  household.adult.patch(`/api/movies/${id}/publish`, { published: isPublished })

it('a profile that became a kids profile gets only rows and signals of kids genres', async () => {
  const { adult } = household
  const preferences = { content_genres: { movie: [27, 53, 16], tv: [80, 18] } }
  const { profile_id: id } = (await adult.post('/api/profile', { name: 'Second', preferences })).body
  const adultRows = (await adult.get(`/api/profile/${id}/recommend/top-genres`)).body.results
  expect(adultRows.map((row: { genre: { id: number } }) => row.genre.id)).toContain(27)
  expect((await adult.put(`/api/profile/${id}`, { kids: true })).status).toBe(200)
  const kidsRows = (await adult.get(`/api/profile/${id}/recommend/top-genres`)).body.results
  expect(kidsRows.length).toBeGreaterThan(0)
  for (const { genre } of kidsRows) expect(KIDS_GENRE_IDS).toContain(genre.id)
  const signals = (await adult.get(`/api/profile/${id}/recommend/signals`)).body.results
  expect(JSON.stringify(signals)).not.toMatch(/genre:(27|53|80|18)\b/)
  expect(JSON.stringify(signals)).toContain('genre:16')
})

it('the artwork of a hidden title is sent only to an administrator whose main profile acts', async () => {
  const { adult, signIn, mainId, kidId } = household
  const [movie] = (await adult.get('/api/movies?limit=1')).body.results
  const artworkPath = `/images/w300${movie.poster_path}`
  const fetchArtworkStatus = async (device?: TestClient) =>
    (await server.request(artworkPath, device?.cookie ? { headers: { Cookie: device.cookie } } : {})).status
  expect(await fetchArtworkStatus()).toBe(200)
  await setPublished(movie.id, false)
  const childDevice = Object.assign(await signIn(), { profileId: kidId })
  await childDevice.get('/api/profile')
  const adminDevice = await signIn()
  await adminDevice.post(`/api/profile/${mainId}/unlock`, { pin: PIN })
  const strangerDevice = (await createHousehold(server)).adult
  expect([
    await fetchArtworkStatus(),
    await fetchArtworkStatus(strangerDevice),
    await fetchArtworkStatus(childDevice),
    await fetchArtworkStatus(adminDevice),
  ]).toEqual([404, 404, 404, 200])
  await setPublished(movie.id, true)
  expect(await fetchArtworkStatus()).toBe(200)
})
