/** Input that other systems may interpret in several ways is rejected, or has only its literal meaning. */
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAccessToken } from '../../../server/services/auth/access-token.ts'
import { DATABASES, startTestServer, TEST_PASSWORD, type TestServer } from '../../support/server.ts'
import { TestClient } from '../../support/test-client.ts'
import { createHousehold, type Household } from './household.ts'

describe.each(DATABASES)('validation of input on %s', (_name, openTestDatabase) => {
  let server: TestServer
  let household: Household
  beforeAll(async () => {
    server = await startTestServer({ database: await openTestDatabase() })
    household = await createHousehold(server, { role: 'admin' })
  }, 60_000)
  afterAll(() => server.close())

  it.each(['%', '_', '\\', '%@%', 'example_org', '\\%'])(
    'the search text %j is not treated as a wildcard, and finds no account and no audit event',
    async (text) => {
      const encodedText = encodeURIComponent(text)
      for (const path of ['/api/admin/audit', '/api/auth/users']) {
        const { status, body } = await household.adult.get(`${path}?search=${encodedText}`)
        expect([status, body.results]).toEqual([200, []])
      }
      const { body } = await household.adult.get(`/api/admin/audit?search=${household.email.slice(2, 12)}`)
      expect(body.results.length).toBeGreaterThan(0)
    },
  )

  it.each(['%', 'search=%', 'search=%e0%a4%a', 'search=100%', '%zz=1', 'search=a?100%'])(
    'the query string ?%s with malformed percent encoding is rejected with 422',
    async (query) => {
      for (const path of ['/api/movies', '/api/auth/users'])
        expect((await household.adult.get(`${path}?${query}`)).status).toBe(422)
    },
  )

  it.each(['60\r\n', ' 60', '60 ', '+60', '6e1', '0x3c', '60.', '.5e2', '٦٠'])(
    '%j is rejected as a number in a setting, a query and a form',
    async (text) => {
      const body = { key: 'bin_days', value: text }
      expect((await household.adult.post('/api/settings', body)).status).toBe(422)
      const encodedText = encodeURIComponent(text)
      expect((await household.adult.get(`/api/movies?limit=${encodedText}`)).status).toBe(422)
      const formResponse = await server.request(`/api/profile/${household.mainId}`, {
        method: 'PUT',
        headers: {
          Authorization: `Bearer ${household.adult.accessToken}`,
          'X-Profile-Id': household.mainId,
          'Content-Type': 'application/x-www-form-urlencoded',
        },
        body: `avatar=${encodedText}`,
      })
      expect(formResponse.status).toBe(422)
    },
  )

  it('a setting that is sent as a string of decimal digits is accepted, and returned as a number', async () => {
    const response = await household.adult.post('/api/settings', { key: 'bin_days', value: '20' })
    expect([response.status, response.body.value]).toEqual([200, 20])
  })

  it.each(['\u202eenohP', 'a\u2066b', 'a\u0000b', 'a\nb', 'x\u202d'])(
    'the device name %j with a control character or a direction character is rejected with 422',
    async (name) => {
      const body = { email: household.email, password: TEST_PASSWORD, device_name: name }
      expect((await new TestClient(server).post('/api/auth/login', body)).status).toBe(422)
    },
  )

  it('an access token that was issued in the future is rejected', () => {
    const { deps } = server
    const [accessKey] = deps.keys.access
    if (!accessKey) throw new Error('no access token key')
    const nowSeconds = Math.floor(deps.now() / 1000)
    const createToken = (issuedAtSeconds: number) => {
      const claims = { iss: 'marquee', aud: 'marquee-api', sub: 'a', sid: 's', gen: 1, jti: 'j' }
      const timeClaims = { iat: issuedAtSeconds, nbf: nowSeconds, exp: nowSeconds + 600 }
      const unsignedToken = [
        { alg: 'HS256', typ: 'at+jwt', kid: accessKey.kid },
        { ...claims, ...timeClaims },
      ]
        .map((tokenPart) => Buffer.from(JSON.stringify(tokenPart)).toString('base64url'))
        .join('.')
      return `${unsignedToken}.${createHmac('sha256', accessKey.secret).update(unsignedToken).digest('base64url')}`
    }
    expect(readAccessToken(createToken(nowSeconds), deps)).not.toBeNull()
    expect(readAccessToken(createToken(nowSeconds + 30), deps)).toBeNull()
  })

  it('a rejected role change and a rejected request for hidden titles are recorded in the audit log', async () => {
    for (const sendRequest of [
      (device: TestClient) => device.put('/api/auth/user', { role: 'admin', user_id: household.accountId }),
      (device: TestClient) => device.get('/api/movies?admin=true'),
    ]) {
      const { adult, accountId } = await createHousehold(server)
      expect((await sendRequest(adult)).status).toBe(403)
      const { body } = await household.adult.get(`/api/admin/audit?user=${accountId}&action=admin_denied`)
      expect(body.results).toMatchObject([{ action: 'admin_denied', outcome: 'denied' }])
    }
  })
})
