/** Every call of the contract that only administrators may make, as everybody who is not one: refused, nothing changed. */
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { Endpoint } from '../../src/lib/contract/endpoint.ts'
import { Device, pathOf } from '../support/client.ts'
import { addAccount, type TestServer } from '../support/server.ts'
import { addMovies, movie, type Service, startService } from './admin/service.ts'

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value
const modules = await Promise.all(globSync('src/lib/contract/*.ts').map((path) => import(resolve(path))))
const CONTRACT: Endpoint[] = modules.flatMap((module) => Object.values(module as object).filter(isEndpoint))
const CALLS = CONTRACT.filter((one) => one.access === 'admin')
  .map((one) => [`${one.method} ${one.path}`, one] as const)
  .sort()

interface Json {
  [key: string]: unknown
  properties?: Record<string, Json>
  items?: Json
  anyOf?: Json[]
  enum?: unknown[]
}

/** A body that the contract accepts, with every field filled in. */
function sample(schema: Json, name = ''): unknown {
  if (name === 'id' || name === 'media_id' || name === 'ids') return name === 'ids' ? [IDS.title] : IDS.title
  if (name in GIVEN && !(name === 'value' && schema['type'] === 'string')) return GIVEN[name]
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return sample(schema.anyOf[0] ?? {}, name)
  if (schema.properties) {
    return Object.fromEntries(Object.entries(schema.properties).map(([key, one]) => [key, sample(one, key)]))
  }
  if (schema['type'] === 'array') return [sample(schema.items ?? {})]
  if (schema['type'] === 'boolean') return false
  if (schema['type'] === 'integer' || schema['type'] === 'number') return schema['minimum'] ?? 1
  return 'sample'
}
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
  const body =
    endpoint.method === 'GET'
      ? undefined
      : sample(z.toJSONSchema(endpoint.body, { io: 'input', unrepresentable: 'any' }) as Json)
  return device.send(endpoint.method, pathOf(endpoint, paramsOf(endpoint.path)), body)
}

/** Every table; of a login, what is not a mere trace of the request itself; of the log, what is not the refusal. */
async function fingerprint({ database }: TestServer): Promise<string> {
  const db = database.sqlite
  if (!db) throw new Error('SQLite is needed')
  const hash = createHash('sha256')
  const tables = db.prepare("select name from sqlite_schema where type = 'table' order by name").all()
  for (const { name } of tables) {
    if (name === 'audit_subject' || name === 'sqlite_sequence') continue
    const told = name === 'audit_event' ? " where action <> 'admin_denied'" : ''
    for (const row of db.prepare(`select * from "${name}"${told}`).all()) {
      const { last_active_at: _at, active_profile_id: _profile, successor_used: _used, ...rest } = row
      hash.update(JSON.stringify([name, name === 'login' ? rest : row]))
    }
  }
  return hash.digest('hex')
}

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
    const before = await fingerprint(service.server)
    for (const [name, device] of Object.entries(who)) {
      const { status, body } = await send(device, endpoint)
      const nobody = name === 'nobody' || name.startsWith('a blocked')
      expect([name, status], JSON.stringify(body)).toEqual([name, nobody ? 401 : 403])
      expect([name, body.type]).toEqual([
        name,
        nobody ? 'unauthorized' : name.includes('locked here') ? 'profile_locked' : 'forbidden',
      ])
    }
    expect(await fingerprint(service.server)).toBe(before)
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
  const before = await fingerprint(service.server)
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
  expect(await fingerprint(service.server)).toBe(before)
})

/* Last, for it does what it says: the same requests, by one who may, get through to what they are about. */
it.each(CALLS)('%s is not refused to an administrator', async (_name, endpoint) => {
  const { status } = await send(service.admin, endpoint)
  expect([401, 403, 422, 500]).not.toContain(status)
})
