/** Tests when the unlock of a profile ends, and that streams opened during an unlock end with that unlock. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATABASES, startTestServer, TEST_PASSWORD, type TestServer } from '../../support/server.ts'
import type { TestClient } from '../../support/test-client.ts'
import { addTestTitles, createHousehold, HOUR_MS, type Household, PIN, refreshToken } from './household.ts'

describe.each(DATABASES)('the unlock of a profile on %s', (_name, openTestDatabase) => {
  let server: TestServer
  let imdbId = ''
  beforeAll(async () => {
    server = await startTestServer({ env: { DEMO: '1' }, database: await openTestDatabase() })
    imdbId = (await addTestTitles(server)).unsafe.imdbId
  }, 60_000)
  afterAll(() => server.close())

  const canEnterProfile = async (device: TestClient, id: string) =>
    (await device.get(`/api/profile/${id}/watchlist`)).status === 200
  const isVideoServed = async (url: string) => {
    // Moves the clock past the lifetime of the cached access check, which is one second.
    server.advanceClock(1_100)
    return (await server.request(url, { method: 'HEAD' })).status === 200
  }

  /** Unlocks the main profile on a new device and opens an unsafe video. Returns the device and the media URL. */
  async function openVideo({ signIn, mainId }: Household, secret: object = { pin: PIN }) {
    const device = await signIn()
    expect((await device.post(`/api/profile/${mainId}/unlock`, secret)).status).toBe(200)
    device.profileId = mainId
    const stream = (await device.get(`/proxy/torrent-streamer/stream/movie/${imdbId}`)).body
    const url: string = stream.sources[0].url
    expect(await isVideoServed(url)).toBe(true)
    return { device, url }
  }

  type EndUnlock = (device: TestClient, household: Household) => Promise<unknown>
  const UNLOCK_ENDINGS: [string, EndUnlock][] = [
    ['the profile picker opens', (device) => device.post('/api/profile/leave')],
    [
      'the kids profile is chosen',
      async (device, { kidId, mainId }) => {
        device.profileId = null
        await device.get(`/api/profile/${kidId}/watchlist`)
        device.profileId = mainId
      },
    ],
    [
      'another tab names the kids profile',
      async (device, { kidId, mainId }) => {
        device.profileId = kidId
        await device.get('/api/movies')
        device.profileId = mainId
      },
    ],
    [
      'another profile is unlocked',
      async (device, { adult, mainId }) => {
        const password = TEST_PASSWORD
        const { profile_id } = (await adult.post('/api/profile', { name: 'Second', password })).body
        await device.post(`/api/profile/${profile_id}/unlock`, { password })
        device.profileId = mainId
      },
    ],
    [
      'the PIN changes on another device',
      (_device, { adult, mainId }) =>
        adult.put(`/api/profile/${mainId}/update-lock`, { current_pin: PIN, new_pin: '7390' }),
    ],
    [
      'the PIN is removed and set again on another device',
      async (_device, { adult, mainId }) => {
        await adult.put(`/api/profile/${mainId}/remove-lock`, { pin: PIN })
        await adult.post(`/api/profile/${mainId}/lock`, { pin: PIN })
      },
    ],
    [
      'the profile was not used for twelve hours',
      async (device) => {
        server.advanceClock(12 * HOUR_MS + 1)
        await refreshToken(device)
      },
    ],
    ['the device signs out', (device) => device.post('/api/auth/logout')],
  ]

  it.each(UNLOCK_ENDINGS)('ends when %s, and the running video also ends', async (_ending, endUnlock) => {
    const household = await createHousehold(server)
    const { device, url } = await openVideo(household)
    await endUnlock(device, household)
    expect([await canEnterProfile(device, household.mainId), await isVideoServed(url)]).toEqual([
      false,
      false,
    ])
  })

  it('a profile can be unlocked with the account password, and must be unlocked again after the device has left the profile', async () => {
    const household = await createHousehold(server)
    const { device } = await openVideo(household, { password: TEST_PASSWORD })
    const { mainId } = household
    for (let round = 0; round < 3; round++) {
      await device.post('/api/profile/leave')
      expect(await canEnterProfile(device, mainId)).toBe(false)
      const wrongPasswordReply = await device.post(`/api/profile/${mainId}/unlock`, {
        password: 'Wrong12345',
      })
      expect([wrongPasswordReply.status, wrongPasswordReply.body.errors]).toEqual([
        403,
        { password: ['wrong'] },
      ])
      expect((await device.post(`/api/profile/${mainId}/unlock`, { pin: PIN })).status).toBe(200)
      expect(await canEnterProfile(device, mainId)).toBe(true)
    }
  })

  it('lasts while the profile is used, and ends when a request acts for another profile', async () => {
    const { signIn, mainId, kidId } = await createHousehold(server)
    const device = await signIn()
    await device.get(`/api/profile/${kidId}/watchlist`)
    await device.post(`/api/profile/${mainId}/unlock`, { pin: PIN })
    for (let round = 0; round < 4; round++) {
      server.advanceClock(11 * HOUR_MS)
      await refreshToken(device)
      expect(await canEnterProfile(device, mainId)).toBe(true)
    }
    device.profileId = kidId
    await device.get('/api/movies')
    device.profileId = null
    expect((await device.get(`/api/profile/${mainId}`)).body.unlocked).toBe(false)
  })
})
