/**
 * Sends malformed and malicious values to every endpoint: in path parameters, query parameters, body fields and
 * whole bodies. Every response must be a success or an error in the documented format. No response may have a 5xx
 * status. The requests are generated from the endpoint definitions, so that new endpoints are covered automatically.
 */

import { type Context, Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { Problem } from '../../server/core/problem.ts'
import { seedDemoCatalogue } from '../../server/first-run.ts'
import { readRequestBody } from '../../server/http/body.ts'
import { parseRequestBody } from '../../server/http/validate.ts'
import type { Endpoint } from '../../src/lib/contract/endpoint.ts'
import { usesPostgres } from '../support/databases.ts'
import { ALL_ENDPOINTS, createSampleBody, getEndpointName } from '../support/endpoints.ts'
import { insertTestAccount, startTestServer, type TestServer } from '../support/server.ts'
import { fillEndpointPath, TestClient, type TestResponse } from '../support/test-client.ts'

const HUGE_TEXT = 'x'.repeat(70_000)
/**
 * Texts that SQLite and PostgreSQL can process differently.
 * Tests on PostgreSQL send only these texts, because the texts of the next list never reach a database.
 */
const TEXTS_FOR_DATABASES = [
  '\u0000',
  'a\u0000b',
  '\ud800',
  "' OR 1=1 --",
  '%',
  '-1',
  '1e309',
  '9223372036854775808',
  'NaN',
]
const TEXTS_REJECTED_BY_VALIDATION = [
  '',
  ' ',
  '\u202e\u2066',
  '\u200b',
  '👩‍👩‍👧‍👦'.repeat(40),
  '"; DROP TABLE title; --',
  '../../../../etc/passwd',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '__proto__',
  '99999999999999999999999999',
  '0x10',
  HUGE_TEXT,
]
const MALFORMED_TEXTS = usesPostgres
  ? TEXTS_FOR_DATABASES
  : [...TEXTS_FOR_DATABASES, ...TEXTS_REJECTED_BY_VALIDATION]
const MALFORMED_NUMBERS = [-1, 0, 1.5, 2 ** 31, 2 ** 53, 1e308]
const NON_TEXT_VALUES: unknown[] = [
  null,
  true,
  [],
  [null],
  Array.from({ length: 5_000 }, () => 'x'),
  {},
  { $ne: null },
  { toString: 1, __proto__: { admin: true } },
]
const MALFORMED_VALUES: unknown[] = [
  ...MALFORMED_TEXTS,
  ...MALFORMED_NUMBERS,
  ...(usesPostgres ? [] : NON_TEXT_VALUES),
]
const MALFORMED_BODIES: [string, string | Uint8Array<ArrayBuffer>, Record<string, string>?][] = [
  ['empty', ''],
  ['truncated JSON', '{"a":'],
  ['an array', '[]'],
  ['null', 'null'],
  ['a string', '"x"'],
  ['prototype keys', '{"__proto__":{"role":"admin"},"constructor":{"prototype":{"role":"admin"}}}'],
  ['10000 nested arrays', '['.repeat(10_000) + ']'.repeat(10_000)],
  ['invalid UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ['a URL-encoded form', 'a=1&b=2', { 'Content-Type': 'application/x-www-form-urlencoded' }],
  ['falsely declared as gzip', '{}', { 'Content-Encoding': 'gzip' }],
]
/** Endpoints that are not tested. The first two endpoints end the session. The response of `/api/events` never ends. */
const EXCLUDED_ENDPOINTS = ['POST /api/auth/logout', 'DELETE /api/auth/user-account', 'GET /api/events']

const ENDPOINTS = ALL_ENDPOINTS.filter((endpoint) => !EXCLUDED_ENDPOINTS.includes(getEndpointName(endpoint)))
  .map((endpoint) => [getEndpointName(endpoint), endpoint] as const)
  .sort(([a], [b]) => a.localeCompare(b))
const listFieldNames = (schema: Endpoint['query']): string[] => {
  const jsonSchema = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return Object.keys((jsonSchema as { properties?: object }).properties ?? {})
}
const listPathParamNames = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

let server: TestServer
let device: TestClient
const sampleParams: Record<string, string> = {}

beforeAll(async () => {
  server = await startTestServer()
  await seedDemoCatalogue(server.deps)
  await insertTestAccount(server, 'admin@example.com', 'admin')
  device = new TestClient(server)
  await signIn()
  const { body } = await device.post('/api/profile', { name: 'Main', avatar: 1 })
  device.profileId = body.profile_id
  const movie = (await device.get('/api/movies')).body.results[0]
  Object.assign(sampleParams, {
    ...{ id: body.profile_id, type: 'movie', mediaId: movie.id, media_id: movie.id, state: 'planned' },
    ...{ slug: movie.slug, imdbId: movie.imdb_id ?? 'tt0111161', season: '1', episode: '1' },
    ...{ signal: `liked:${movie.id}`, import_id: 'AAAAAAAAAAAAAAAAAAAAAA', n: '1' },
    ...{ decoders: '10', audio_language: 'fr', kind: 'list', itemId: 'AAAAAAAAAAAAAAAAAAAAAA' },
    ...{ rule: 'none', deviceId: 'AAAAAAAAAAAAAAAAAAAAAA', token: 'sample' },
  })
}, 120_000)
afterAll(() => server.close())

const signIn = () => device.login('admin@example.com')

/** Deletes the rate limits, which would otherwise reject most of the requests. */
const clearRateLimits = () => server.database.primary.deleteFrom('rate_limit').execute()

const INTERNAL_DETAILS = /SQLITE|constraint|syntax error|node:|\.ts:\d|at async/i

/**
 * Returns a description of the first problem of a response, or undefined for a response without a problem.
 * The tests collect these descriptions, because one assertion per response would take longer than the requests.
 */
function findResponseProblem({ status, body, headers }: TestResponse): string | undefined {
  if (status >= 500) return `status ${status}`
  if (status < 400) return undefined
  const contentType = headers.get('content-type') ?? ''
  if (!contentType.includes('json')) return `content type ${contentType}`
  if (!/^[a-z_]+$/.test(body?.type ?? '') || body.status_code !== status)
    return `not the error format: ${JSON.stringify(body)}`
  return INTERNAL_DETAILS.exec(JSON.stringify(body))?.[0]
}

async function sendRequest(
  endpoint: Endpoint,
  path: string,
  body: unknown = createSampleBody(endpoint, sampleParams),
) {
  const sendOnce = () => device.send(endpoint.method, path, endpoint.method === 'GET' ? undefined : body)
  const response = await sendOnce()
  if (response.status !== 429) return response
  await clearRateLimits()
  return sendOnce()
}

describe('malformed values', () => {
  it.each(ENDPOINTS)('%s answers malformed values without a server error', async (_, endpoint) => {
    const problems: string[] = []
    const checkValue = async (inputName: string, value: unknown, path: string, body?: unknown) => {
      const problem = findResponseProblem(await sendRequest(endpoint, path, body))
      if (problem) problems.push(`${inputName}: ${JSON.stringify(value)?.slice(0, 60)}: ${problem}`)
    }
    const samplePath = fillEndpointPath(endpoint, sampleParams)
    for (const name of listPathParamNames(endpoint.path))
      for (const value of MALFORMED_TEXTS.filter((text) => text !== '')) {
        const encodedValue = encodeURIComponent(value.isWellFormed() ? value : '\ufffd')
        await checkValue(name, value, fillEndpointPath(endpoint, { ...sampleParams, [name]: encodedValue }))
      }
    for (const name of [...listFieldNames(endpoint.query), 'unknown'])
      for (const value of MALFORMED_TEXTS.filter((text) => text.isWellFormed() && text !== HUGE_TEXT)) {
        const query = `${name}=${encodeURIComponent(value)}`
        await checkValue(name, value, `${samplePath}?${query}`)
        if (value.length <= 1) await checkValue(name, value, `${samplePath}?${query}&${query}`)
      }
    if (endpoint.method !== 'GET' && !endpoint.upload) {
      const body = createSampleBody(endpoint, sampleParams) as Record<string, unknown>
      for (const name of [...listFieldNames(endpoint.body), 'unknown'])
        for (const value of MALFORMED_VALUES)
          await checkValue(name, value, samplePath, { ...body, [name]: value })
    }
    expect(problems).toEqual([])
  })
})

// SQLite only: a body that cannot be parsed never reaches a database.
if (!usesPostgres)
  describe('malformed bodies', () => {
    const endpointsWithBody = ENDPOINTS.filter(([, endpoint]) => endpoint.method !== 'GET')
    it.each(endpointsWithBody)('%s answers malformed bodies without a server error', async (_, endpoint) => {
      await clearRateLimits()
      for (const [description, body, headers] of MALFORMED_BODIES) {
        const response = await server.request(fillEndpointPath(endpoint, sampleParams), {
          method: endpoint.method,
          headers: {
            Authorization: `Bearer ${device.accessToken}`,
            'X-Profile-Id': device.profileId ?? '',
            'Content-Type': 'application/json',
            ...headers,
          },
          body,
        })
        const responseText = await response.text()
        const isPage = response.headers.get('content-type')?.startsWith('text/html')
        const problem = findResponseProblem({
          status: response.status,
          body: responseText && !isPage ? JSON.parse(responseText) : null,
          headers: response.headers,
        })
        expect(problem, description).toBeUndefined()
      }
    })
  })

// SQLite only: parsing a body uses no database.
if (!usesPostgres)
  describe('form bodies', () => {
    const listFormFields = (value: unknown, name: string): [name: string, text: string][] => {
      if (Array.isArray(value) && value.length > 0)
        return typeof value[0] === 'object'
          ? value.flatMap((item, index) => listFormFields(item, `${name}[${index}]`))
          : value.map((item) => [name, String(item)])
      if (Array.isArray(value) || value === null) return [[name, '']]
      if (typeof value !== 'object') return [[name, String(value)]]
      return Object.entries(value).flatMap(([key, item]) =>
        listFormFields(item, name === '' ? key : `${name}[${key}]`),
      )
    }
    /** Returns the parsed body as JSON, or the errors. */
    const parseBody = async (endpoint: Endpoint, body: string | URLSearchParams) => {
      const app = new Hono()
        .post('/', async (c: Context) =>
          c.json(parseRequestBody(endpoint.body, await readRequestBody(c, endpoint.maxBody))),
        )
        .onError((error, c) => c.json({ errors: (error as Problem).errors }))
      const bodyHeaders = typeof body === 'string' ? { 'Content-Type': 'application/json' } : {}
      return (await app.request('/', { method: 'POST', headers: bodyHeaders, body })).json()
    }
    const BODY_VALUES = {
      ...{ season: 1, episode: 1, email: 'a@example.com', new_email: 'a@example.com', imdb_id: 'tt0111161' },
      ...{
        pin: '1234',
        current_pin: '1234',
        new_pin: '4321',
        title_language: 'fr',
        from: '22:00',
        until: '07:00',
      },
    }
    /** Returns valid bodies with every field: with sample values, and one body for each null and each empty list. */
    const createBodies = (endpoint: Endpoint) => {
      const body = createSampleBody(endpoint, { ...sampleParams, ...BODY_VALUES }) as Record<string, unknown>
      const { properties = {} } = z.toJSONSchema(endpoint.body, { io: 'input', unrepresentable: 'any' })
      const variants = Object.entries(properties).flatMap(([name, property]) => {
        const { anyOf = [], type, minItems = 0 } = property as z.core.JSONSchema.BaseSchema
        const isNullable = anyOf.some((option) => typeof option === 'object' && option.type === 'null')
        if (isNullable) return [{ ...body, [name]: null }]
        return type === 'array' && minItems === 0 ? [{ ...body, [name]: [] }] : []
      })
      return [body, ...variants]
    }
    it.each(ENDPOINTS.filter(([, { method, upload }]) => method !== 'GET' && !upload))(
      '%s reads the same values from a form as from JSON',
      async (_, endpoint) => {
        for (const body of createBodies(endpoint)) {
          const form = new URLSearchParams(listFormFields(body, ''))
          expect(await parseBody(endpoint, form), String(form)).toEqual(
            await parseBody(endpoint, JSON.stringify(body)),
          )
        }
      },
    )

    it('a form can change a profile: a number of a fixed set, lists of numbers, and nested fields', async () => {
      const sendForm = async (body: string) => {
        const response = await server.request(`/api/profile/${device.profileId}`, {
          method: 'PUT',
          headers: {
            Authorization: `Bearer ${device.accessToken}`,
            'X-Profile-Id': device.profileId ?? '',
            'Content-Type': 'application/x-www-form-urlencoded',
          },
          body,
        })
        return { status: response.status, body: await response.json() }
      }
      const genres = [16, 35, 99].map((genre) => `preferences[content_genres][movie]=${genre}`).join('&')
      const form = `preferences[text_size]=115&${genres}&preferences[content_genres][tv]=`
      expect(await sendForm(form)).toMatchObject({
        status: 200,
        body: { preferences: { text_size: 115, content_genres: { movie: [16, 35, 99], tv: [] } } },
      })
      expect((await sendForm('preferences[text_size]=114')).status).toBe(422)
      expect((await sendForm('name=')).status).toBe(422)
    })
  })

it('the server still works after all malformed requests', async () => {
  expect((await device.get('/api/auth/me')).status).toBe(200)
  expect((await device.get('/api/movies')).body.results).not.toEqual([])
  expect((await device.get('/api/health/ready')).status).toBe(200)
})
