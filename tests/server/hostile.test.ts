/**
 * What nobody means well by, in every place of every call that takes a value: answered or refused in the form of errors, never
 * a fault of the server, and it goes on. Made from the contract, so that a new call is covered unnamed.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { seedDemoCatalogue } from '../../server/first-run.ts'
import type { Endpoint } from '../../src/lib/contract/endpoint.ts'
import { type Answer, Device, pathOf } from '../support/client.ts'
import { CONTRACT, nameOf, sampleBody } from '../support/contract.ts'
import { addAccount, startServer, type TestServer } from '../support/server.ts'

const HUGE = 'x'.repeat(70_000)
const TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e\u2066',
  '\u200b',
  '👩‍👩‍👧‍👦'.repeat(40),
  "' OR 1=1 --",
  '"; DROP TABLE title; --',
  '%',
  '../../../../etc/passwd',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '__proto__',
  '-1',
  '1e309',
  '9223372036854775808',
  '99999999999999999999999999',
  '0x10',
  'NaN',
  HUGE,
]
const VALUES: unknown[] = [
  ...TEXTS,
  null,
  true,
  -1,
  0,
  1.5,
  2 ** 31,
  2 ** 53,
  1e308,
  [],
  [null],
  Array.from({ length: 5_000 }, () => 'x'),
  {},
  { $ne: null },
  { toString: 1, __proto__: { admin: true } },
]
const BODIES: [string, string | Uint8Array<ArrayBuffer>, Record<string, string>?][] = [
  ['nothing', ''],
  ['half', '{"a":'],
  ['a list', '[]'],
  ['null', 'null'],
  ['a text', '"x"'],
  ['keys of the prototype', '{"__proto__":{"role":"admin"},"constructor":{"prototype":{"role":"admin"}}}'],
  ['ten thousand levels', '['.repeat(10_000) + ']'.repeat(10_000)],
  ['no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ['a form', 'a=1&b=2', { 'Content-Type': 'application/x-www-form-urlencoded' }],
  ['said to be packed', '{}', { 'Content-Encoding': 'gzip' }],
]
/** What ends the session; and the stream of events, which has no end. */
const APART = ['POST /api/auth/logout', 'DELETE /api/auth/user-account', 'GET /api/events']

const CALLS = CONTRACT.filter((one) => !APART.includes(nameOf(one)))
  .map((one) => [nameOf(one), one] as const)
  .sort(([a], [b]) => a.localeCompare(b))
const fieldsOf = (schema: Endpoint['query']): string[] => {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return Object.keys((json as { properties?: object }).properties ?? {})
}
const namesIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

let server: TestServer
let device: Device
const known: Record<string, string> = {}

beforeAll(async () => {
  server = await startServer()
  await seedDemoCatalogue(server.deps)
  await addAccount(server, 'admin@example.com', 'admin')
  device = new Device(server)
  await signIn()
  const { body } = await device.post('/api/profile', { name: 'Main', avatar: 1 })
  device.profileId = body.profile_id
  const movie = (await device.get('/api/movies')).body.results[0]
  Object.assign(known, {
    ...{ id: body.profile_id, type: 'movie', mediaId: movie.id, media_id: movie.id, state: 'planned' },
    ...{ slug: movie.slug, imdbId: movie.imdb_id ?? 'tt0111161', season: '1', episode: '1' },
    ...{ signal: `liked:${movie.id}`, import_id: 'AAAAAAAAAAAAAAAAAAAAAA', n: '1' },
  })
}, 120_000)
afterAll(() => server.close())

const signIn = () => device.login('admin@example.com')

/** Guesses are counted, and the counts are of no interest here. */
const forget = () => server.database.primary.deleteFrom('rate_limit').execute()

function judge(what: string, { status, body, headers }: Answer): void {
  expect(status, what).toBeLessThan(500)
  if (status < 400) return
  expect(headers.get('content-type'), what).toContain('json')
  expect(body, what).toMatchObject({ type: expect.stringMatching(/^[a-z_]+$/), status_code: status })
  expect(JSON.stringify(body), what).not.toMatch(/SQLITE|constraint|syntax error|node:|\.ts:\d|at async/i)
}

async function send(endpoint: Endpoint, path: string, body: unknown = sampleBody(endpoint, known)) {
  const once = () => device.send(endpoint.method, path, endpoint.method === 'GET' ? undefined : body)
  const answer = await once()
  if (answer.status !== 429) return answer
  await forget()
  return once()
}

describe('hostile values', () => {
  it.each(CALLS)('%s', async (_, endpoint) => {
    const said = (place: string, value: unknown) => `${place}: ${JSON.stringify(value)?.slice(0, 60)}`
    for (const name of namesIn(endpoint.path))
      for (const value of TEXTS.filter((one) => one !== '')) {
        const spelled = encodeURIComponent(value.isWellFormed() ? value : '\ufffd')
        judge(said(name, value), await send(endpoint, pathOf(endpoint, { ...known, [name]: spelled })))
      }
    for (const name of [...fieldsOf(endpoint.query), 'unknown'])
      for (const value of TEXTS.filter((one) => one.isWellFormed() && one !== HUGE)) {
        const query = `${name}=${encodeURIComponent(value)}`
        judge(said(name, value), await send(endpoint, `${pathOf(endpoint, known)}?${query}`))
        if (value.length > 1) continue
        judge(said(name, value), await send(endpoint, `${pathOf(endpoint, known)}?${query}&${query}`))
      }
    if (endpoint.method === 'GET' || endpoint.upload) return
    const body = sampleBody(endpoint, known) as Record<string, unknown>
    for (const name of [...fieldsOf(endpoint.body), 'unknown'])
      for (const value of VALUES)
        judge(said(name, value), await send(endpoint, pathOf(endpoint, known), { ...body, [name]: value }))
  })
})

describe('hostile bodies', () => {
  const written = CALLS.filter(([, one]) => one.method !== 'GET')
  it.each(written)('%s', async (_, endpoint) => {
    await forget()
    for (const [what, body, headers] of BODIES) {
      const response = await server.request(pathOf(endpoint, known), {
        method: endpoint.method,
        headers: {
          Authorization: `Bearer ${device.accessToken}`,
          'X-Profile-Id': device.profileId ?? '',
          'Content-Type': 'application/json',
          ...headers,
        },
        body,
      })
      const text = await response.text()
      judge(what, {
        status: response.status,
        body: text ? JSON.parse(text) : null,
        headers: response.headers,
      })
    }
  })
})

it('and the server answers as before', async () => {
  expect((await device.get('/api/auth/me')).status).toBe(200)
  expect((await device.get('/api/movies')).body.results).not.toEqual([])
  expect((await device.get('/api/health/ready')).status).toBe(200)
})
