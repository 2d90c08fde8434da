/** Compression of JSON replies: which replies the server compresses, and for which clients. */
import { randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { compressSeparately } from '../../server/http/compress-reply.ts'
import { openDemoDatabase } from '../support/demo-database.ts'
import { insertTestAccount, startTestServer, type TestServer } from '../support/server.ts'
import { TestClient } from '../support/test-client.ts'

let server: TestServer
let device: TestClient
beforeAll(async () => {
  server = await startTestServer({ database: await openDemoDatabase(), env: { DEMO: '1' } })
  await insertTestAccount(server, 'alice@example.com')
  device = new TestClient(server)
  await device.login('alice@example.com')
  for (const name of ['Ann', 'Ben', 'Cleo']) await device.post('/api/profile', { name })
}, 120_000)
afterAll(() => server.close())

const requestWithEncodings = (path: string, encodingHeader: string) =>
  server.request(path, {
    headers: { Authorization: `Bearer ${device.accessToken}`, 'Accept-Encoding': encodingHeader },
  })

it('a long reply is compressed for a client that accepts gzip, and decompressing it returns the uncompressed reply', async () => {
  const path = '/api/movies/featured'
  const plainResponse = await requestWithEncodings(path, 'identity')
  expect(plainResponse.headers.get('content-encoding')).toBeNull()
  expect(plainResponse.headers.get('vary')).toContain('Accept-Encoding')
  const plainText = await plainResponse.text()
  expect(plainText.length).toBeGreaterThan(1_000)
  const compressedResponse = await requestWithEncodings(path, 'br, gzip')
  expect(compressedResponse.headers.get('content-encoding')).toBe('gzip')
  expect(gunzipSync(await compressedResponse.arrayBuffer()).toString()).toBe(plainText)
})

it.each([
  ['gzip;q=0.5', 'gzip'],
  ['GZIP; Q=1.0', 'gzip'],
  ['br, *;q=0.1', 'gzip'],
  ['identity;q=0, gzip;q=0.001', 'gzip'],
  ['gzip;q=0', null],
  ['gzip;q=0.000, *', null],
  ['*;q=0', null],
  ['identity;q=0', null],
  ['not-gzip', null],
])(
  'Accept-Encoding "%s" results in the Content-Encoding %s (null: not compressed)',
  async (acceptEncoding, encoding) => {
    const { headers } = await requestWithEncodings('/api/movies/featured', acceptEncoding)
    expect(headers.get('content-encoding')).toBe(encoding)
  },
)

it('replies with account data are not compressed, because they may contain secrets', async () => {
  const reply = await requestWithEncodings('/api/profile', 'gzip')
  expect((await reply.clone().text()).length).toBeGreaterThan(1_000)
  expect(reply.headers.get('content-encoding')).toBeNull()
})

it('a refresh reply is compressed only if it contains the data of the home page', async () => {
  const { body: profileList } = await device.get('/api/profile')
  const profileId: string = profileList.results[0].profile_id
  const refreshSession = (body: object) =>
    server.request('/api/auth/refresh', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Accept-Encoding': 'gzip',
        'X-Profile-Id': profileId,
        Cookie: device.cookie ?? '',
      },
      body: JSON.stringify(body),
    })
  const homeResponse = await refreshSession({ home: { kids: false } })
  expect(homeResponse.headers.get('content-encoding')).toBe('gzip')
  const responseText = gunzipSync(await homeResponse.arrayBuffer()).toString()
  expect(JSON.parse(responseText)).toMatchObject({ token_type: 'Bearer', home: { profile_id: profileId } })
  for (const body of [{}, { watch: { type: 'movie', slug: 'arrival' } }])
    expect((await refreshSession(body)).headers.get('content-encoding')).toBeNull()
})

const createToken = () => randomBytes(120).toString('base64url')

it('the length of a compressed reply does not reveal whether a text in the reply equals the access token', async () => {
  const titlesJson = JSON.stringify(Array.from({ length: 20 }, (_, index) => ({ title: `Movie ${index}` })))
  for (let round = 0; round < 20; round++) {
    const [token, otherToken] = [createToken(), createToken()]
    const guessedText = `,"home":{"title":"${token}","titles":${titlesJson}}}`
    const measureGuessBytes = async (secretText: string) =>
      (await compressSeparately(secretText, guessedText)).length -
      (await compressSeparately(secretText, '')).length
    expect(await measureGuessBytes(`{"access_token":"${token}"`)).toBe(
      await measureGuessBytes(`{"access_token":"${otherToken}"`),
    )
  }
})
