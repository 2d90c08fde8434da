/** What one device does, another hears; what ends a login ends its stream; what was cleared comes back. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedDemoCatalogue } from '../../server/first-run.ts'
import { Device } from '../support/client.ts'
import { addAccount, startServer, type TestServer } from '../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await seedDemoCatalogue(server.deps)
  await addAccount(server, 'ada@example.org', 'admin')
  await addAccount(server, 'bob@example.org')
}, 120_000)
afterAll(() => server.close())

interface Heard {
  next: () => Promise<Record<string, unknown> | null>
  stop: () => Promise<void>
}

/** The events of a device, one by one; null at the end of the stream. */
async function listen(device: Device): Promise<Heard> {
  const response = await server.request('/api/events', {
    headers: { Authorization: `Bearer ${device.accessToken}` },
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  let text = ''
  const next = async (): Promise<Record<string, unknown> | null> => {
    for (;;) {
      const found = /data: (.*)\n\n/.exec(text)
      if (found) {
        text = text.slice((found.index ?? 0) + found[0].length)
        return JSON.parse(found[1] ?? '{}')
      }
      const { done, value } = await reader.read()
      if (done) return null
      text += new TextDecoder().decode(value)
    }
  }
  return { next, stop: () => reader.cancel() }
}

async function device(email: string): Promise<Device> {
  const one = new Device(server)
  await one.login(email)
  const known = (await one.get('/api/profile')).body.results
  one.profileId =
    known[0]?.profile_id ?? (await one.post('/api/profile', { name: 'Main', avatar: 1 })).body.profile_id
  return one
}

describe('events', () => {
  it('tell the other devices of the account what to ask again, and nobody else', async () => {
    const [phone, television, stranger] = [
      await device('ada@example.org'),
      await device('ada@example.org'),
      await device('bob@example.org'),
    ]
    const [heard, overheard] = [await listen(television), await listen(stranger)]
    const movie = (await phone.get('/api/movies')).body.results[0].id
    const me = phone.profileId
    await phone.put(`/api/profile/${me}/watchlist/movie/${movie}`)
    expect(await heard.next()).toEqual({ kind: 'list', profile_id: me })
    await phone.put(`/api/profile/${me}/feedback/movie/${movie}`, { feedback: 'like' })
    expect(await heard.next()).toEqual({ kind: 'feedback', profile_id: me })
    const body = { type: 'movie', media_id: movie, progress: 60, data: { video_duration: 600 } }
    await phone.post(`/api/profile/${me}/history`, body)
    expect(await heard.next()).toEqual({ kind: 'progress', profile_id: me })
    await phone.patch(`/api/movies/${movie}/publish`, { published: false })
    expect(await heard.next()).toEqual({ kind: 'catalogue' })
    await phone.patch(`/api/movies/${movie}/publish`, { published: true })
    expect(await overheard.next()).toEqual({ kind: 'catalogue' })
    await heard.stop()
    await overheard.stop()
  })

  it.each([
    [
      'its login is revoked',
      async (by: Device, sid: string) => by.post('/api/auth/logout-device', { device_id: sid }),
    ],
    [
      'the password is changed',
      async (by: Device) =>
        by.put('/api/auth/password', { current_password: 'Lumiere1895', new_password: 'Melies1902' }),
    ],
  ])('end within a second when %s', async (_, end) => {
    const email = `${crypto.randomUUID()}@example.org`
    await addAccount(server, email)
    const [here, there] = [await device(email), await device(email)]
    const heard = await listen(there)
    const devices = (await here.get('/api/auth/devices')).body.results as {
      device_id: string
      current: boolean
    }[]
    const other = devices.find((one) => !one.current)?.device_id ?? ''
    const began = performance.now()
    expect((await end(here, other)).status).toBeLessThan(300)
    expect(await heard.next()).toEqual({ kind: 'revoked' })
    expect(await heard.next()).toBeNull()
    expect(performance.now() - began).toBeLessThan(1_500)
    expect((await there.get('/api/auth/me')).status).toBe(401)
  })
})

describe('undo', () => {
  it('brings back what was reset or cleared last, with its times, once and for ten minutes', async () => {
    const one = await device('bob@example.org')
    const me = one.profileId
    const [first, second] = (await one.get('/api/movies?limit=2')).body.results as { id: string }[]
    for (const [at, movie] of [first, second].entries()) {
      await one.post(`/api/profile/${me}/history`, {
        type: 'movie',
        media_id: movie?.id,
        progress: 300 + at,
        data: { video_duration: 600 },
        at: `2026-01-0${at + 1}T10:00:00Z`,
      })
    }
    const history = async () =>
      Promise.all(
        [first, second].map(
          async (movie) => (await one.get(`/api/profile/${me}/history/movie/${movie?.id}`)).body,
        ),
      )
    const before = await history()
    expect(before[0].latest).toMatchObject({ progress: 300, updated_at: '2026-01-01T10:00:00.000Z' })
    expect((await one.delete(`/api/profile/${me}/history/movie/${first?.id}`)).status).toBe(204)
    expect((await history())[0].latest).toBeNull()
    expect((await one.post(`/api/profile/${me}/history/undo`)).status).toBe(204)
    expect(await history()).toEqual(before)
    expect((await one.post(`/api/profile/${me}/history/undo`)).status).toBe(404)

    expect((await one.delete(`/api/profile/${me}/history`)).status).toBe(204)
    expect((await history()).map((each) => each.latest)).toEqual([null, null])
    await one.post(`/api/profile/${me}/history/undo`)
    expect(await history()).toEqual(before)

    await one.delete(`/api/profile/${me}/history`)
    server.advance(601_000)
    expect((await one.post(`/api/profile/${me}/history/undo`)).status).toBe(404)
    expect((await history()).map((each) => each.latest)).toEqual([null, null])
  })
})
