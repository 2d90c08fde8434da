/** Requests with OPTIONS, with HEAD, and with methods that a path does not accept. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { insertTestAccount, startTestServer, type TestServer } from '../support/server.ts'
import { TestClient } from '../support/test-client.ts'

let server: TestServer
let device: TestClient
beforeAll(async () => {
  server = await startTestServer()
  await insertTestAccount(server, 'reader@example.com')
  device = new TestClient(server)
  await device.login('reader@example.com')
  device.profileId = (await device.post('/api/profile', { name: 'Reader' })).body.profile_id
})
afterAll(() => server.close())

it.each([
  ['PATCH', '/api/profile/1', 'GET, HEAD, PUT, DELETE, OPTIONS'],
  ['POST', '/api/movies', 'GET, HEAD, OPTIONS'],
  ['PUT', '/api/movies/featured', 'GET, HEAD, DELETE, OPTIONS'],
  ['GET', '/api/auth/login', 'POST, OPTIONS'],
  ['POST', '/api/openapi.json', 'GET, HEAD, OPTIONS'],
  ['DELETE', '/api/docs', 'GET, HEAD, OPTIONS'],
  ['DELETE', '/proxy/torrent-streamer/stream/movie/tt0000001', 'GET, HEAD, OPTIONS'],
])('%s %s is rejected with 405 and the allowed methods', async (method, path, allowedMethods) => {
  const response = await server.request(path, { method })
  expect([response.status, sortMethods(response.headers.get('allow'))]).toEqual([
    405,
    sortMethods(allowedMethods),
  ])
  expect(await response.json()).toMatchObject({ type: 'method_not_allowed', status_code: 405, errors: {} })
})

it('OPTIONS returns the allowed methods, and cross-site requests with OPTIONS are rejected', async () => {
  const response = await server.request('/api/movies', { method: 'OPTIONS' })
  expect([response.status, response.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS'])
  const headers = { Origin: 'https://other.example', 'Access-Control-Request-Method': 'GET' }
  expect((await server.request('/api/movies', { method: 'OPTIONS', headers })).status).toBe(403)
})

it.each(['PATCH', 'OPTIONS', 'GET'])('a request with %s to an unknown path returns 404', async (method) => {
  expect((await server.request('/api/nothing/here', { method })).status).toBe(404)
})

it('a HEAD request to the event stream leaves no stream open', async () => {
  const subscriptionCounts = countSubscriptions()
  const response = await server.request('/api/events', {
    method: 'HEAD',
    headers: { Authorization: `Bearer ${device.accessToken}` },
  })
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
  ])
  expect(await response.text()).toBe('')
  await expect.poll(() => subscriptionCounts.openCount).toBe(0)
  expect(subscriptionCounts.totalCount).toBeGreaterThan(0)
})

const sortMethods = (methods: string | null) => methods?.split(', ').sort()

/** Counts the subscriptions to account topics that start after this call: all subscriptions, and those still open. */
function countSubscriptions() {
  const { bus } = server.deps
  const counts = { openCount: 0, totalCount: 0 }
  const subscribe = bus.subscribe.bind(bus)
  bus.subscribe = (topic, listener) => {
    const unsubscribe = subscribe(topic, listener)
    if (!topic.startsWith('account:')) return unsubscribe
    counts.openCount += 1
    counts.totalCount += 1
    return () => {
      counts.openCount -= 1
      unsubscribe()
    }
  }
  return counts
}
