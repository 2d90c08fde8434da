/**
 * Sends every administrator-only request as each kind of caller without administrator rights. The server must reject
 * every request and must not change the database.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '../../src/lib/contract/endpoint.ts'
import { hashDatabase } from '../support/database-hash.ts'
import { ALL_ENDPOINTS, createSampleBody } from '../support/endpoints.ts'
import { insertTestAccount, type TestServer } from '../support/server.ts'
import { fillEndpointPath, TestClient } from '../support/test-client.ts'
import {
  type AdminTestServer,
  addMovies,
  createMovieRecord,
  startSqliteFileServer,
} from './admin/admin-test-server.ts'

const ADMIN_ENDPOINTS = ALL_ENDPOINTS.filter((endpoint) => endpoint.access === 'admin')
  .map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)
  .sort()

/** Valid values of request fields, by field name. The server rejects the generated sample values of these fields. */
const SAMPLE_VALUES_BY_FIELD: Record<string, unknown> = {
  email: 'new@example.com',
  password: 'Lumiere1895',
  key: 'invitation_days',
  value: 3,
  importer: 'demo',
  options: {},
  type: 'movie',
  trailer: 'https://example.com/trailer',
  imdb_id: 'tt7654321',
  tmdb_id: 7,
  poster: null,
  genres: [],
  lang: 'en',
  resolvers: [],
  providers: [],
  servers: [],
}
const SAMPLE_IDS = { title: '', user: '', invitation: '', block: '', job: '', backup: '', device: '' }

function buildParams(endpointPath: string): Record<string, string> {
  const id =
    endpointPath.startsWith('/auth/user') || endpointPath.startsWith('/admin/users')
      ? SAMPLE_IDS.user
      : endpointPath.startsWith('/auth/invitations')
        ? SAMPLE_IDS.invitation
        : endpointPath.startsWith('/blocklist')
          ? SAMPLE_IDS.block
          : endpointPath.startsWith('/jobs')
            ? SAMPLE_IDS.job
            : endpointPath.startsWith('/admin/backups')
              ? SAMPLE_IDS.backup
              : SAMPLE_IDS.title
  return { id, key: 'invitation_days', device_id: SAMPLE_IDS.device, field: 'rated', service: 'tmdb' }
}

function sendRequest(device: TestClient, endpoint: Endpoint) {
  const sampleValues = {
    ...SAMPLE_VALUES_BY_FIELD,
    id: SAMPLE_IDS.title,
    media_id: SAMPLE_IDS.title,
    ids: [SAMPLE_IDS.title],
  }
  return device.send(
    endpoint.method,
    fillEndpointPath(endpoint, buildParams(endpoint.path)),
    createSampleBody(endpoint, sampleValues),
  )
}

/** Returns a hash of the database. The hash excludes the audit events that record rejected requests. */
const computeDatabaseHash = () => hashDatabase(service.server)

let service: AdminTestServer
const callersByName: Record<string, TestClient> = {}
beforeAll(async () => {
  service = await startSqliteFileServer()
  const { server, admin } = service
  const [titleId = ''] = await addMovies(service, [createMovieRecord(1)])
  SAMPLE_IDS.title = titleId
  SAMPLE_IDS.user = (await insertTestAccount(server, 'other@example.com')).account_id
  const otherDevice = new TestClient(server)
  await otherDevice.login('other@example.com')
  SAMPLE_IDS.device = (await otherDevice.get('/api/auth/devices')).body.results[0].device_id
  SAMPLE_IDS.invitation = (await admin.post('/api/auth/register/invite')).body.invitation_id
  SAMPLE_IDS.block = (
    await admin.post('/api/blocklist', { type: 'keyword', value: 'nothing at all' })
  ).body.id
  const jobResponse = await admin.post('/api/admin/backups')
  SAMPLE_IDS.job = jobResponse.body.job_id
  SAMPLE_IDS.backup = (await service.waitForJob(jobResponse)).message ?? ''
  await createCallers(server, admin)
})
afterAll(() => service.stop())

/** Adds one test client to `callersByName` for each kind of caller that has no administrator rights. */
async function createCallers(server: TestServer, admin: TestClient): Promise<void> {
  const createDevice = async (email: string, role: 'admin' | 'user', profiles: Record<string, unknown>[]) => {
    await insertTestAccount(server, email, role)
    const device = new TestClient(server)
    await device.login(email)
    const profileIds: string[] = []
    for (const profile of profiles)
      profileIds.push((await device.post('/api/profile', profile)).body.profile_id)
    return { device, profileIds }
  }
  callersByName['a caller without a session'] = new TestClient(server)
  const viewer = await createDevice('viewer@example.com', 'user', [
    { name: 'Main' },
    { name: 'Kid', kids: true },
  ])
  viewer.device.profileId = viewer.profileIds[0] ?? ''
  callersByName['a viewer'] = viewer.device
  const kid = new TestClient(server)
  await kid.login('viewer@example.com')
  kid.profileId = viewer.profileIds[1] ?? ''
  callersByName['a kids profile'] = kid
  const otherProfileAdmin = await createDevice('away@example.com', 'admin', [
    { name: 'Main' },
    { name: 'Other' },
    { name: 'Kid', kids: true },
  ])
  otherProfileAdmin.device.profileId = otherProfileAdmin.profileIds[1] ?? ''
  callersByName['an administrator on another profile'] = otherProfileAdmin.device
  const adminOnKidsProfile = new TestClient(server)
  await adminOnKidsProfile.login('away@example.com')
  adminOnKidsProfile.profileId = otherProfileAdmin.profileIds[2] ?? ''
  callersByName['an administrator’s kids profile'] = adminOnKidsProfile
  const lockedAdmin = await createDevice('locked@example.com', 'admin', [{ name: 'Main' }])
  await lockedAdmin.device.post(`/api/profile/${lockedAdmin.profileIds[0]}/lock`, { pin: '4711' })
  const deviceWithProfile = new TestClient(server)
  await deviceWithProfile.login('locked@example.com')
  deviceWithProfile.profileId = lockedAdmin.profileIds[0] ?? ''
  callersByName['an administrator whose main profile is locked on this device'] = deviceWithProfile
  const deviceWithoutProfile = new TestClient(server)
  await deviceWithoutProfile.login('locked@example.com')
  callersByName['the same administrator without a profile header'] = deviceWithoutProfile
  for (const [name, change] of [
    ['a former administrator with a token from before the change', { role: 'user' }],
    ['a blocked administrator with a token from before the change', { blocked: true }],
  ] as const) {
    const email = `${'role' in change ? 'former' : 'blocked'}@example.com`
    const { device, profileIds } = await createDevice(email, 'admin', [{ name: 'Main' }])
    device.profileId = profileIds[0] ?? ''
    expect((await device.get('/api/admin/overview')).status).toBe(200)
    const { body } = await device.get('/api/auth/me')
    expect((await admin.put('/api/auth/user', { user_id: body.user_id, ...change })).status).toBe(200)
    callersByName[name] = device
  }
}

describe.each(ADMIN_ENDPOINTS)('administrator-only request %s', (_name, endpoint) => {
  it('the request is rejected for every caller without administrator rights, and changes nothing', async () => {
    const hashBefore = computeDatabaseHash()
    for (const [name, device] of Object.entries(callersByName)) {
      const { status, body } = await sendRequest(device, endpoint)
      const isUnauthenticated = name === 'a caller without a session' || name.startsWith('a blocked')
      expect([name, status], JSON.stringify(body)).toEqual([name, isUnauthenticated ? 401 : 403])
      expect([name, body.type]).toEqual([
        name,
        isUnauthenticated
          ? 'unauthorized'
          : name.includes('locked on this device')
            ? 'profile_locked'
            : 'forbidden',
      ])
    }
    expect(computeDatabaseHash()).toBe(hashBefore)
  })
})

it('rejected administrator-only requests write one audit event per minute and login', async () => {
  const viewer = callersByName['a viewer'] as TestClient
  const loadDenials = async () =>
    (await service.admin.get('/api/admin/audit?action=admin_denied&search=viewer')).body
  const denialCountBefore = (await loadDenials()).total_results
  expect(denialCountBefore).toBeGreaterThan(0)
  service.server.advanceClock(61_000)
  for (let round = 0; round < 5; round++) await viewer.get('/api/admin/overview')
  const denialsAfter = await loadDenials()
  expect(denialsAfter.total_results).toBe(denialCountBefore + 1)
  expect(denialsAfter.results[0]).toMatchObject({ outcome: 'denied', actor: { email: 'viewer@example.com' } })
})

it('endpoints that every user may call reject administrator-only parameters from a caller without administrator rights, and change nothing', async () => {
  const hashBefore = computeDatabaseHash()
  for (const [name, device] of Object.entries(callersByName)) {
    for (const response of [
      await device.put('/api/auth/user', { user_id: SAMPLE_IDS.user, role: 'admin' }),
      await device.put('/api/auth/user', { user_id: SAMPLE_IDS.user, blocked: true }),
      await device.put('/api/auth/user', { role: 'admin' }),
      await device.get('/api/movies?admin=true'),
      await device.get('/api/series?published=false'),
      await device.get(`/api/admin/backups/${SAMPLE_IDS.backup}/file`).catch(() => ({ status: 404 })),
    ])
      expect([name, [401, 403, 404].includes(response.status)]).toEqual([name, true])
  }
  expect(computeDatabaseHash()).toBe(hashBefore)
})

// The next tests run last, because their requests change data. They show that the same requests were rejected above
// only because the callers have no administrator rights.
it.each(ADMIN_ENDPOINTS)('%s is allowed for an administrator', async (_name, endpoint) => {
  const { status } = await sendRequest(service.admin, endpoint)
  expect([401, 403, 422, 500]).not.toContain(status)
})
