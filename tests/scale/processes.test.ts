/** Two processes of the product behind a real nginx, over a real PostgreSQL and Redis, and what befalls them. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Household, startHousehold } from '../support/processes.ts'
import { Visitor } from '../support/visitor.ts'
import { adminOf, killInTurn, newVisitor, titleIds, untilFine, writeDuring } from './scenarios.ts'
import { changeAndLook, securityChanges } from './staleness.ts'

let household: Household
beforeAll(async () => {
  household = await startHousehold()
}, 300_000)
afterAll(() => household?.stop())

it('made one household, although both processes started on the empty database at the same moment', async () => {
  const admin = await adminOf(household)
  const { body } = await admin.get('/api/auth/users')
  expect(body.total_results).toBe(1)
  expect((await admin.get('/api/profile')).body.results).toHaveLength(4)
  const counts = await Promise.all(
    household.processes.map(
      async ({ url }) => (await admin.at(url).get('/api/movies?limit=1')).body.total_results,
    ),
  )
  expect(counts[0]).toBe(counts[1])
})

it('loses no acknowledged write when processes are killed, and fails for a moment at most', async () => {
  const run = await writeDuring(household, 4, () => killInTurn(household, 2))
  expect(run.acknowledged).toBeGreaterThan(100)
  expect(run).toMatchObject({ lost: 0 })
  expect(run.longestBurstMs).toBeLessThanOrEqual(2_000)
}, 180_000)

describe('what one process changes, the other knows at once', () => {
  it('for published titles, the block list, roles, kids profiles and PINs', async () => {
    const { changes, admin, viewer } = await securityChanges(household)
    const [one, two] = household.processes.map(({ url }) => url) as [string, string]
    for (const change of changes) {
      const subject = change.name === 'publish' || change.name === 'block list' ? admin : viewer
      const result = await changeAndLook(
        change,
        { on: admin.at(one), from: subject.at(two), by: [subject.at(two), subject.at(one)] },
        20,
      )
      const bound = change.name.endsWith('in lists') ? 2_000 : 0
      expect([change.name, result.longestMs <= bound]).toEqual([change.name, true])
      if (bound === 0) expect([change.name, result.stale]).toEqual([change.name, 0])
    }
  }, 120_000)
})

describe('when Redis is gone', () => {
  it('goes on signing in, out and unlocking, as correct as before and hardly slower', async () => {
    const admin = await adminOf(household)
    const viewer = await newVisitor(admin, `redisless${Date.now()}`)
    const [id] = await titleIds(admin, 1)
    household.redis.pause()
    try {
      const started = performance.now()
      const steps = [
        await new Visitor(household.url).login(household.admin.email, household.admin.password),
        await viewer.get(`/api/movies/${id}`),
        await viewer.post('/api/auth/refresh'),
        await admin.patch(`/api/movies/${id}/publish`, { published: false }),
        await viewer.get('/api/search?q=the'),
      ]
      expect(steps.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
      expect((await viewer.get(`/api/movies/${id}`)).status).toBe(404)
      expect((await admin.patch(`/api/movies/${id}/publish`, { published: true })).status).toBe(200)
      expect((await viewer.get(`/api/movies/${id}`)).status).toBe(200)
      expect((await viewer.post('/api/auth/logout')).status).toBe(204)
      expect((await viewer.get('/api/auth/me')).status).toBe(401)
      expect(performance.now() - started).toBeLessThan(10_000)
    } finally {
      household.redis.resume()
    }
  }, 60_000)

  it('forgets no wrong PIN when Redis forgets everything', async () => {
    const admin = await adminOf(household)
    const viewer = await newVisitor(admin, `pins${Date.now()}`)
    const path = `/api/profile/${viewer.profileId}`
    await viewer.post(`${path}/lock`, { pin: '4711', password: 'Lumiere1895' })
    const other = new Visitor(household.url)
    await other.login(`${(await viewer.get('/api/auth/me')).body.email}`, 'Lumiere1895')
    for (let guess = 0; guess < 5; guess += 1)
      expect((await other.post(`${path}/unlock`, { pin: '0000' })).status).toBe(403)
    await household.redis.down()
    await household.redis.up()
    const right = await other.post(`${path}/unlock`, { pin: '4711' })
    expect([right.status, Number(right.headers.get('retry-after')) > 0]).toEqual([403, true])
    expect((await viewer.get('/api/auth/me')).status).toBe(200)
  }, 60_000)
})

describe('when PostgreSQL is gone', () => {
  it('says 503 with Retry-After meanwhile, loses nothing, and recovers by itself', async () => {
    const admin = await adminOf(household)
    const [id] = await titleIds(admin, 1)
    const seen: [number, boolean][] = []
    const run = await writeDuring(household, 3, async () => {
      await pause(500)
      await household.postgres.down()
      for (const end = performance.now() + 3_000; performance.now() < end; ) {
        const { status, headers } = await admin.get(`/api/movies/${id}`)
        seen.push([status, headers.has('retry-after')])
      }
      await household.postgres.up()
      expect(await untilFine(household)).toBeLessThan(10_000)
      await pause(500)
    })
    expect(seen.length).toBeGreaterThan(5)
    for (const one of seen) expect(one).toEqual([503, true])
    expect(run).toMatchObject({ lost: 0 })
    expect(Object.keys(run.statuses)).toEqual(['503'])
    expect((await admin.get(`/api/movies/${id}`)).status).toBe(200)
    for (const { said } of household.processes) expect(said()).not.toMatch(/uncaught/i)
  }, 120_000)

  it('waits for one that is silent, within bounds, and goes on when it speaks again', async () => {
    const admin = await adminOf(household)
    const [id] = await titleIds(admin, 1)
    household.postgres.pause()
    const waiting = Array.from({ length: 40 }, () => admin.get(`/api/movies/${id}`))
    await pause(2_000)
    household.postgres.resume()
    const answers = await Promise.all(waiting)
    for (const { status, headers } of answers)
      expect(status === 200 || (status === 503 && headers.has('retry-after'))).toBe(true)
    expect(await untilFine(household)).toBeLessThan(10_000)
  }, 60_000)
})

it('replaces one process after the other without one request lost', async () => {
  const admin = await adminOf(household)
  const [id] = await titleIds(admin, 1)
  const failed: number[] = []
  let on = true
  let asked = 0
  const readers = Array.from({ length: 6 }, async () => {
    while (on) {
      const { status } = await admin.get(`/api/movies/${id}`)
      asked += 1
      if (status !== 200) failed.push(status)
    }
  })
  for (const one of household.processes) {
    await pause(300)
    expect(await one.term()).toBe(0)
    await one.up()
    // nginx leaves a server that refused alone for a second, and counts whole ones: for two at most.
    await pause(2_200)
  }
  on = false
  await Promise.all(readers)
  expect(asked).toBeGreaterThan(100)
  expect(failed).toEqual([])
}, 120_000)
