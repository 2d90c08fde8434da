/** Viewing time that a parent adds. A repeated call adds nothing, and several additions in quiet hours add up. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DATABASES, startTestServer, type TestServer } from '../../support/server.ts'
import { createHousehold, type Household, PIN } from '../security/household.ts'

/** Wednesday, 3 March 2027, 16:00 in Paris, in milliseconds since 1970. */
const WEDNESDAY_MS = Date.parse('2027-03-03T15:00:00Z')
const VIEWING_LIMITS = { school_day_minutes: 60, weekend_minutes: 60, quiet_start: 1_200, quiet_end: 420 }

describe.each(DATABASES)('added viewing time on %s', (_name, openTestDatabase) => {
  let server: TestServer
  let household: Household
  beforeAll(async () => {
    server = await startTestServer({ database: await openTestDatabase() })
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    server.advanceClock(WEDNESDAY_MS - server.deps.now())
    household = await createHousehold(server)
    await household.adult.put(`/api/profile/${household.kidId}/viewing-limits`, {
      ...VIEWING_LIMITS,
      time_zone: 'Europe/Paris',
    })
  })
  const addTime = (body: object, profileId = household.kidId) =>
    household.adult.post(`/api/profile/${profileId}/viewing-time/extra`, body)

  it('viewing time is added once when a request is repeated with the same idempotency key, even after another addition', async () => {
    expect((await addTime({ minutes: 15, key: 'tap-1' })).body.allowed_seconds).toBe(75 * 60)
    expect((await addTime({ minutes: 15, key: 'tap-1' })).body.allowed_seconds).toBe(75 * 60)
    expect((await addTime({ minutes: 15, key: 'tap-2' })).body.allowed_seconds).toBe(90 * 60)
    expect((await addTime({ minutes: 15, key: 'tap-1' })).body.allowed_seconds).toBe(90 * 60)
    expect((await addTime({ minutes: 15 })).body.allowed_seconds).toBe(105 * 60)
  })

  it('a request with a used idempotency key and a different number of minutes is rejected with 422 and adds nothing', async () => {
    await addTime({ minutes: 15, key: 'tap' })
    const { status, body } = await addTime({ minutes: 60, key: 'tap' })
    expect([status, body.errors]).toEqual([422, { key: ['reused'] }])
    expect((await addTime({ minutes: 15, key: 'tap' })).body.allowed_seconds).toBe(75 * 60)
  })

  it('viewing time is added once when three requests with the same key arrive at the same time', async () => {
    await Promise.all([1, 2, 3].map(() => addTime({ minutes: 30, key: 'tap' })))
    expect((await addTime({ minutes: 30, key: 'tap' })).body.allowed_seconds).toBe(90 * 60)
  })

  it('requests with the same key add viewing time to each of two profiles', async () => {
    const { body: sibling } = await household.adult.post('/api/profile', { name: 'Sibling', kids: true })
    await household.adult.put(`/api/profile/${sibling.profile_id}/viewing-limits`, VIEWING_LIMITS)
    await addTime({ minutes: 15, key: 'tap' })
    expect((await addTime({ minutes: 15, key: 'tap' }, sibling.profile_id)).body.allowed_seconds).toBe(
      75 * 60,
    )
  })

  it('after a parent has taken back added viewing time, repeating the request that took it back or the request that added it changes nothing', async () => {
    const removeTime = (key: string) =>
      household.adult.delete(`/api/profile/${household.kidId}/viewing-time/extra/${key}`, {})
    await addTime({ minutes: 60, key: 'tap-1' })
    await addTime({ minutes: 15, key: 'tap-2' })
    expect((await removeTime('tap-1')).body.allowed_seconds).toBe(75 * 60)
    expect((await removeTime('tap-1')).body.allowed_seconds).toBe(75 * 60)
    expect((await addTime({ minutes: 60, key: 'tap-1' })).body.allowed_seconds).toBe(75 * 60)
    expect((await removeTime('unknown')).status).toBe(404)
    server.advanceClock(5 * 3_600_000)
    await household.adult.login(household.email)
    await household.adult.post(`/api/profile/${household.mainId}/unlock`, { pin: '4821' })
    await addTime({ minutes: 60, key: 'tap-3' })
    await addTime({ minutes: 15, key: 'tap-4' })
    expect(Math.ceil((await removeTime('tap-3')).body.remaining_seconds / 60)).toBe(15)
    expect((await removeTime('tap-4')).body.status).toBe('over')
  })

  it('viewing time that was added for a group is removed from every member when a parent takes it back', async () => {
    const limitsWithoutMinutes = { ...VIEWING_LIMITS, school_day_minutes: 0 }
    const { body: sibling } = await household.adult.post('/api/profile', { name: 'Sibling', kids: true })
    const memberIds = [household.kidId, sibling.profile_id]
    for (const memberId of memberIds)
      await household.adult.put(`/api/profile/${memberId}/viewing-limits`, limitsWithoutMinutes)
    const tablet = Object.assign(await household.signIn(), { profileId: household.kidId })
    const kidProfilePath = `/api/profile/${household.kidId}`
    await tablet.get(`${kidProfilePath}/watchlist`)
    await tablet.post(`${kidProfilePath}/group`, { members: [{ profile_id: sibling.profile_id }] })
    const loadAllowedSeconds = () =>
      Promise.all(
        memberIds.map(
          async (memberId) =>
            (await household.adult.get(`/api/profile/${memberId}/viewing-limits`)).body.today.allowed_seconds,
        ),
      )
    await tablet.post(`${kidProfilePath}/viewing-time/extra`, { minutes: 15, key: 'tap', pin: PIN })
    expect(await loadAllowedSeconds()).toEqual([15 * 60, 15 * 60])
    const { body } = await household.adult.delete(`${kidProfilePath}/viewing-time/extra/tap`, {})
    expect([body.status, await loadAllowedSeconds()]).toEqual(['over', [0, 0]])
  })

  it('a second addition in quiet hours is added to the remaining time of the first addition', async () => {
    server.advanceClock(5 * 3_600_000)
    await household.adult.login(household.email)
    await household.adult.post(`/api/profile/${household.mainId}/unlock`, { pin: '4821' })
    expect((await addTime({ minutes: 15, key: 'tap-1' })).body.remaining_seconds).toBe(15 * 60)
    const { body } = await addTime({ minutes: 15, key: 'tap-2' })
    expect(Math.ceil(body.remaining_seconds / 60)).toBe(30)
  })
})
