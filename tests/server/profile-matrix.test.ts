/**
 * Sends requests of different callers to every endpoint whose path names a profile.
 * The response must be 404 for a profile of another account, equal to the response for a profile that does not exist.
 * The response must be 403 for a locked profile, unless the access of the endpoint is `profile:any`. A caller without a
 * session must get 401.
 * No request may change a row of the database.
 * The requests are generated from the endpoint definitions, so that new endpoints are covered automatically.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '../../src/lib/contract/endpoint.ts'
import { hashDatabase } from '../support/database-hash.ts'
import { openSqliteDemoDatabase } from '../support/demo-database.ts'
import { ALL_ENDPOINTS, createSampleBody, getEndpointName } from '../support/endpoints.ts'
import { insertTestAccount, startTestServer, type TestServer } from '../support/server.ts'
import { fillEndpointPath, TestClient } from '../support/test-client.ts'

const PROFILE_ENDPOINTS = ALL_ENDPOINTS.filter(
  (endpoint) => endpoint.access === 'profile' || endpoint.access === 'profile:any',
)
  .map((endpoint) => [getEndpointName(endpoint), endpoint] as const)
  .sort()
const computeDatabaseHash = () => hashDatabase(server)

let server: TestServer
let mediaId = ''
const targetProfileIds = { foreign: '', missing: 'AAAAAAAAAAAAAAAAAAAAAA', locked: '' }
const devicesByCaller: Record<string, TestClient> = {}

beforeAll(async () => {
  server = await startTestServer({ database: await openSqliteDemoDatabase() })
  const victim = await createAccount('victim@example.org')
  targetProfileIds.foreign = victim.profileIds.main
  const attacker = await createAccount('mallory@example.org')
  mediaId = (await attacker.device.get('/api/movies?kids=true')).body.results[0].id
  targetProfileIds.locked = attacker.profileIds.other
  await attacker.device.post(`/api/profile/${attacker.profileIds.other}/lock`, { pin: '4821' })
  for (const id of [victim.profileIds.main, attacker.profileIds.other]) {
    const owner = id === victim.profileIds.main ? victim.device : attacker.device
    if (id === attacker.profileIds.other) await owner.post(`/api/profile/${id}/unlock`, { pin: '4821' })
    await owner.put(`/api/profile/${id}/watchlist/movie/${mediaId}`)
    await owner.put(`/api/profile/${id}/feedback/movie/${mediaId}`, { feedback: 'like' })
  }
  const signInAsProfile = async (profileId: string) => {
    const device = new TestClient(server)
    await device.login('mallory@example.org')
    device.profileId = profileId
    return device
  }
  devicesByCaller['viewer'] = await signInAsProfile(attacker.profileIds.main)
  devicesByCaller['kids'] = await signInAsProfile(attacker.profileIds.kid)
}, 120_000)
afterAll(() => server.close())

async function createAccount(email: string) {
  await insertTestAccount(server, email)
  const device = new TestClient(server)
  await device.login(email)
  const createProfile = async (name: string, isKids = false): Promise<string> =>
    (await device.post('/api/profile', { name, kids: isKids, avatar: 1 })).body.profile_id
  const profileIds = {
    main: await createProfile('Main'),
    other: await createProfile('Other'),
    kid: await createProfile('Kid', true),
  }
  device.profileId = profileIds.main
  return { device, profileIds }
}

const buildSampleValues = () => ({
  pin: '0000',
  current_pin: '0000',
  new_pin: '1111',
  name: 'Stolen',
  password: 'Wrong-Word-1',
  type: 'movie',
  media_id: mediaId,
  notification_ids: ['1'],
})
const buildParams = (id: string) => ({
  id,
  type: 'movie',
  mediaId,
  state: 'planned',
  signal: `liked:${mediaId}`,
  import_id: 'AAAAAAAAAAAAAAAAAAAAAA',
  n: '1',
})
const sendRequest = (device: TestClient, endpoint: Endpoint, id: string) =>
  device.send(
    endpoint.method,
    fillEndpointPath(endpoint, buildParams(id)),
    createSampleBody(endpoint, buildSampleValues()),
  )

describe('profile endpoints', () => {
  it('the matrix covers more than 25 profile endpoints', () =>
    expect(PROFILE_ENDPOINTS.length).toBeGreaterThan(25))

  it.each(PROFILE_ENDPOINTS)(
    '%s returns 404 for another account’s profile, as for a missing profile',
    async (_, endpoint) => {
      const hashBefore = computeDatabaseHash()
      for (const caller of ['viewer', 'kids']) {
        const device = devicesByCaller[caller] as TestClient
        const foreignResponse = await sendRequest(device, endpoint, targetProfileIds.foreign)
        const missingResponse = await sendRequest(device, endpoint, targetProfileIds.missing)
        expect([caller, foreignResponse.status, foreignResponse.body]).toEqual([
          caller,
          404,
          missingResponse.body,
        ])
        expect(missingResponse.body).toEqual({
          type: 'not_found',
          status_code: 404,
          message: missingResponse.body.message,
          errors: {},
        })
      }
      for (const id of Object.values(targetProfileIds)) {
        expect((await sendRequest(new TestClient(server), endpoint, id)).status).toBe(401)
      }
      expect(computeDatabaseHash()).toBe(hashBefore)
    },
  )

  it.each(PROFILE_ENDPOINTS.filter(([, endpoint]) => endpoint.access === 'profile'))(
    '%s returns 403 profile_locked and changes nothing while the profile is locked',
    async (_, endpoint) => {
      const hashBefore = computeDatabaseHash()
      for (const caller of ['viewer', 'kids']) {
        const response = await sendRequest(
          devicesByCaller[caller] as TestClient,
          endpoint,
          targetProfileIds.locked,
        )
        expect([caller, response.body.type, response.status]).toEqual([caller, 'profile_locked', 403])
      }
      expect(computeDatabaseHash()).toBe(hashBefore)
    },
  )
})
