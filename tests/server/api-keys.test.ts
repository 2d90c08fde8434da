/** API keys on SQLite and PostgreSQL: creation, profiles, revocation, expiry and limits. */
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

  const requestApiKey = (overrides: object = {}, device = household.adult) =>
    device.post('/api/auth/api-keys', {
      name: 'Home automation',
      scopes: ['catalogue:read', 'tracking:read', 'tracking:write'] satisfies ApiKeyScope[],
      password: TEST_PASSWORD,
      ...overrides,
    })
  const createKeyClient = (token: string) => Object.assign(new TestClient(server), { accessToken: token })
  const createApiKey = async (overrides: object = {}, device = household.adult) => {
    const { status, body } = await requestApiKey(overrides, device)
    expect(status, JSON.stringify(body)).toBe(201)
    return { keyId: body.key_id as string, client: createKeyClient(body.token) }
  }
  const loadStatus = async (client: TestClient, path = '/api/movies') => (await client.get(path)).status

  /**
   * Sends at least `requestCount` requests and returns their statuses. At most 20 requests run in parallel, because
   * the server rejects requests above its limit of parallel requests.
   */
  const sendInBatches = async (requestCount: number, sendRequest: () => Promise<number>) => {
    const statuses: number[] = []
    while (statuses.length < requestCount)
      statuses.push(...(await Promise.all(Array.from({ length: 20 }, sendRequest))))
    return statuses
  }

  it('a new key is shown once, stored as a hash, and listed with the time of its last use', async () => {
    const { body } = await requestApiKey({ expires_in_days: 30 })
    expect(body.token).toMatch(/^mqk_[\w-]{43}$/)
    expect(await loadStatus(createKeyClient(body.token))).toBe(200)
    const keysResponse = await household.adult.get('/api/auth/api-keys')
    const { token, ...listedKey } = body
    expect(keysResponse.body.results).toEqual([{ ...listedKey, last_used: expect.any(String) }])
    const rows = await server.database.primary.selectFrom('api_key').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(token.slice(4))
    expect(server.logLines.join('')).not.toContain(token.slice(4))
    const { body: activity } = await household.adult.get('/api/auth/activities')
    expect(activity.results[0].action).toBe('api_key_create')
  })

  it('a key is created only with the password and known scopes, and gets the scope `admin` only from an administrator', async () => {
    const memberHousehold = await createHousehold(server, { pin: null })
    expect((await requestApiKey({ password: 'Wrong12345' })).status).toBe(403)
    expect((await requestApiKey({ password: undefined })).status).toBe(422)
    expect((await requestApiKey({ scopes: [] })).status).toBe(422)
    expect((await requestApiKey({ scopes: ['everything'] })).status).toBe(422)
    expect((await requestApiKey({ scopes: ['admin'] }, memberHousehold.adult)).status).toBe(403)
    expect((await requestApiKey({ scopes: ['admin'], profile_id: household.mainId })).status).toBe(422)
    expect((await requestApiKey({ profile_id: memberHousehold.mainId })).status).toBe(422)
  })

  it('a key acts for the profile that the request names, or for the profile to which the key is limited', async () => {
    const { client } = await createApiKey()
    const progressReport = {
      type: 'movie',
      media_id: titles.safe.id,
      progress: 60,
      data: { video_duration: 600 },
    }
    expect(
      (await client.post(`/api/profile/${household.mainId}/history`, progressReport)).status,
    ).toBeLessThan(300)
    expect(await loadStatus(client, `/api/movies/${titles.unsafe.id}`)).toBe(200)
    client.profileId = household.kidId
    expect(await loadStatus(client, `/api/movies/${titles.unsafe.id}`)).toBe(404)
    const { client: kidsClient } = await createApiKey({ profile_id: household.kidId })
    expect(await loadStatus(kidsClient, `/api/movies/${titles.unsafe.id}`)).toBe(404)
    expect(await loadStatus(kidsClient, `/api/profile/${household.kidId}/watchlist`)).toBe(200)
    expect(await loadStatus(kidsClient, `/api/profile/${household.mainId}/watchlist`)).toBe(404)
    kidsClient.profileId = household.mainId
    expect(await loadStatus(kidsClient)).toBe(403)
    const { body } = await Object.assign(kidsClient, { profileId: null }).get('/api/profile')
    expect(body.results.map(({ name }: { name: string }) => name)).toEqual(['Kid'])
  })

  it('a key never opens a profile with a PIN, even if a device has unlocked the profile', async () => {
    const unrestrictedKey = await createApiKey()
    const mainProfileKey = await createApiKey({ profile_id: household.mainId })
    await household.adult.post(`/api/profile/${household.mainId}/lock`, { pin: '4821' })
    await household.adult.post(`/api/profile/${household.mainId}/unlock`, { pin: '4821' })
    const path = `/api/profile/${household.mainId}/watchlist`
    expect(await loadStatus(unrestrictedKey.client, path)).toBe(404)
    expect(await loadStatus(unrestrictedKey.client, `/api/movies/${titles.unsafe.id}`)).toBe(404)
    const lockedResponse = await mainProfileKey.client.get('/api/movies')
    expect([lockedResponse.status, lockedResponse.body.type]).toEqual([403, 'profile_locked'])
    expect((await requestApiKey({ profile_id: household.mainId })).body.errors).toEqual({
      profile_id: ['locked'],
    })
    expect((await unrestrictedKey.client.get('/api/profile')).body.results).toHaveLength(1)
  })

  it('a password is not accepted as proof in a request with a key, so that a program with a key cannot guess the password', async () => {
    const { client } = await createApiKey({ profile_id: household.kidId })
    const path = `/api/profile/${household.kidId}/history`
    for (const password of [TEST_PASSWORD, 'Wrong12345']) {
      const { status, body } = await client.delete(path, { password })
      expect([status, body.errors]).toEqual([403, { password: ['needed'] }])
    }
  })

  it('a key with the scope `admin` needs no profile, and is rejected after the account has lost the administrator role', async () => {
    await household.adult.post(`/api/profile/${household.mainId}/lock`, { pin: '4821' })
    const { client } = await createApiKey({ scopes: ['admin'] })
    expect(await loadStatus(client, '/api/admin/overview')).toBe(200)
    expect((await client.post('/api/blocklist', { type: 'keyword', value: 'x' })).status).toBe(201)
    await createHousehold(server, { role: 'admin' })
    const { primary } = server.database
    await primary
      .updateTable('account')
      .set({ role: 'user' })
      .where('account_id', '=', household.accountId)
      .execute()
    expect(await loadStatus(client, '/api/admin/overview')).toBe(403)
  })

  it('a key without the scope `admin` cannot read administrator data, and is rejected with 403', async () => {
    const { client } = await createApiKey()
    expect(await loadStatus(client, '/api/movies?admin=true')).toBe(403)
  })

  it('a key that was revoked or has expired is rejected, and so is every key of a blocked account', async () => {
    const revokedKey = await createApiKey()
    expect((await household.adult.delete(`/api/auth/api-keys/${revokedKey.keyId}`)).status).toBe(204)
    expect(await loadStatus(revokedKey.client)).toBe(401)
    const expiringKey = await createApiKey({ expires_in_days: 1 })
    const lastingKey = await createApiKey({ expires_in_days: null })
    server.advanceClock(DAY_MS)
    expect([await loadStatus(expiringKey.client), await loadStatus(lastingKey.client)]).toEqual([401, 200])
    const { primary } = server.database
    await primary
      .updateTable('account')
      .set({ blocked: 1 })
      .where('account_id', '=', household.accountId)
      .execute()
    expect(await loadStatus(lastingKey.client)).toBe(401)
  })

  it('an account cannot revoke a key of another account', async () => {
    const { keyId, client } = await createApiKey()
    const otherHousehold = await createHousehold(server, { pin: null })
    expect((await otherHousehold.adult.delete(`/api/auth/api-keys/${keyId}`)).status).toBe(404)
    expect(await loadStatus(client)).toBe(200)
  })

  const KEY_REVOCATIONS_BY_REASON: Record<string, (memberHousehold: Household) => Promise<unknown>> = {
    'a password reset': async ({ accountId }) => {
      const { body } = await household.adult.post(`/api/admin/users/${accountId}/password-reset`)
      const token = new URL(body.url).searchParams.get('token')
      const resetBody = { token, new_password: 'Melies1902' }
      await new TestClient(server).post('/api/auth/password-reset/complete', resetBody)
    },
    'a sign-out by an administrator': ({ accountId }) =>
      household.adult.post(`/api/admin/users/${accountId}/sign-out`),
    'the removal of the second factor': ({ accountId }) =>
      household.adult.delete(`/api/admin/users/${accountId}/second-factor`),
    'a password change with create-admin': ({ email }) =>
      createAdministrator(server.deps, { email, password: 'Melies1902', replacesExisting: true }),
  }
  it.each(Object.entries(KEY_REVOCATIONS_BY_REASON))(
    'a key is rejected after %s',
    async (_reason, revokeKeys) => {
      const memberHousehold = await createHousehold(server, { pin: null })
      const { client } = await createApiKey({}, memberHousehold.adult)
      await revokeKeys(memberHousehold)
      expect(await loadStatus(client)).toBe(401)
    },
  )

  it('the API reference describes API keys, and the OpenAPI document names the scope of a call', async () => {
    const docsPage = await (await server.request('/api/docs')).text()
    expect(docsPage).toContain('curl -H &#34;Authorization: Bearer mqk_')
    const { paths, components } = await (await server.request('/api/openapi.json')).json()
    expect(components.securitySchemes.apiKey.scheme).toBe('bearer')
    const { 'x-scope': scope, security } = paths['/api/movies'].get
    expect([scope, security]).toEqual(['catalogue:read', [{ bearer: [] }, { apiKey: [] }]])
    expect(paths['/api/auth/password'].put.security).toEqual([{ bearer: [] }])
  })

  it('a key is limited to 300 requests a minute', async () => {
    const { client } = await createApiKey({ scopes: ['tracking:read'] })
    const firstStatuses = await sendInBatches(300, () => loadStatus(client))
    expect(firstStatuses).not.toContain(429)
    // While Redis is slow, this process counts the requests instead. Each of the two counters accepts 300 requests, so
    // the first 429 comes after at most 600 requests.
    const laterStatuses = await sendInBatches(320, () => loadStatus(client))
    expect(laterStatuses).toContain(429)
  })

  it('attempts with unknown keys are limited to 20 from one address, and valid keys from that address are still accepted', async () => {
    const { client } = await createApiKey()
    const sendUnknownKey = () => loadStatus(createKeyClient(`mqk_${crypto.randomUUID()}`))
    const statuses = await sendInBatches(200, sendUnknownKey)
    expect(statuses.filter((status) => status === 401)).toHaveLength(
      ATTEMPT_LIMITS.apiKeyAddress.allowedCount,
    )
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
    expect(await loadStatus(client)).toBe(200)
  })
})
