/** The refresh cookie, write requests from other origins, and the security headers of responses that are not pages. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqliteDatabase } from '../../../server/db/database.ts'
import { ALL_ENDPOINTS, getEndpointName } from '../../support/endpoints.ts'
import { startTestServer, type TestServer } from '../../support/server.ts'
import { fillEndpointPath } from '../../support/test-client.ts'
import { addTestTitles, createHousehold, type Household } from './household.ts'

let server: TestServer
let household: Household
beforeAll(async () => {
  server = await startTestServer({
    env: { PUBLIC_URL: 'https://films.example.com', METRICS_TOKEN: 'metrics-token-metrics-token-1234' },
    database: openSqliteDatabase(':memory:'),
  })
  await addTestTitles(server)
  household = await createHousehold(server)
})
afterAll(() => server.close())

const ROUTES_WITHOUT_CONTRACT: [string, string][] = [
  ['GET', '/api/docs'],
  ['GET', '/api/openapi.json'],
  ['GET', '/api/metrics'],
  ['GET', '/api/nothing'],
  ['GET', '/api//docs'],
  ['GET', '/api/admin/backups/1/file'],
  ['GET', '/api/admin/backups/1/file?token=x'],
  ['HEAD', '/api/admin/backups/1/file?token=x'],
  ['GET', '/proxy/m/1/none.mp4'],
  ['HEAD', '/proxy/m/1/none.mp4'],
  ['GET', '/proxy/nothing'],
  ['GET', '/images/w300/drawn/poster/none.svg'],
  ['GET', '/images/w300/art/poster/1.en.none/none.jpg'],
]
const ALL_ROUTES = [
  ...ROUTES_WITHOUT_CONTRACT,
  ...ALL_ENDPOINTS.map((endpoint): [string, string] => [endpoint.method, fillEndpointPath(endpoint)]),
]

it.each(ALL_ROUTES)('the response to %s %s has every security header', async (method, path) => {
  const { headers } = await server.request(path, { method })
  expect(Object.fromEntries(headers)).toMatchObject({
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    // The form of the unsubscribe page needs the Origin header, which `no-referrer` would remove.
    'referrer-policy': path.startsWith('/api/unsubscribe/') ? 'same-origin' : 'no-referrer',
    'strict-transport-security': 'max-age=31536000',
    'x-content-type-options': 'nosniff',
  })
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'.*frame-ancestors 'none'/)
  expect(headers.get('cache-control')).toBe('no-store')
})

describe('an unsafe request from another origin', () => {
  const writeEndpoints = ALL_ENDPOINTS.filter(({ method }) => method !== 'GET')
  it.each(writeEndpoints.map((endpoint) => [getEndpointName(endpoint), endpoint] as const))(
    '%s is rejected',
    async (_, endpoint) => {
      const sendWithHeaders = async (headers: Record<string, string>) =>
        (await server.request(fillEndpointPath(endpoint), { method: endpoint.method, headers })).status
      for (const origin of [
        'http://films.example.com',
        'https://films.example.com:8443',
        'https://evil.example',
        'null',
      ])
        expect([origin, await sendWithHeaders({ origin })]).toEqual([origin, 403])
      expect(await sendWithHeaders({ 'sec-fetch-site': 'same-site' })).toBe(403)
      expect(await sendWithHeaders({ origin: 'https://films.example.com' })).not.toBe(403)
    },
  )
})

describe('the refresh cookie', () => {
  const refreshSession = (cookie: string, token?: string) =>
    server.request('/api/auth/refresh', {
      method: 'POST',
      headers: { cookie, 'Content-Type': 'application/json' },
      body: JSON.stringify(token === undefined ? {} : { refresh_token: token }),
    })

  it('the refresh cookie is removed when the refresh is rejected', async () => {
    const response = await refreshSession('__Host-rt=forged')
    expect([response.status, response.headers.get('set-cookie')]).toEqual([
      401,
      '__Host-rt=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure',
    ])
    expect((await refreshSession('')).headers.get('set-cookie')).toBeNull()
  })

  it('a refresh and a sign-out are rejected when the refresh cookie differs from the refresh token in the body', async () => {
    const [ownDevice, otherDevice] = [await household.signIn(), await household.signIn()]
    const token = (otherDevice.cookie ?? '').replace('__Host-rt=', '')
    expect((await refreshSession(ownDevice.cookie ?? '', token)).status).toBe(401)
    expect((await refreshSession('', token)).status).toBe(200)
    const logoutResponse = await ownDevice.send('POST', '/api/auth/logout', { refresh_token: token })
    expect(logoutResponse.status).toBe(401)
  })
})
