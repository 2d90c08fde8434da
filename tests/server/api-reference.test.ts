/** The OpenAPI document describes the errors, times and events that the server sends. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { createImageApp } from '../../server/routes/images.ts'
import { ALL_ENDPOINTS, getEndpointName } from '../support/endpoints.ts'
import { insertTestAccount, startTestServer, type TestServer } from '../support/server.ts'
import { TestClient } from '../support/test-client.ts'
import { addTestTitles } from './security/household.ts'

interface JsonSchema {
  [keyword: string]: unknown
  type?: string | string[]
  format?: string
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
}
let server: TestServer
let device: TestClient
let movieId = ''
// biome-ignore lint/suspicious/noExplicitAny: the test reads the document without types, as a code generator does
let openApi: any
beforeAll(async () => {
  server = await startTestServer()
  movieId = (await addTestTitles(server)).safe.id
  await insertTestAccount(server, 'reader@example.com')
  device = new TestClient(server)
  await device.login('reader@example.com')
  device.profileId = (await device.post('/api/profile', { name: 'Reader' })).body.profile_id
  openApi = await (await server.request('/api/openapi.json')).json()
}, 60_000)
afterAll(() => server.close())

const getReplySchema = (path: string, method = 'get'): JsonSchema =>
  openApi.paths[path][method].responses[200].content['application/json'].schema

it('the schemas of replies allow unknown fields, and the schema of the body of POST /api/profile forbids them', () => {
  for (const endpoint of ALL_ENDPOINTS) {
    const operation = openApi.paths[endpoint.base + endpoint.path][endpoint.method.toLowerCase()]
    expect(JSON.stringify(operation.responses), getEndpointName(endpoint)).not.toContain(
      '"additionalProperties":false',
    )
  }
  const { schema } = openApi.paths['/api/profile'].post.requestBody.content['application/json']
  expect(schema.additionalProperties).toBe(false)
})

it('every operation has a unique `operationId`; the operation for a movie states its tag and its accepted credentials, and the sign-in requires none', () => {
  const operations = ALL_ENDPOINTS.map(
    ({ base, path, method }) => openApi.paths[base + path][method.toLowerCase()],
  )
  const operationIds = operations.map(({ operationId }) => operationId)
  for (const operationId of operationIds) expect(operationId).toMatch(/^[a-z][A-Za-z0-9]*$/)
  expect(new Set(operationIds).size).toBe(ALL_ENDPOINTS.length)
  expect(openApi.paths['/api/movies/{id}'].get).toMatchObject({
    operationId: 'getMoviesById',
    tags: ['movies'],
    security: [{ bearer: [] }, { apiKey: [] }],
  })
  expect(openApi.paths['/api/auth/login'].post.security).toEqual([])
})

it('the OpenAPI document and the page of the API reference describe how the URL of an image is formed, and a URL of this form returns an image without authentication', async () => {
  const documentText = openApi.info.description
  expect(documentText).toContain('`/images/w342/')
  expect(await (await server.request('/api/docs')).text()).toContain('<code>/images/w342/')
  const { poster_path } = (await device.get(`/api/movies/${movieId}`)).body
  const response = await createImageApp(server.deps).request(`/images/w342${poster_path}`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('image/')
})

it('every `$ref` of an error response refers to the response for the same status in the common error format', () => {
  for (const endpoint of ALL_ENDPOINTS) {
    const { responses } = openApi.paths[endpoint.base + endpoint.path][endpoint.method.toLowerCase()]
    for (const [status, response] of Object.entries<{ $ref?: string }>(responses)) {
      if (response.$ref === undefined) continue
      const name = response.$ref.replace('#/components/responses/', '')
      expect(name).toBe(`Error${status}`)
      expect(openApi.components.responses[name].content['application/json'].schema.$ref).toBe(
        '#/components/schemas/Error',
      )
    }
  }
})

it.each([
  [401, 'get', '/api/auth/me', '/api/auth/me', { Authorization: '' }],
  [403, 'get', '/api/admin/overview', '/api/admin/overview', {}],
  [403, 'get', '/api/movies', '/api/movies', { 'X-Profile-Id': 'unknown' }],
  [404, 'get', '/api/movies/{id}', '/api/movies/999999', {}],
  [415, 'post', '/api/auth/login', '/api/auth/login', { 'Content-Type': 'text/plain' }],
  [422, 'get', '/api/movies', '/api/movies?limit=0', {}],
] as const)(
  'a response with status %i to %s %s is documented',
  async (status, method, path, url, headers) => {
    const response = await server.request(url, {
      method: method.toUpperCase(),
      headers: { Authorization: `Bearer ${device.accessToken}`, ...headers },
      ...(method === 'post' && { body: 'x' }),
    })
    expect(response.status).toBe(status)
    const { $ref } = openApi.paths[path][method].responses[status]
    expect($ref).toBe(`#/components/responses/Error${status}`)
    const error = await response.json()
    const { properties, required } = openApi.components.schemas.Error
    expect(Object.keys(error).sort()).toEqual([...required].sort())
    expect(properties.type.examples).toContain(error.type)
    for (const codes of Object.values(error.errors)) expect(codes).toEqual([expect.any(String)])
  },
)

/** Lists the values of a reply whose schema has the format `date-time`. */
function listInstants(schema: JsonSchema, value: unknown): unknown[] {
  if (value === null || value === undefined) return []
  if (schema.anyOf) return schema.anyOf.flatMap((option) => listInstants(option, value))
  if (schema.format === 'date-time') return [value]
  if (schema.items) return (value as unknown[]).flatMap((item) => listInstants(schema.items ?? {}, item))
  return Object.entries(schema.properties ?? {}).flatMap(([name, fieldSchema]) =>
    listInstants(fieldSchema, (value as Record<string, unknown>)[name]),
  )
}

it('times in replies are documented with the format `date-time`, and are valid in this format', async () => {
  const profilePath = `/api/profile/${device.profileId}`
  await device.put(`${profilePath}/watchlist/movie/${movieId}`, { in_watchlist: true })
  await device.post(`${profilePath}/history`, {
    type: 'movie',
    media_id: movieId,
    progress: 60,
    data: { video_duration: 600 },
  })
  for (const [path, url] of [
    ['/api/auth/me', '/api/auth/me'],
    ['/api/auth/devices', '/api/auth/devices'],
    ['/api/profile/{id}/watchlist', `${profilePath}/watchlist`],
    ['/api/profile/{id}/continue-watching', `${profilePath}/continue-watching`],
    ['/api/profile/{id}/history/{type}/{mediaId}', `${profilePath}/history/movie/${movieId}`],
  ] as const) {
    const instants = listInstants(getReplySchema(path), (await device.get(url)).body)
    expect(instants.length, path).toBeGreaterThan(0)
    for (const instant of instants)
      expect(z.safeParse(z.iso.datetime(), instant).success, `${path} ${instant}`).toBe(true)
  }
})

it('the description of `/api/events` names the kinds of event', () => {
  const { description } = openApi.paths['/api/events'].get
  for (const kind of ['list', 'progress', 'gap', 'catalogue', 'job', 'remote', 'revoked'])
    expect(description).toContain(`\`${kind}\``)
})
