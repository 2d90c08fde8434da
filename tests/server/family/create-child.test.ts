/** Creation of child profiles. The limits apply from the beginning, and a repeated call creates no second profile. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DATABASES, startTestServer, TEST_PASSWORD, type TestServer } from '../../support/server.ts'
import { createHousehold, type Household } from '../security/household.ts'

const LIMITS = { max_age: 13, guide: { violence: 'mild' }, accepts_unknown_guide: true }

describe.each(DATABASES)('creation of a profile on %s', (_name, openTestDatabase) => {
  let server: TestServer
  let household: Household
  beforeAll(async () => {
    server = await startTestServer({ database: await openTestDatabase() })
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    household = await createHousehold(server)
  })
  const createChild = (fields: object, device = household.adult) =>
    device.post('/api/profile', { name: 'Teen', ...fields })
  const listNames = async () =>
    (await household.adult.get('/api/profile')).body.results.map(({ name }: { name: string }) => name)

  it('creating a profile with limits stores the limits together with the profile', async () => {
    const { status, body: profile } = await createChild({ limits: LIMITS })
    expect([status, profile.restricted]).toEqual([201, true])
    const limitsReply = await household.adult.get(`/api/profile/${profile.profile_id}/limits`)
    expect(limitsReply.body).toEqual(LIMITS)
  })

  it('a repeated creation with the same `key` changes the profile that the first request created', async () => {
    const { body: firstProfile } = await createChild({ key: 'setup-1', limits: LIMITS })
    const repeatedReply = await createChild({
      key: 'setup-1',
      name: 'Mia',
      limits: { ...LIMITS, max_age: 14 },
    })
    expect(repeatedReply.status).toBe(201)
    expect(repeatedReply.body).toMatchObject({ ...firstProfile, name: 'Mia', audience: expect.any(String) })
    expect(await listNames()).toEqual(['Main', 'Kid', 'Mia'])
    const limitsReply = await household.adult.get(`/api/profile/${firstProfile.profile_id}/limits`)
    expect(limitsReply.body.max_age).toBe(14)
    const otherHousehold = await createHousehold(server)
    expect((await createChild({ key: 'setup-1' }, otherHousehold.adult)).body.profile_id).not.toBe(
      firstProfile.profile_id,
    )
  })

  it('rejects a repeated creation (same `key`) with 409 while the profile of the first creation is in the bin', async () => {
    const { body: profile } = await createChild({ key: 'setup-2' })
    await household.adult.delete(`/api/profile/${profile.profile_id}`, {})
    expect(await createChild({ key: 'setup-2' })).toMatchObject({
      status: 409,
      body: { errors: { key: ['deleted'] } },
    })
  })

  it('creating a profile with limits needs the main profile or the password, and creating one without limits needs neither', async () => {
    const { body: guest } = await createChild({ name: 'Guest' })
    const guestDevice = Object.assign(await household.signIn(), { profileId: guest.profile_id })
    expect((await createChild({ limits: LIMITS }, guestDevice)).status).toBe(403)
    expect((await createChild({}, guestDevice)).status).toBe(201)
    expect((await createChild({ limits: LIMITS, password: TEST_PASSWORD }, guestDevice)).status).toBe(201)
  })
})
