/** Every call of the contract that only administrators may make, as everybody who is not one: refused, nothing changed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '../../src/lib/contract/endpoint.ts'
import { Device, pathOf } from '../support/client.ts'
import { CONTRACT, fingerprint, sampleBody } from '../support/contract.ts'
import { addAccount, type TestServer } from '../support/server.ts'
import { addMovies, movie, type Service, startService } from './admin/service.ts'

const CALLS = CONTRACT.filter((one) => one.access === 'admin')
  .map((one) => [`${one.method} ${one.path}`, one] as const)
  .sort()

/** Words that only some texts are. */
const GIVEN: Record<string, unknown> = {
  email: 'new@example.com',
  password: 'Lumiere1895',
  key: 'invitation_days',
  value: 3,
  importer: 'demo',
  options: {},
  type: 'movie',
}
const IDS = { title: '', user: '', invitation: '', block: '', job: '', backup: '', device: '' }

function paramsOf(path: string): Record<string, string> {
  const id =
    path.startsWith('/auth/user') || path.startsWith('/admin/users')
      ? IDS.user
      : path.startsWith('/auth/invitations')
        ? IDS.invitation
        : path.startsWith('/blocklist')
          ? IDS.block
          : path.startsWith('/jobs')
            ? IDS.job
            : path.startsWith('/admin/backups')
              ? IDS.backup
              : IDS.title
  return { id, key: 'invitation_days', device_id: IDS.device }
}

function send(device: Device, endpoint: Endpoint) {
  const given = { ...GIVEN, id: IDS.title, media_id: IDS.title, ids: [IDS.title] }
  return device.send(endpoint.method, pathOf(endpoint, paramsOf(endpoint.path)), sampleBody(endpoint, given))
}

/** Of everything but the log's own note of the refusal. */
const state = () =>
  fingerprint(
    service.server,
    ['audit_subject', 'sqlite_sequence'],
    (table, row) => table !== 'audit_event' || row['action'] !== 'admin_denied',
  )

let service: Service
const who: Record<string, Device> = {}
beforeAll(async () => {
  service = await startService()
  const { server, admin } = service
  const [title = ''] = await addMovies(service, [movie(1)])
  IDS.title = title
  IDS.user = (await addAccount(server, 'other@example.com')).account_id
  const other = new Device(server)
  await other.login('other@example.com')
  IDS.device = (await other.get('/api/auth/devices')).body.results[0].device_id
  IDS.invitation = (await admin.post('/api/auth/register/invite')).body.invitation_id
  IDS.block = (await admin.post('/api/blocklist', { type: 'keyword', value: 'nothing at all' })).body.id
  const job = await admin.post('/api/admin/backups')
  IDS.job = job.body.job_id
  IDS.backup = (await service.ended(job)).message ?? ''
  await cast(server, admin)
})
afterAll(() => service.stop())

/** Everybody who may not, and how they came to be it. */
async function cast(server: TestServer, admin: Device): Promise<void> {
  const device = async (email: string, role: 'admin' | 'user', profiles: Record<string, unknown>[]) => {
    await addAccount(server, email, role)
    const made = new Device(server)
    await made.login(email)
    const ids: string[] = []
    for (const one of profiles) ids.push((await made.post('/api/profile', one)).body.profile_id)
    return { made, ids }
  }
  who['nobody'] = new Device(server)
  const viewer = await device('viewer@example.com', 'user', [{ name: 'Main' }, { name: 'Kid', kids: true }])
  viewer.made.profileId = viewer.ids[0] ?? ''
  who['a viewer'] = viewer.made
  const kid = new Device(server)
  await kid.login('viewer@example.com')
  kid.profileId = viewer.ids[1] ?? ''
  who['a kids profile'] = kid
  const away = await device('away@example.com', 'admin', [
    { name: 'Main' },
    { name: 'Other' },
    { name: 'Kid', kids: true },
  ])
  away.made.profileId = away.ids[1] ?? ''
  who['an administrator on another profile'] = away.made
  const small = new Device(server)
  await small.login('away@example.com')
  small.profileId = away.ids[2] ?? ''
  who['an administrator’s kids profile'] = small
  const locked = await device('locked@example.com', 'admin', [{ name: 'Main' }])
  await locked.made.post(`/api/profile/${locked.ids[0]}/lock`, { pin: '4711' })
  const named = new Device(server)
  await named.login('locked@example.com')
  named.profileId = locked.ids[0] ?? ''
  who['an administrator whose main profile is locked here'] = named
  const unnamed = new Device(server)
  await unnamed.login('locked@example.com')
  who['the same, naming no profile'] = unnamed
  for (const [name, change] of [
    ['a former administrator with an old token', { role: 'user' }],
    ['a blocked administrator with an old token', { blocked: true }],
  ] as const) {
    const email = `${'role' in change ? 'former' : 'blocked'}@example.com`
    const { made, ids } = await device(email, 'admin', [{ name: 'Main' }])
    made.profileId = ids[0] ?? ''
    expect((await made.get('/api/admin/overview')).status).toBe(200)
    const { body } = await made.get('/api/auth/me')
    expect((await admin.put('/api/auth/user', { user_id: body.user_id, ...change })).status).toBe(200)
    who[name] = made
  }
}

describe.each(CALLS)('%s', (_name, endpoint) => {
  it('is refused to everybody but an administrator, and changes nothing', async () => {
    const before = state()
    for (const [name, device] of Object.entries(who)) {
      const { status, body } = await send(device, endpoint)
      const nobody = name === 'nobody' || name.startsWith('a blocked')
      expect([name, status], JSON.stringify(body)).toEqual([name, nobody ? 401 : 403])
      expect([name, body.type]).toEqual([
        name,
        nobody ? 'unauthorized' : name.includes('locked here') ? 'profile_locked' : 'forbidden',
      ])
    }
    expect(state()).toBe(before)
  })
})

it('stands in the log, once a minute per login', async () => {
  const viewer = who['a viewer'] as Device
  const denied = async () =>
    (await service.admin.get('/api/admin/audit?action=admin_denied&search=viewer')).body
  const before = (await denied()).total_results
  expect(before).toBeGreaterThan(0)
  service.server.advance(61_000)
  for (let round = 0; round < 5; round++) await viewer.get('/api/admin/overview')
  const after = await denied()
  expect(after.total_results).toBe(before + 1)
  expect(after.results[0]).toMatchObject({ outcome: 'denied', actor: { email: 'viewer@example.com' } })
})

it('refuses an administrator’s part of other calls alike', async () => {
  const before = state()
  for (const [name, device] of Object.entries(who)) {
    for (const answer of [
      await device.put('/api/auth/user', { user_id: IDS.user, role: 'admin' }),
      await device.put('/api/auth/user', { user_id: IDS.user, blocked: true }),
      await device.put('/api/auth/user', { role: 'admin' }),
      await device.get('/api/movies?admin=true'),
      await device.get('/api/series?published=false'),
      await device.get(`/api/admin/backups/${IDS.backup}/file`).catch(() => ({ status: 404 })),
    ])
      expect([name, [401, 403, 404].includes(answer.status)]).toEqual([name, true])
  }
  expect(state()).toBe(before)
})

/* Last, for it does what it says: the same requests, by one who may, get through to what they are about. */
it.each(CALLS)('%s is not refused to an administrator', async (_name, endpoint) => {
  const { status } = await send(service.admin, endpoint)
  expect([401, 403, 422, 500]).not.toContain(status)
})
