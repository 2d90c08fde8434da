/**
 * Sends malformed bodies to every endpoint except EXCLUDED_ENDPOINTS, and compares form bodies with JSON bodies. Every
 * response must be a success or an error in the documented format, without a 5xx status. Malformed values of single
 * parameters and fields are tested in api-conformance.test.ts.
 */

import { type Context, Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { Problem } from '../../server/core/problem.ts'
import { readRequestBody } from '../../server/http/body.ts'
import { parseRequestBody } from '../../server/http/validate.ts'
import { waitForIdleQueue } from '../../server/services/history-import/import-queue.ts'
import type { Endpoint } from '../../src/lib/contract/endpoint.ts'
import { usesPostgres } from '../support/databases.ts'
import { openDemoDatabase } from '../support/demo-database.ts'
import { ALL_ENDPOINTS, createSampleBody, getEndpointName } from '../support/endpoints.ts'
import { insertTestAccount, startTestServer, type TestServer } from '../support/server.ts'
import { fillEndpointPath, TestClient, type TestResponse } from '../support/test-client.ts'

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

let server: TestServer
let device: TestClient
const sampleParams: Record<string, string> = {}

beforeAll(async () => {
  server = await startTestServer({ database: await openDemoDatabase() })
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

const INTERNAL_DETAILS_PATTERN = /SQLITE|constraint|syntax error|node:|\.ts:\d|at async/i

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
  return INTERNAL_DETAILS_PATTERN.exec(JSON.stringify(body))?.[0]
}

/** Field names that would change a prototype or a list if the server used them as paths into objects and lists. */
const PROTOTYPE_FIELD_NAMES = [
  '__proto__[polluted]',
  'a[__proto__][polluted]',
  'a[__proto__][__proto__][polluted]',
  'a[constructor][prototype][polluted]',
  // No code of the server calls `copyWithin`, so the tests can continue even if a request replaces this method.
  'a[__proto__][copyWithin]',
  'a[0][__proto__][polluted]',
  'a[length]',
  'a[at]',
]
const FORM_HEADERS = { 'Content-Type': 'application/x-www-form-urlencoded' }
const PROTOTYPES = { object: Object.prototype, array: Array.prototype, function: Function.prototype }
const readPrototypes = () =>
  new Map(
    Object.entries(PROTOTYPES).flatMap(([name, prototype]) =>
      Reflect.ownKeys(prototype).map(
        (key) => [`${name} ${String(key)}`, Reflect.getOwnPropertyDescriptor(prototype, key)] as const,
      ),
    ),
  )

describe('keys such as __proto__', () => {
  const initialProperties = readPrototypes()
  /** Returns the names of the properties that were added, removed or replaced since the start of the tests. */
  const findChangedProperties = (): string[] => {
    const properties = readPrototypes()
    return [...new Set([...initialProperties.keys(), ...properties.keys()])].filter((name) => {
      const [before, after] = [initialProperties.get(name), properties.get(name)]
      return (
        !before ||
        !after ||
        before.value !== after.value ||
        before.get !== after.get ||
        before.set !== after.set
      )
    })
  }
  const sendBody = async (path: string, init: RequestInit) => {
    const response = await server.request(path, { method: 'POST', ...init })
    await response.text()
    return response.status
  }
  // The first field is sent twice, so that the server creates a list, which inherits from Array.prototype.
  const listFields = (fieldName: string): [string, string][] => [
    ['a', '1'],
    ['a', '2'],
    [fieldName, 'yes'],
  ]

  it.each(PROTOTYPE_FIELD_NAMES)(
    'a form with the field %s is rejected with 422, and changes no prototype',
    async (name) => {
      const urlEncodedForm = new URLSearchParams(listFields(name)).toString()
      expect(await sendBody('/api/auth/login', { body: urlEncodedForm, headers: FORM_HEADERS })).toBe(422)
      const multipartForm = new FormData()
      for (const [fieldName, value] of listFields(name)) multipartForm.append(fieldName, value)
      expect(await sendBody('/api/auth/login', { body: multipartForm })).toBe(422)
      expect(findChangedProperties()).toEqual([])
    },
  )

  it('a form that repeats a forbidden field, or sends a value and an object under the same name, is rejected with 422', async () => {
    const formBodies = [
      '__proto__=1&__proto__=2',
      'a[b]=1&a=2&a[0][__proto__][polluted]=3',
      'a=1&a[b]=2',
      'a[b]=1&a[b][c]=2',
    ]
    for (const body of formBodies)
      expect([body, await sendBody('/api/auth/login', { body, headers: FORM_HEADERS })]).toEqual([body, 422])
    expect(findChangedProperties()).toEqual([])
  })

  it('JSON bodies, queries, cookies and imported files with keys such as __proto__ change no prototype', async () => {
    const pollutedJson = '{"polluted":"yes"}'
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      const json = `{"email":"a@example.com","password":"x","${key}":{"polluted":"yes","prototype":${pollutedJson}}}`
      const headers = { 'Content-Type': 'application/json' }
      expect(await sendBody('/api/auth/login', { body: json, headers })).toBe(422)
      expect(await sendBody('/api/auth/login', { body: `[{"a":[${json}]}]`, headers })).toBe(422)
    }
    const query = PROTOTYPE_FIELD_NAMES.map((name) => `${name}=1&${encodeURIComponent(name)}=2`).join('&')
    expect((await device.get(`/api/movies?${query}&__proto__=1&__proto__=2&constructor=3`)).status).toBe(200)
    const cookieHeader = { Cookie: '__proto__=1; constructor=2; a[__proto__][polluted]=3' }
    expect((await device.send('GET', '/api/auth/me', undefined, cookieHeader)).status).toBe(200)
    const settingResponse = await device.post('/api/settings', { key: '__proto__', value: 'yes' })
    expect(settingResponse.status).toBe(422)
    const filter = { type: 'movie', query: `${query}&__proto__=1&__proto__=2` }
    const namedListsPath = `/api/profile/${device.profileId}/lists`
    expect((await device.post(namedListsPath, { name: 'Smart', filter })).status).toBeLessThan(500)
    const ratingJson = `{"rating":8,"rated_at":"2020-01-01T00:00:00Z","__proto__":${pollutedJson},"movie":{"title":"Heat","ids":{"trakt":1,"__proto__":${pollutedJson}}}}`
    const marqueeExport = `{"version":1,"__proto__":[${pollutedJson}],"rating":[{"__proto__":${pollutedJson},"constructor":{"prototype":${pollutedJson}}}]}`
    for (const body of [`[${ratingJson}]`, marqueeExport])
      await sendBody(`/api/profile/${device.profileId}/import?name=ratings-movies.json`, {
        body,
        headers: {
          Authorization: `Bearer ${device.accessToken}`,
          'X-Profile-Id': device.profileId ?? '',
          'Content-Type': 'application/json',
        },
      })
    await waitForIdleQueue(server.database)
    expect(findChangedProperties()).toEqual([])
  })
})

/**
 * Longest allowed time to reject a body of the largest size. A parser that copies the data once per field would take
 * seconds.
 */
const REJECTION_LIMIT_MS = 500

it('the value of Content-Encoding is case-insensitive: Identity is accepted, and GZIP is rejected with 415', async () => {
  const sendBody = async (coding: string) =>
    (await device.send('POST', '/api/auth/logout', {}, { 'Content-Encoding': coding })).status
  expect([await sendBody('Identity'), await sendBody('GZIP')]).toEqual([204, 415])
  await signIn()
})

it('a form with thousands of fields is rejected with 422 within half a second, also when all fields have the same name', async () => {
  const createMultipartForm = (count: number) =>
    `${'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(count)}--b--\r\n`
  const forms: [string, string, string][] = [
    ['repeated name', 'application/x-www-form-urlencoded', 'a&'.repeat(32_767)],
    ['repeated path', 'application/x-www-form-urlencoded', 'a[b&'.repeat(16_383)],
    ['deep paths', 'application/x-www-form-urlencoded', `a${'[b'.repeat(19)}&`.repeat(1_600)],
    ['repeated part', 'multipart/form-data; boundary=b', createMultipartForm(1_200)],
  ]
  for (const [description, contentType, body] of forms) {
    const durationsMs: number[] = []
    let response: Response | undefined
    // The fastest of three requests counts, because other tests use the same cores.
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const startedAtMs = performance.now()
      response = await server.request('/api/auth/login', {
        method: 'POST',
        headers: { 'Content-Type': contentType },
        body,
      })
      durationsMs.push(performance.now() - startedAtMs)
    }
    expect([description, response?.status]).toEqual([description, 422])
    expect(Math.min(...durationsMs), description).toBeLessThan(REJECTION_LIMIT_MS)
    if (description.startsWith('repeated name'))
      expect((await response?.json())?.errors).toEqual({ body: ['too_many_keys'] })
  }
})

// SQLite only: parsing and validating a body uses no database.
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
        const isHtmlPage = response.headers.get('content-type')?.startsWith('text/html')
        const problem = findResponseProblem({
          status: response.status,
          body: responseText && !isHtmlPage ? JSON.parse(responseText) : null,
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
          c.json(parseRequestBody(endpoint.body, await readRequestBody(c, endpoint.maxBodyBytes))),
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
    /**
     * Returns valid bodies of an endpoint. The first body has a sample value in every field. Each further body differs
     * from the first body in one field, which is null or an empty list.
     */
    const createBodies = (endpoint: Endpoint) => {
      const body = createSampleBody(endpoint, { ...sampleParams, ...BODY_VALUES }) as Record<string, unknown>
      const { properties = {} } = z.toJSONSchema(endpoint.body, { io: 'input', unrepresentable: 'any' })
      const bodyVariants = Object.entries(properties).flatMap(([name, property]) => {
        const { anyOf = [], type, minItems = 0 } = property as z.core.JSONSchema.BaseSchema
        const isNullable = anyOf.some((option) => typeof option === 'object' && option.type === 'null')
        if (isNullable) return [{ ...body, [name]: null }]
        return type === 'array' && minItems === 0 ? [{ ...body, [name]: [] }] : []
      })
      return [body, ...bodyVariants]
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

    it('a form can change enumerated numbers, lists of numbers and nested fields of a profile', async () => {
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
      const genreFields = [16, 35, 99].map((genre) => `preferences[content_genres][movie]=${genre}`).join('&')
      const form = `preferences[text_size]=115&${genreFields}&preferences[content_genres][tv]=`
      expect(await sendForm(form)).toMatchObject({
        status: 200,
        body: { preferences: { text_size: 115, content_genres: { movie: [16, 35, 99], tv: [] } } },
      })
      expect((await sendForm('preferences[text_size]=114')).status).toBe(422)
      expect((await sendForm('name=')).status).toBe(422)
    })
  })

it('the server still answers account, movie and readiness requests after the malformed requests of this file', async () => {
  expect((await device.get('/api/auth/me')).status).toBe(200)
  expect((await device.get('/api/movies')).body.results).not.toEqual([])
  expect((await device.get('/api/health/ready')).status).toBe(200)
})
