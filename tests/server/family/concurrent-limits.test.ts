/** Parents on two devices change limits of a child at the same time. Each device sends only the changed limits. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DATABASES, startTestServer, type TestServer } from '../../support/server.ts'
import { createHousehold, type Household } from '../security/household.ts'

describe.each(DATABASES)('concurrent changes of limits on %s', (_name, openTestDatabase) => {
  let server: TestServer
  let household: Household
  beforeAll(async () => {
    server = await startTestServer({ database: await openTestDatabase() })
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    household = await createHousehold(server)
  })
  const putForKid = (path: string, body: object) =>
    household.adult.put(`/api/profile/${household.kidId}/${path}`, body)
  const getForKid = async (path: string) =>
    (await household.adult.get(`/api/profile/${household.kidId}/${path}`)).body

  it('two concurrent requests that change limits change only the categories of the parental guide that each of them names', async () => {
    await putForKid('limits', { guide: { sex: 'none', fright: 'moderate' } })
    await Promise.all([
      putForKid('limits', { guide_changes: { violence: 'mild', fright: null } }),
      putForKid('limits', { guide_changes: { profanity: 'moderate' }, max_age: 8 }),
    ])
    expect(await getForKid('limits')).toMatchObject({
      max_age: 8,
      guide: { sex: 'none', violence: 'mild', profanity: 'moderate' },
    })
    const combinedReply = await putForKid('limits', {
      guide: { sex: 'mild' },
      guide_changes: { violence: 'none' },
    })
    expect(combinedReply.body.guide).toEqual({ sex: 'mild', violence: 'none' })
  })

  it('three concurrent requests change only the viewing limits that each of them names, and a request that would make the quiet hours invalid is rejected', async () => {
    await putForKid('viewing-limits', {
      school_day_minutes: 60,
      weekend_minutes: null,
      quiet_start: 1_200,
      quiet_end: 420,
    })
    await Promise.all([
      putForKid('viewing-limits', { school_day_minutes: 30 }),
      putForKid('viewing-limits', { weekend_minutes: 90 }),
      putForKid('viewing-limits', { quiet_end: 480 }),
    ])
    expect((await getForKid('viewing-limits')).limits).toEqual({
      school_day_minutes: 30,
      weekend_minutes: 90,
      quiet_start: 1_200,
      quiet_end: 480,
    })
    expect((await putForKid('viewing-limits', { quiet_start: null })).status).toBe(422)
    expect((await putForKid('viewing-limits', { quiet_start: 480 })).status).toBe(422)
  })

  it('a change of the daily minutes keeps the time that a parent has added in quiet hours', async () => {
    await putForKid('viewing-limits', { quiet_start: 0, quiet_end: 1_439 })
    await household.adult.post(`/api/profile/${household.kidId}/viewing-time/extra`, { minutes: 15 })
    const { body } = await putForKid('viewing-limits', { weekend_minutes: 300, school_day_minutes: 300 })
    expect(body.today.status).toBe('allowed')
    expect((await putForKid('viewing-limits', { quiet_start: 1 })).body.limits.quiet_start).toBe(1)
  })

  it('two concurrent changes of different child options are both stored', async () => {
    await putForKid('child-options', { may_ask: true, spoken_labels: false })
    await Promise.all([
      putForKid('child-options', { spoken_labels: true }),
      putForKid('child-options', { may_ask: false }),
    ])
    expect(await getForKid('child-options')).toEqual({ may_ask: false, spoken_labels: true })
  })
})
