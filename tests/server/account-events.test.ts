/** Account events between devices, closing an event stream when its login is revoked, and undo of deleted progress. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { LocalEventBus } from '../../server/providers/event-bus.ts'
import { usesPostgres } from '../support/databases.ts'
import { openDemoDatabase } from '../support/demo-database.ts'
import { insertTestAccount, startTestServer, type TestServer } from '../support/server.ts'
import { TestClient } from '../support/test-client.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ database: await openDemoDatabase() })
  await insertTestAccount(server, 'ada@example.org', 'admin')
  await insertTestAccount(server, 'bob@example.org')
}, 120_000)
afterAll(() => server.close())

interface EventStreamReader {
  readNextEvent: () => Promise<Record<string, unknown> | null>
  closeStream: () => Promise<void>
}

/** Opens the event stream of a device. `readNextEvent` returns the next event, or null at the end of the stream. */
async function openEventStream(device: TestClient): Promise<EventStreamReader> {
  const response = await server.request('/api/events', {
    headers: { Authorization: `Bearer ${device.accessToken}` },
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  let unreadText = ''
  const readNextEvent = async (): Promise<Record<string, unknown> | null> => {
    for (;;) {
      const match = /data: (.*)\n\n/.exec(unreadText)
      if (match) {
        unreadText = unreadText.slice((match.index ?? 0) + match[0].length)
        return JSON.parse(match[1] ?? '{}')
      }
      const { done, value } = await reader.read()
      if (done) return null
      unreadText += new TextDecoder().decode(value)
    }
  }
  return { readNextEvent, closeStream: () => reader.cancel() }
}

/**
 * Signs in on a new device and selects the first profile of the account. Creates a profile if the account has no
 * profile.
 */
async function signIn(email: string): Promise<TestClient> {
  const device = new TestClient(server)
  await device.login(email)
  const profiles = (await device.get('/api/profile')).body.results
  device.profileId =
    profiles[0]?.profile_id ??
    (await device.post('/api/profile', { name: 'Main', avatar: 1 })).body.profile_id
  return device
}

const listSids = async (email: string): Promise<string[]> => {
  const rows = await server.database.primary
    .selectFrom('login')
    .innerJoin('account', 'account.account_id', 'login.account_id')
    .where('account.email', '=', email)
    .select('login.sid')
    .execute()
  return rows.map(({ sid }) => sid)
}

describe('account events', () => {
  it('events of a profile reach only devices of its account, and catalogue events reach every account', async () => {
    const [phone, television, otherAccount] = [
      await signIn('ada@example.org'),
      await signIn('ada@example.org'),
      await signIn('bob@example.org'),
    ]
    const [televisionEvents, otherAccountEvents] = [
      await openEventStream(television),
      await openEventStream(otherAccount),
    ]
    const movieId = (await phone.get('/api/movies')).body.results[0].id
    const profileId = phone.profileId
    await phone.put(`/api/profile/${profileId}/watchlist/movie/${movieId}`)
    expect(await televisionEvents.readNextEvent()).toEqual({ kind: 'list', profile_id: profileId })
    await phone.put(`/api/profile/${profileId}/feedback/movie/${movieId}`, { feedback: 'like' })
    expect(await televisionEvents.readNextEvent()).toEqual({ kind: 'feedback', profile_id: profileId })
    const body = { type: 'movie', media_id: movieId, progress: 60, data: { video_duration: 600 } }
    await phone.post(`/api/profile/${profileId}/history`, body)
    expect(await televisionEvents.readNextEvent()).toEqual({ kind: 'progress', profile_id: profileId })
    await phone.patch(`/api/movies/${movieId}/publish`, { published: false })
    expect(await televisionEvents.readNextEvent()).toEqual({ kind: 'catalogue' })
    await phone.patch(`/api/movies/${movieId}/publish`, { published: true })
    expect(await otherAccountEvents.readNextEvent()).toEqual({ kind: 'catalogue' })
    await televisionEvents.closeStream()
    await otherAccountEvents.closeStream()
  })

  // On PostgreSQL, the tests use Redis, whose event bus is tested in tests/scale/redis.test.ts.
  if (!usesPostgres)
    it('every event stream gets the event `gap` when events of other processes were lost', async () => {
      const eventStream = await openEventStream(await signIn('ada@example.org'))
      ;(server.deps.bus as LocalEventBus).notifyGap()
      expect(await eventStream.readNextEvent()).toEqual({ kind: 'gap' })
      await eventStream.closeStream()
    })

  it.each([
    [
      'the login is revoked',
      async (device: TestClient, sid: string) => device.post('/api/auth/logout-device', { device_id: sid }),
    ],
    [
      'the password is changed',
      async (device: TestClient) =>
        device.put('/api/auth/password', { current_password: 'Lumiere1895', new_password: 'Melies1902' }),
    ],
  ])('the event stream of a device ends within 1.5 seconds when %s', async (_, revokeLogin) => {
    const email = `${crypto.randomUUID()}@example.org`
    await insertTestAccount(server, email)
    const [currentDevice, otherDevice] = [await signIn(email), await signIn(email)]
    const eventStream = await openEventStream(otherDevice)
    const devices = (await currentDevice.get('/api/auth/devices')).body.results as {
      device_id: string
      current: boolean
    }[]
    const otherSid = devices.find((device) => !device.current)?.device_id ?? ''
    const startedAtMs = performance.now()
    expect((await revokeLogin(currentDevice, otherSid)).status).toBeLessThan(300)
    expect(await eventStream.readNextEvent()).toEqual({ kind: 'revoked' })
    expect(await eventStream.readNextEvent()).toBeNull()
    expect(performance.now() - startedAtMs).toBeLessThan(1_500)
    expect((await otherDevice.get('/api/auth/me')).status).toBe(401)
  })
})

describe('job events', () => {
  const job = { job_id: 'j', status: 'running' }
  const publishJob = () => server.deps.bus.publish('jobs', { job })
  /** Publishes a catalogue event and reads the stream up to this event. Returns the kinds of the earlier job events. */
  const readUntilCatalogueEvent = async (eventStream: EventStreamReader): Promise<unknown[]> => {
    const eventKinds: unknown[] = []
    // Waits 100 ms, because the server reads the rights of the account from the database before it sends a job event.
    await new Promise((resolve) => setTimeout(resolve, 100))
    server.deps.bus.publish('catalogue', {})
    for (;;) {
      const event = await eventStream.readNextEvent()
      if (!event || event['kind'] === 'catalogue') return eventKinds
      if (event['kind'] === 'job') eventKinds.push(event['kind'])
    }
  }
  const setRole = (email: string, role: string) =>
    server.database.primary.updateTable('account').set({ role }).where('email', '=', email).execute()

  it('job events reach an account only while the account is an administrator and its main profile acts', async () => {
    const email = `${crypto.randomUUID()}@example.org`
    await insertTestAccount(server, email, 'admin')
    const device = await signIn(email)
    const mainProfileId = device.profileId
    const kidsProfileId = (await device.post('/api/profile', { name: 'Kid', kids: true })).body.profile_id
    await device.get('/api/profile')
    const eventStream = await openEventStream(device)
    const readJobEventsAfter = async (applyChange: () => Promise<unknown>) => {
      await applyChange()
      publishJob()
      return readUntilCatalogueEvent(eventStream)
    }
    expect(await readJobEventsAfter(async () => {})).toEqual(['job'])
    device.profileId = kidsProfileId
    expect(await readJobEventsAfter(() => device.get('/api/profile'))).toEqual([])
    device.profileId = mainProfileId
    expect(await readJobEventsAfter(() => device.get('/api/profile'))).toEqual(['job'])
    expect(await readJobEventsAfter(() => setRole(email, 'user'))).toEqual([])
    expect(await readJobEventsAfter(() => setRole(email, 'admin'))).toEqual(['job'])
    const otherDevice = await signIn(email)
    const lockMainProfile = () => otherDevice.post(`/api/profile/${mainProfileId}/lock`, { pin: '4821' })
    expect(await readJobEventsAfter(lockMainProfile)).toEqual([])
    await eventStream.closeStream()
  })
})

describe('checks of open event streams', () => {
  it('before a job event is sent, only the logins of administrators are read from the database', async () => {
    const administratorStream = await openEventStream(await signIn('ada@example.org'))
    const memberStream = await openEventStream(await signIn('bob@example.org'))
    const executeQuerySpy = vi.spyOn(server.database.primary, 'executeQuery')
    server.deps.bus.publish('jobs', { job: { job_id: 'j' } })
    expect(await administratorStream.readNextEvent()).toMatchObject({ kind: 'job' })
    const queryParameters = executeQuerySpy.mock.calls.flatMap(([query]) =>
      'parameters' in query ? query.parameters : [],
    )
    const memberSids = await listSids('bob@example.org')
    expect(queryParameters.length).toBeGreaterThan(0)
    expect(queryParameters.filter((sid) => memberSids.includes(sid as string))).toEqual([])
    executeQuerySpy.mockRestore()
    await administratorStream.closeStream()
    await memberStream.closeStream()
  })
})

describe('undo of deleted progress', () => {
  it('restores the last deleted progress with its timestamps only once, and only within a day of the deletion', async () => {
    const device = await signIn('bob@example.org')
    const profileId = device.profileId
    const [firstMovie, secondMovie] = (await device.get('/api/movies?limit=2')).body.results as {
      id: string
    }[]
    for (const [index, movie] of [firstMovie, secondMovie].entries()) {
      await device.post(`/api/profile/${profileId}/history`, {
        type: 'movie',
        media_id: movie?.id,
        progress: 300 + index,
        data: { video_duration: 600 },
        at: `2026-01-0${index + 1}T10:00:00Z`,
      })
    }
    const loadProgress = async () =>
      Promise.all(
        [firstMovie, secondMovie].map(
          async (movie) => (await device.get(`/api/profile/${profileId}/history/movie/${movie?.id}`)).body,
        ),
      )
    const progressBefore = await loadProgress()
    expect(progressBefore[0].latest).toMatchObject({ progress: 300, updated_at: '2026-01-01T10:00:00.000Z' })
    expect((await device.delete(`/api/profile/${profileId}/history/movie/${firstMovie?.id}`)).status).toBe(
      200,
    )
    expect((await loadProgress())[0].latest).toBeNull()
    expect((await device.post(`/api/profile/${profileId}/history/undo`)).status).toBe(204)
    expect(await loadProgress()).toEqual(progressBefore)
    expect((await device.post(`/api/profile/${profileId}/history/undo`)).status).toBe(404)

    expect((await device.delete(`/api/profile/${profileId}/history`)).status).toBe(200)
    expect((await loadProgress()).map((progress) => progress.latest)).toEqual([null, null])
    await device.post(`/api/profile/${profileId}/history/undo`)
    expect(await loadProgress()).toEqual(progressBefore)

    await device.delete(`/api/profile/${profileId}/history`)
    server.advanceClock(86_401_000)
    await device.login('bob@example.org')
    expect((await device.post(`/api/profile/${profileId}/history/undo`)).status).toBe(404)
    expect((await loadProgress()).map((progress) => progress.latest)).toEqual([null, null])
  })
})
