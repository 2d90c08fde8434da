/** The Authorization header of requests, and the challenge in responses with status 401. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { insertTestAccount, startTestServer, type TestServer } from '../support/server.ts'
import { TestClient } from '../support/test-client.ts'

const METRICS_TOKEN = 'metrics-token-of-this-test'
let server: TestServer
let accessToken = ''
beforeAll(async () => {
  server = await startTestServer({ env: { METRICS_TOKEN } })
  await insertTestAccount(server, 'reader@example.com')
  const device = new TestClient(server)
  await device.login('reader@example.com')
  accessToken = device.accessToken ?? ''
})
afterAll(() => server.close())

const request = (path: string, authorization?: string) =>
  server.request(path, { headers: authorization === undefined ? {} : { Authorization: authorization } })

it.each(['Bearer ', 'bearer ', 'BEARER ', 'Bearer   '])(
  'a token after the scheme "%s" is accepted',
  async (scheme) => {
    expect((await request('/api/auth/me', scheme + accessToken)).status).toBe(200)
    expect((await request('/api/metrics', scheme + METRICS_TOKEN)).status).toBe(200)
  },
)

it.each(['Basic ', 'Bearer', 'Bearer a ', ''])(
  'a token that follows "%s" instead of the scheme Bearer and a space is rejected with 401',
  async (prefix) => {
    expect((await request('/api/auth/me', prefix + accessToken)).status).toBe(401)
    expect((await request('/api/metrics', prefix + METRICS_TOKEN)).status).toBe(401)
  },
)

it.each(['/api/auth/me', '/api/movies', '/api/metrics'])(
  'a response of %s with status 401 names the scheme Bearer',
  async (path) => {
    const [anonymousResponse, rejectedResponse] = [await request(path), await request(path, 'Bearer none')]
    expect(anonymousResponse.headers.get('www-authenticate')).toBe('Bearer')
    expect(rejectedResponse.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
  },
)
