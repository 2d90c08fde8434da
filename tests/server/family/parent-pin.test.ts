/**
 * A parent acts on the device of a child with the PIN of the main profile. If the main profile has no PIN, the exit PIN
 * is accepted instead.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DATABASES, startTestServer, type TestServer } from '../../support/server.ts'
import type { TestClient } from '../../support/test-client.ts'
import { createHousehold, type Household, PIN } from '../security/household.ts'

const EXIT_PIN = '9753'
const ZERO_MINUTES_LIMITS = { school_day_minutes: 0, weekend_minutes: 0, quiet_start: null, quiet_end: null }

describe.each(DATABASES)('actions of a parent on the device of a child (%s)', (_name, openTestDatabase) => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ database: await openTestDatabase() })
  })
  afterAll(() => server.close())
  const signInKid = async ({ signIn, kidId }: Household) => {
    const kid = Object.assign(await signIn(), { profileId: kidId })
    await kid.get(`/api/profile/${kidId}/viewing-time`)
    return kid
  }
  const endTime = ({ adult }: Household, profileId: string) =>
    adult.put(`/api/profile/${profileId}/viewing-limits`, ZERO_MINUTES_LIMITS)
  const addTime = (device: TestClient, body: object) =>
    device.post(`/api/profile/${device.profileId}/viewing-time/extra`, { minutes: 15, ...body })

  describe('with a PIN of the main profile', () => {
    let household: Household
    let kid: TestClient
    beforeEach(async () => {
      household = await createHousehold(server)
      await endTime(household, household.kidId)
      kid = await signInKid(household)
    })

    it('a parent adds time only with the PIN of the main profile', async () => {
      expect((await addTime(kid, {})).status).toBe(403)
      expect((await addTime(kid, { pin: '0000' })).body.type).toBe('invalid_pin')
      expect((await addTime(kid, { pin: PIN })).body).toMatchObject({
        status: 'allowed',
        remaining_seconds: 900,
      })
      expect((await kid.get(`/api/profile/${household.kidId}/viewing-limits`)).status).toBe(403)
    })

    it('adding time needs the PIN of the main profile even if there is an exit PIN', async () => {
      await household.adult.put('/api/user/family/exit-pin', { pin: EXIT_PIN })
      expect((await addTime(kid, { pin: EXIT_PIN })).body.type).toBe('invalid_pin')
      expect((await addTime(kid, { pin: PIN })).status).toBe(200)
    })

    it('in a group, repeating a request with the same idempotency key adds time only once, and only for members whose time is used up', async () => {
      const createChild = async (name: string) =>
        (await household.adult.post('/api/profile', { name, kids: true })).body.profile_id
      const [usedUpChildId, limitedChildId] = [await createChild('Ended'), await createChild('Limited')]
      await endTime(household, usedUpChildId)
      await household.adult.put(`/api/profile/${limitedChildId}/viewing-limits`, {
        ...ZERO_MINUTES_LIMITS,
        school_day_minutes: 60,
        weekend_minutes: 60,
      })
      const members = [{ profile_id: usedUpChildId }, { profile_id: limitedChildId }]
      await kid.post(`/api/profile/${household.kidId}/group`, { members })
      for (let attempt = 0; attempt < 2; attempt++)
        expect((await addTime(kid, { pin: PIN, key: 'tap' })).body).toMatchObject({
          status: 'allowed',
          remaining_seconds: 900,
        })
      const loadAllowedSeconds = async (id: string) =>
        (await household.adult.get(`/api/profile/${id}/viewing-limits`)).body.today.allowed_seconds
      expect(
        await Promise.all([household.kidId, usedUpChildId, limitedChildId].map(loadAllowedSeconds)),
      ).toEqual([900, 900, 3_600])
    })
  })

  it('a parent adds time with the exit PIN if the main profile has no PIN, and after six wrong exit PINs even the right one is rejected', async () => {
    const household = await createHousehold(server, { pin: null })
    await endTime(household, household.kidId)
    const kid = await signInKid(household)
    expect((await addTime(kid, { pin: EXIT_PIN })).status).toBe(403)
    await household.adult.put('/api/user/family/exit-pin', { pin: EXIT_PIN })
    expect((await addTime(kid, { pin: EXIT_PIN })).body.status).toBe('allowed')
    const unknownRequestPath = '/api/user/requests/AAAAAAAAAAAAAAAAAAAAAA'
    expect((await kid.put(unknownRequestPath, { answer: 'once', pin: EXIT_PIN })).status).toBe(404)
    expect((await kid.put(unknownRequestPath, { answer: 'once', pin: '0000' })).body.type).toBe('invalid_pin')
    for (let attempt = 0; attempt < 5; attempt++) await addTime(kid, { pin: '0000' })
    expect((await addTime(kid, { pin: EXIT_PIN })).body.type).toBe('invalid_pin')
  })
})
