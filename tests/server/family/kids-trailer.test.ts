import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../support/server.ts'
import { addTestTitles, createHousehold } from '../security/household.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('title details contain the link to a trailer for an adult, but not for a kids profile or a group with a kids profile', async () => {
  const { safe: title } = await addTestTitles(server)
  const trailer = 'https://videos.example/trailer'
  await server.database.primary
    .updateTable('title')
    .set({ trailer })
    .where('title_id', '=', Number(title.id))
    .execute()
  const { adult, kidId, mainId, signIn } = await createHousehold(server)
  const kid = Object.assign(await signIn(), { profileId: kidId })
  const loadTrailers = async (device: typeof adult) => [
    (await device.get(`/api/movies/${title.id}`)).body.trailer,
    (await device.get(`/api/movies/slug/${title.slug}`)).body.trailer,
  ]
  expect(await loadTrailers(adult)).toEqual([trailer, trailer])
  expect(await loadTrailers(kid)).toEqual([null, null])
  expect(
    (await adult.post(`/api/profile/${mainId}/group`, { members: [{ profile_id: kidId }] })).status,
  ).toBe(200)
  expect(await loadTrailers(adult)).toEqual([null, null])
})
