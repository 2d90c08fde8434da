/**
 * The exit PIN also locks a device on which a profile with limits was chosen, for example the profile of a teenager.
 */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../support/server.ts'
import type { TestClient } from '../../support/test-client.ts'
import { createHousehold, type Household } from '../security/household.ts'

const EXIT_PIN = '9753'
let server: TestServer
let household: Household
let teenId: string
let teen: TestClient
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  household = await createHousehold(server, { pin: null })
  const limits = { max_age: 13, guide: {}, accepts_unknown_guide: true }
  teenId = (await household.adult.post('/api/profile', { name: 'Teen', limits })).body.profile_id
  await household.adult.put('/api/user/family/exit-pin', { pin: EXIT_PIN })
  teen = Object.assign(await household.signIn(), { profileId: teenId })
  await teen.get(`/api/profile/${teenId}/watchlist`)
})
const readMainWatchlist = (profileId = household.mainId) =>
  Object.assign(teen, { profileId }).get(`/api/profile/${household.mainId}/watchlist`)

it('on a device, a switch from a profile with limits to a profile without a PIN requires the exit PIN', async () => {
  expect((await readMainWatchlist()).status).toBe(403)
  Object.assign(teen, { profileId: teenId })
  await teen.post('/api/profile/leave')
  expect((await readMainWatchlist()).status).toBe(403)
  const unlockPath = `/api/profile/${household.mainId}/unlock`
  expect((await teen.post(unlockPath, { pin: '0000' })).body.type).toBe('invalid_pin')
  expect((await teen.post(unlockPath, { pin: EXIT_PIN })).status).toBe(200)
  expect((await readMainWatchlist()).status).toBe(200)
})

it('a device that has used a limited profile needs no exit PIN after the limits are removed, but needs it after the limited profile is deleted', async () => {
  await household.adult.put(`/api/profile/${teenId}/limits`, { max_age: null })
  expect((await readMainWatchlist()).status).toBe(200)
  await household.adult.put(`/api/profile/${teenId}/limits`, { max_age: 13 })
  Object.assign(teen, { profileId: teenId })
  await teen.get(`/api/profile/${teenId}/watchlist`)
  await household.adult.delete(`/api/profile/${teenId}`, {})
  expect((await readMainWatchlist()).status).toBe(403)
})
