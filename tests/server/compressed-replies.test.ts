/** Compression of JSON replies: which replies are compressed, and for whom. */
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { seedDemoCatalogue } from '../../server/first-run.ts'
import { insertTestAccount, startTestServer, type TestServer } from '../support/server.ts'
import { TestClient } from '../support/test-client.ts'

let server: TestServer
let device: TestClient
beforeAll(async () => {
  server = await startTestServer({ env: { DEMO: '1' } })
  await seedDemoCatalogue(server.deps)
  await insertTestAccount(server, 'alice@example.com')
  device = new TestClient(server)
  await device.login('alice@example.com')
  for (const name of ['Ann', 'Ben', 'Cleo']) await device.post('/api/profile', { name })
}, 120_000)
afterAll(() => server.close())

const readReply = (path: string, encodings: string) =>
  server.request(path, {
    headers: { Authorization: `Bearer ${device.accessToken}`, 'Accept-Encoding': encodings },
  })

it('compresses a long reply for a client that accepts gzip, with the same content', async () => {
  const path = '/api/movies/featured'
  const plain = await readReply(path, 'identity')
  expect(plain.headers.get('content-encoding')).toBeNull()
  expect(plain.headers.get('vary')).toContain('Accept-Encoding')
  const text = await plain.text()
  expect(text.length).toBeGreaterThan(1_000)
  const compressed = await readReply(path, 'br, gzip')
  expect(compressed.headers.get('content-encoding')).toBe('gzip')
  expect(gunzipSync(await compressed.arrayBuffer()).toString()).toBe(text)
  expect((await readReply(path, 'gzip;q=0')).headers.get('content-encoding')).toBeNull()
})

it('does not compress replies of the account, which may contain secrets', async () => {
  const reply = await readReply('/api/profile', 'gzip')
  expect((await reply.clone().text()).length).toBeGreaterThan(1_000)
  expect(reply.headers.get('content-encoding')).toBeNull()
})
