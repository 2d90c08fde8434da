/**
 * Every call on a profile, times a profile that is not the caller's, does not exist, or is locked, as everybody who might
 * try: uniform refusals, and not one row changed. Made from the contract, so that a new call is covered unnamed.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqliteDatabase } from '../../server/db/database.ts'
import { seedDemoCatalogue } from '../../server/first-run.ts'
import type { Endpoint } from '../../src/lib/contract/endpoint.ts'
import { Device, pathOf } from '../support/client.ts'
import { CONTRACT, fingerprint, nameOf, sampleBody } from '../support/contract.ts'
import { addAccount, startServer, type TestServer } from '../support/server.ts'

const CALLS = CONTRACT.filter((one) => one.access === 'profile' || one.access === 'profile:any')
  .map((one) => [nameOf(one), one] as const)
  .sort()
/** What asking itself leaves behind: who asked how often. */
const TRACES = ['rate_limit', 'sqlite_sequence']

let server: TestServer
let mediaId = ''
const targets = { foreign: '', absent: 'AAAAAAAAAAAAAAAAAAAAAA', locked: '' }
const devices: Record<string, Device> = {}

beforeAll(async () => {
  server = await startServer({ database: openSqliteDatabase(':memory:') })
  await seedDemoCatalogue(server.deps)
  const victim = await family('victim@example.org')
  targets.foreign = victim.ids.main
  const mine = await family('mallory@example.org')
  mediaId = (await mine.device.get('/api/movies?kids=true')).body.results[0].id
  targets.locked = mine.ids.other
  await mine.device.post(`/api/profile/${mine.ids.other}/lock`, { pin: '4821' })
  for (const id of [victim.ids.main, mine.ids.other]) {
    const owner = id === victim.ids.main ? victim.device : mine.device
    if (id === mine.ids.other) await owner.post(`/api/profile/${id}/unlock`, { pin: '4821' })
    await owner.put(`/api/profile/${id}/watchlist/movie/${mediaId}`)
    await owner.put(`/api/profile/${id}/feedback/movie/${mediaId}`, { feedback: 'like' })
  }
  const again = async (acting: string) => {
    const device = new Device(server)
    await device.login('mallory@example.org')
    device.profileId = acting
    return device
  }
  devices['viewer'] = await again(mine.ids.main)
  devices['kids'] = await again(mine.ids.kid)
}, 120_000)
afterAll(() => server.close())

async function family(email: string) {
  await addAccount(server, email)
  const device = new Device(server)
  await device.login(email)
  const make = async (name: string, kids = false): Promise<string> =>
    (await device.post('/api/profile', { name, kids, avatar: 1 })).body.profile_id
  const ids = { main: await make('Main'), other: await make('Other'), kid: await make('Kid', true) }
  device.profileId = ids.main
  return { device, ids }
}

const given = () => ({
  pin: '0000',
  current_pin: '0000',
  new_pin: '1111',
  name: 'Stolen',
  password: 'Wrong-Word-1',
  type: 'movie',
  media_id: mediaId,
  notification_ids: ['1'],
})
const params = (id: string) => ({
  id,
  type: 'movie',
  mediaId,
  state: 'planned',
  signal: `liked:${mediaId}`,
  import_id: 'AAAAAAAAAAAAAAAAAAAAAA',
  n: '1',
})
const send = (by: Device, endpoint: Endpoint, id: string) =>
  by.send(endpoint.method, pathOf(endpoint, params(id)), sampleBody(endpoint, given()))

describe('calls on a profile', () => {
  it('are many', () => expect(CALLS.length).toBeGreaterThan(25))

  it.each(CALLS)('%s refuses whom it does not belong to', async (_, endpoint) => {
    const before = fingerprint(server, TRACES)
    for (const who of ['viewer', 'kids']) {
      const by = devices[who] as Device
      const foreign = await send(by, endpoint, targets.foreign)
      const absent = await send(by, endpoint, targets.absent)
      expect([who, foreign.status, foreign.body]).toEqual([who, 404, absent.body])
      expect(absent.body).toEqual({
        type: 'not_found',
        status_code: 404,
        message: absent.body.message,
        errors: {},
      })
    }
    for (const id of Object.values(targets)) {
      expect((await send(new Device(server), endpoint, id)).status).toBe(401)
    }
    expect(fingerprint(server, TRACES)).toBe(before)
  })

  it.each(CALLS.filter(([, one]) => one.access === 'profile'))(
    '%s gives and does nothing while the profile is locked',
    async (_, endpoint) => {
      const before = fingerprint(server, TRACES)
      for (const who of ['viewer', 'kids']) {
        const answer = await send(devices[who] as Device, endpoint, targets.locked)
        expect([who, answer.body.type, answer.status]).toEqual([who, 'profile_locked', 403])
      }
      expect(fingerprint(server, TRACES)).toBe(before)
    },
  )
})
