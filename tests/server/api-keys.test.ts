/** API keys: creation, profiles, revocation, expiry and limits, on both databases. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createAdministrator } from '../../server/services/accounts/create-administrator.ts'
import { ATTEMPT_LIMITS } from '../../server/services/auth/attempt-limit.ts'
import type { ApiKeyScope } from '../../src/lib/contract/endpoint.ts'
import { DATABASES, startTestServer, TEST_PASSWORD, type TestServer } from '../support/server.ts'
import { TestClient } from '../support/test-client.ts'
import { addTestTitles, createHousehold, type Household } from './security/household.ts'

const DAY_MS = 86_400_000

describe.each(DATABASES)('API keys on %s', (_name, openTestDatabase) => {
  let server: TestServer
  let household: Household
  let titles: Awaited<ReturnType<typeof addTestTitles>>
  beforeAll(async () => {
    server = await startTestServer({ database: await openTestDatabase() })
    titles = await addTestTitles(server)
  }, 60_000)
  afterAll(() => server.close())
  beforeEach(async () => {
    await server.database.primary.deleteFrom('rate_limit').execute()
    household = await createHousehold(server, { role: 'admin', pin: null })
  })

  const requestApiKey = (change: object = {}, device = household.adult) =>
    device.post('/api/auth/api-keys', {
      name: 'Home automation',
      scopes: ['catalogue:read', 'tracking:read', 'tracking:write'] satisfies ApiKeyScope[],
      password: TEST_PASSWORD,
      ...change,
    })
  const toClient = (token: string) => Object.assign(new TestClient(server), { accessToken: token })
  const createApiKey = async (change: object = {}, device = household.adult) => {
    const { status, body } = await requestApiKey(change, device)
    expect(status, JSON.stringify(body)).toBe(201)
    return { keyId: body.key_id as string, client: toClient(body.token) }
  }
  const statusOf = async (client: TestClient, path = '/api/movies') => (await client.get(path)).status

  /** Sends requests in parallel, at most as many at a time as the server admits. */
  const sendAll = async (count: number, send: () => Promise<number>) => {
    const statuses: number[] = []
    while (statuses.length < count) statuses.push(...(await Promise.all(Array.from({ length: 20 }, send))))
    return statuses
  }

  it('shows a new key once, stores it as a hash, and lists the time of its last use', async () => {
    const { body } = await requestApiKey({ expires_in_days: 30 })
    expect(body.token).toMatch(/^mqk_[\w-]{43}$/)
    expect(await statusOf(toClient(body.token))).toBe(200)
    const list = await household.adult.get('/api/auth/api-keys')
    const { token, ...key } = body
    expect(list.body.results).toEqual([{ ...key, last_used: expect.any(String) }])
    const rows = await server.database.primary.selectFrom('api_key').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token.slice(4))
    expect(server.logLines.join('')).not.toContain(token.slice(4))
    const { body: activity } = await household.adult.get('/api/auth/activities')
    expect(activity.results[0].action).toBe('api_key_create')
  })

  it('creates a key only with the password and known scopes, and a key with the scope `admin` only for an administrator and no profile', async () => {
    const member = await createHousehold(server, { pin: null })
    expect((await requestApiKey({ password: 'Wrong12345' })).status).toBe(403)
    expect((await requestApiKey({ password: undefined })).status).toBe(422)
    expect((await requestApiKey({ scopes: [] })).status).toBe(422)
    expect((await requestApiKey({ scopes: ['everything'] })).status).toBe(422)
    expect((await requestApiKey({ scopes: ['admin'] }, member.adult)).status).toBe(403)
    expect((await requestApiKey({ scopes: ['admin'], profile_id: household.mainId })).status).toBe(422)
    expect((await requestApiKey({ profile_id: member.mainId })).status).toBe(422)
  })

  it('a key acts for the profile that the request names, or for the profile to which the key is limited', async () => {
    const { client } = await createApiKey()
    const progress = { type: 'movie', media_id: titles.safe.id, progress: 60, data: { video_duration: 600 } }
    expect((await client.post(`/api/profile/${household.mainId}/history`, progress)).status).toBeLessThan(300)
    expect(await statusOf(client, `/api/movies/${titles.unsafe.id}`)).toBe(200)
    client.profileId = household.kidId
    expect(await statusOf(client, `/api/movies/${titles.unsafe.id}`)).toBe(404)
    const { client: kidsKey } = await createApiKey({ profile_id: household.kidId })
    expect(await statusOf(kidsKey, `/api/movies/${titles.unsafe.id}`)).toBe(404)
    expect(await statusOf(kidsKey, `/api/profile/${household.kidId}/watchlist`)).toBe(200)
    expect(await statusOf(kidsKey, `/api/profile/${household.mainId}/watchlist`)).toBe(404)
    kidsKey.profileId = household.mainId
    expect(await statusOf(kidsKey)).toBe(403)
    const { body } = await Object.assign(kidsKey, { profileId: null }).get('/api/profile')
    expect(body.results.map(({ name }: { name: string }) => name)).toEqual(['Kid'])
  })

  it('a key never opens a profile with a PIN, even if a device has unlocked the profile', async () => {
    const unrestrictedKey = await createApiKey()
    const ofMain = await createApiKey({ profile_id: household.mainId })
    await household.adult.post(`/api/profile/${household.mainId}/lock`, { pin: '4821' })
    await household.adult.post(`/api/profile/${household.mainId}/unlock`, { pin: '4821' })
    const path = `/api/profile/${household.mainId}/watchlist`
    expect(await statusOf(unrestrictedKey.client, path)).toBe(404)
    expect(await statusOf(unrestrictedKey.client, `/api/movies/${titles.unsafe.id}`)).toBe(404)
    const locked = await ofMain.client.get('/api/movies')
    expect([locked.status, locked.body.type]).toEqual([403, 'profile_locked'])
    expect((await requestApiKey({ profile_id: household.mainId })).body.errors).toEqual({
      profile_id: ['locked'],
    })
    expect((await unrestrictedKey.client.get('/api/profile')).body.results).toHaveLength(1)
  })

  it('rejects a password as proof in a request with a key, so that a key cannot guess the password', async () => {
    const { client } = await createApiKey({ profile_id: household.kidId })
    const path = `/api/profile/${household.kidId}/history`
    for (const password of [TEST_PASSWORD, 'Wrong12345']) {
      const { status, body } = await client.delete(path, { password })
      expect([status, body.errors]).toEqual([403, { password: ['needed'] }])
    }
  })

  it('a key with the scope `admin` works without a profile while the account is an administrator', async () => {
    await household.adult.post(`/api/profile/${household.mainId}/lock`, { pin: '4821' })
    const { client } = await createApiKey({ scopes: ['admin'] })
    expect(await statusOf(client, '/api/admin/overview')).toBe(200)
    expect((await client.post('/api/blocklist', { type: 'keyword', value: 'x' })).status).toBe(201)
    await createHousehold(server, { role: 'admin' })
    const { primary } = server.database
    await primary
      .updateTable('account')
      .set({ role: 'user' })
      .where('account_id', '=', household.accountId)
      .execute()
    expect(await statusOf(client, '/api/admin/overview')).toBe(403)
  })

  it('rejects an administrator read with 403 for a key without the scope `admin`', async () => {
    const { client } = await createApiKey()
    expect(await statusOf(client, '/api/movies?admin=true')).toBe(403)
  })

  it('rejects a key that was revoked or has expired, and every key of a blocked account', async () => {
    const revoked = await createApiKey()
    expect((await household.adult.delete(`/api/auth/api-keys/${revoked.keyId}`)).status).toBe(204)
    expect(await statusOf(revoked.client)).toBe(401)
    const expiring = await createApiKey({ expires_in_days: 1 })
    const lasting = await createApiKey({ expires_in_days: null })
    server.advanceClock(DAY_MS)
    expect([await statusOf(expiring.client), await statusOf(lasting.client)]).toEqual([401, 200])
    const { primary } = server.database
    await primary
      .updateTable('account')
      .set({ blocked: 1 })
      .where('account_id', '=', household.accountId)
      .execute()
    expect(await statusOf(lasting.client)).toBe(401)
  })

  it('does not revoke a key of another account', async () => {
    const { keyId, client } = await createApiKey()
    const otherHousehold = await createHousehold(server, { pin: null })
    expect((await otherHousehold.adult.delete(`/api/auth/api-keys/${keyId}`)).status).toBe(404)
    expect(await statusOf(client)).toBe(200)
  })

  const ENDINGS: Record<string, (member: Household) => Promise<unknown>> = {
    'a password reset': async ({ accountId }) => {
      const { body } = await household.adult.post(`/api/admin/users/${accountId}/password-reset`)
      const token = new URL(body.url).searchParams.get('token')
      const reset = { token, new_password: 'Melies1902' }
      await new TestClient(server).post('/api/auth/password-reset/complete', reset)
    },
    'a sign-out by an administrator': ({ accountId }) =>
      household.adult.post(`/api/admin/users/${accountId}/sign-out`),
    'the removal of the second factor': ({ accountId }) =>
      household.adult.delete(`/api/admin/users/${accountId}/second-factor`),
    'create-admin': ({ email }) =>
      createAdministrator(server.deps, { email, password: 'Melies1902', replacesExisting: true }),
  }
  it.each(Object.entries(ENDINGS))('rejects a key after %s', async (_reason, endKey) => {
    const member = await createHousehold(server, { pin: null })
    const { client } = await createApiKey({}, member.adult)
    await endKey(member)
    expect(await statusOf(client)).toBe(401)
  })

  it('describes API keys in the API reference, with the scope of each call', async () => {
    const page = await (await server.request('/api/docs')).text()
    expect(page).toContain('curl -H &#34;Authorization: Bearer mqk_')
    const { paths, components } = await (await server.request('/api/openapi.json')).json()
    expect(components.securitySchemes.apiKey.scheme).toBe('bearer')
    const { 'x-scope': scope, security } = paths['/api/movies'].get
    expect([scope, security]).toEqual(['catalogue:read', [{ bearer: [] }, { apiKey: [] }]])
    expect(paths['/api/auth/password'].put.security).toEqual([{ bearer: [] }])
  })

  it('limits a key to 300 requests a minute', async () => {
    const { client } = await createApiKey({ scopes: ['tracking:read'] })
    const firstStatuses = await sendAll(300, () => statusOf(client))
    expect(firstStatuses).not.toContain(429)
    // While Redis is slow, a process counts only its own requests, so the limit may be reached later.
    const laterStatuses = await sendAll(320, () => statusOf(client))
    expect(laterStatuses).toContain(429)
  })

  it('limits attempts with unknown keys to 20 from one address, and still accepts valid keys from that address', async () => {
    const { client } = await createApiKey()
    const sendUnknownKey = () => statusOf(toClient(`mqk_${crypto.randomUUID()}`))
    const statuses = await sendAll(200, sendUnknownKey)
    expect(statuses.filter((status) => status === 401)).toHaveLength(ATTEMPT_LIMITS.apiKeyAddress.allowed)
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
    expect(await statusOf(client)).toBe(200)
  })
})
