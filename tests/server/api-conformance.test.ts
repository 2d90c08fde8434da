/**
 * Compares the server with `/api/openapi.json`, on which generated clients rely. The requests are generated from the
 * document, so that new endpoints are covered automatically. Each parameter and each field of a body gets allowed
 * values (such as the smallest number and the longest text), forbidden values, and malicious values. The server must
 * not reject an allowed value because of its form, and must reject all other values. Every response must be documented.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '../../src/lib/contract/endpoint.ts'
import { usesPostgres } from '../support/databases.ts'
import { openDemoDatabase } from '../support/demo-database.ts'
import { ALL_ENDPOINTS, createRequiredQuery, getEndpointName } from '../support/endpoints.ts'
import { insertTestAccount, startTestServer, type TestServer } from '../support/server.ts'
import { fillEndpointPath, TestClient } from '../support/test-client.ts'
import {
  buildPathParams,
  buildWriteRequest,
  createWriteCaller,
  type WriteCaller,
} from '../support/write-calls.ts'

interface DocumentedSchema {
  [keyword: string]: unknown
  type?: string | string[]
  properties?: Record<string, DocumentedSchema>
  required?: string[]
  items?: DocumentedSchema
  anyOf?: DocumentedSchema[]
  enum?: unknown[]
  const?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

/** Texts that SQLite and PostgreSQL can process differently. Tests on PostgreSQL omit TEXTS_FOR_SQLITE_ONLY. */
const TEXTS_FOR_DATABASES = [
  'a\u0000b',
  '\ud800',
  "' OR 1=1 --",
  '%',
  '-1',
  '1e309',
  '9223372036854775808',
  'NaN',
]
const TEXTS_FOR_SQLITE_ONLY = [
  '',
  ' ',
  '\u202e\u2066',
  '\u200b',
  '👩‍👩‍👧‍👦'.repeat(40),
  '"; DROP TABLE title; --',
  '../../../../etc/passwd',
  '__proto__',
]
const MALFORMED_TEXTS = usesPostgres
  ? TEXTS_FOR_DATABASES
  : [...TEXTS_FOR_DATABASES, ...TEXTS_FOR_SQLITE_ONLY]
const MALFORMED_NUMBERS = [-1, 0, 1.5, 1e-7, 2 ** 31, 2 ** 53, 1e308]
/**
 * One value of each JSON type except lists. The server rejects every value of a wrong type, so one value of each type
 * is enough. Tests on PostgreSQL omit these values.
 */
const VALUES_OF_EACH_TYPE: unknown[] = usesPostgres ? [] : [null, true, '1', 1.5, {}]

/** Lists malformed texts and numbers for a schema that accepts texts or numbers. */
function listMalformedValues(schema: DocumentedSchema): unknown[] {
  if (schema.anyOf) return [...new Set(schema.anyOf.flatMap(listMalformedValues))]
  const types = [schema.type].flat()
  if (schema.enum || types.includes('boolean')) return []
  if (types.includes('string')) return MALFORMED_TEXTS
  return types.includes('number') || types.includes('integer') ? MALFORMED_NUMBERS : []
}
const MALFORMED_PARAMETER_TEXTS = ['NaN', 'true', '1.5', '1e309']
/** A text that is larger than the largest body that most endpoints accept. */
const HUGE_TEXT = 'x'.repeat(70_000)

/**
 * Error codes for a value of the wrong form. The document must state the right form of each value. All other error
 * codes depend on stored data or on other fields.
 */
const FORM_ERROR_CODES = new Set([
  ...['invalid_type', 'invalid_value', 'invalid_format', 'invalid_union', 'too_big', 'too_small', 'custom'],
  ...['not_multiple_of', 'unrecognized_keys', 'invalid_key', 'invalid_element', 'invalid_text', 'empty'],
  ...['too_short', 'too_long', 'forbidden_characters', 'too_many_keys', 'too_deep'],
  ...['no_number', 'no_lowercase', 'no_uppercase'],
])
const INTERNAL_DETAILS_PATTERN = /SQLITE|constraint|syntax error|node:|\.ts:\d|at async/i

/** Paths of requests that can end the session, delete the account or change its password. */
const SESSION_ENDING_PATH_PATTERN = /^\/auth\/(?:log|password|user)/
/** All endpoints except `/api/events`, whose response never ends. */
const ENDPOINTS = ALL_ENDPOINTS.filter((endpoint) => getEndpointName(endpoint) !== 'GET /api/events')
  .map((endpoint) => [getEndpointName(endpoint), endpoint] as const)
  .sort(([a], [b]) => a.localeCompare(b))

let server: TestServer
// biome-ignore lint/suspicious/noExplicitAny: the test reads the document without types, as a code generator does
let openApi: any
let mediaId = ''
let caller: WriteCaller
let administrator: TestClient
/** A device on which a kids profile acts. */
let viewer: TestClient
let viewerProfileId = ''
let idsByPathStart: [string, Record<string, string>][]

const ajv = new Ajv2020({
  strict: false,
  formats: {
    'date-time': (text: string) => /Z$/.test(text) && !Number.isNaN(Date.parse(text)),
    date: true,
    email: true,
    uri: true,
  },
})
const validatorsBySchema = new Map<unknown, ValidateFunction>()
const getOrCompileValidator = (schema: object): ValidateFunction => {
  const validate = validatorsBySchema.get(schema) ?? ajv.compile(schema)
  validatorsBySchema.set(schema, validate)
  return validate
}

beforeAll(async () => {
  server = await startTestServer({ database: await openDemoDatabase() })
  openApi = await (await server.request('/api/openapi.json')).json()
  await insertTestAccount(server, 'first@example.com', 'admin')
  await renewCaller()
  viewer = new TestClient(server)
  await insertTestAccount(server, 'viewer@example.com')
  await viewer.login('viewer@example.com')
  await viewer.post('/api/profile', { name: 'Main' })
  viewerProfileId = (await viewer.post('/api/profile', { name: 'Kid', kids: true })).body.profile_id
  viewer.profileId = viewerProfileId
  const [movie] = (await administrator.get('/api/movies')).body.results
  const [series] = (await administrator.get('/api/series')).body.results
  const [season] = (await administrator.get(`/api/series/${series.id}/seasons`)).body.results
  const [actor] = (await administrator.get(`/api/movies/${movie.id}`)).body.cast
  mediaId = movie.id
  idsByPathStart = [
    ['/movies', { slug: movie.slug }],
    ['/series', { id: series.id, slug: series.slug }],
    ['/seasons', { id: season.id ?? 'none' }],
    ['/actors', { id: actor.actor_id, slug: actor.slug }],
  ]
}, 120_000)
afterAll(() => server.close())

/** Signs in a new administrator, because some requests end the session or change the password. */
async function renewCaller(): Promise<void> {
  caller = await createWriteCaller(server)
  administrator = new TestClient(server)
  administrator.accessToken = caller.accessToken
  administrator.profileId = caller.profileId
}

const getOperation = ({ method, base, path }: Endpoint) => openApi.paths[base + path][method.toLowerCase()]
const getBodySchema = (endpoint: Endpoint): DocumentedSchema | undefined =>
  getOperation(endpoint).requestBody?.content['application/json']?.schema
const listParameters = (endpoint: Endpoint): { name: string; in: string; schema: DocumentedSchema }[] =>
  getOperation(endpoint).parameters.filter((parameter: { in?: string }) => parameter.in !== undefined)

const fillPath = (endpoint: Endpoint, params: Record<string, string> = {}) => {
  const [, ids] = idsByPathStart.find(([start]) => endpoint.path.startsWith(start)) ?? []
  const sampleParams: Record<string, string> = buildPathParams(endpoint, caller, mediaId)
  const token = { token: 'sample', signal: `liked:${mediaId}`, pairing: 'AAAAAAAAAAAAAAAAAAAAAA' }
  return fillEndpointPath(endpoint, { ...sampleParams, ...token, ...ids, ...params })
}
const createQuery = (endpoint: Endpoint) =>
  createRequiredQuery(endpoint, { from: '2026-01-01', until: '2026-02-01', type: 'movie', media_id: mediaId })
const createBody = (endpoint: Endpoint): unknown =>
  endpoint.method === 'GET' || endpoint.upload
    ? undefined
    : JSON.parse(buildWriteRequest(endpoint, caller, mediaId).init.body)

/** Deletes the rate limits, which would otherwise reject most of the requests. */
const clearRateLimits = () => server.database.primary.deleteFrom('rate_limit').execute()

interface RequestValues {
  path?: string
  query?: URLSearchParams
  body?: unknown
}

async function send(client: TestClient, endpoint: Endpoint, values: RequestValues = {}) {
  const { path = fillPath(endpoint), query = createQuery(endpoint), body = createBody(endpoint) } = values
  const url = query.size > 0 ? `${path}?${query}` : path
  const sendOnce = async () => {
    const response = await client.server.request(url, {
      method: endpoint.method,
      headers: {
        Authorization: `Bearer ${client.accessToken}`,
        'X-Profile-Id': client.profileId ?? '',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const isEventStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    if (isEventStream) await response.body?.cancel()
    return { response, text: isEventStream ? '' : await response.text() }
  }
  const firstReply = await sendOnce()
  if (firstReply.response.status !== 429) return firstReply
  await clearRateLimits()
  return sendOnce()
}

/** Number of replies of each endpoint that are compared with the schema. Further replies have the same fields. */
const MAX_COMPARED_REPLIES = 20
/** Bodies that were already compared with the document. Most errors of an endpoint have the same body. */
const comparedTextsByEndpoint = new Map<Endpoint, Set<string>>()

/**
 * Returns a description of the first difference between a response and the document, or undefined if they agree. The
 * function `request` of the test server compares the status and the media type.
 */
function findDifference(
  endpoint: Endpoint,
  { response: { status, headers }, text }: Awaited<ReturnType<typeof send>>,
): string | undefined {
  if (status === 500) return 'status 500'
  if (headers.get('content-type') !== 'application/json') return undefined
  if ((status === 429 || status === 503) && !headers.has('retry-after')) return 'no Retry-After'
  if (status === 401 && !headers.has('www-authenticate')) return 'no WWW-Authenticate'
  const comparedTexts = comparedTextsByEndpoint.get(endpoint) ?? new Set()
  comparedTextsByEndpoint.set(endpoint, comparedTexts)
  if (comparedTexts.has(text) || (status < 400 && comparedTexts.size > MAX_COMPARED_REPLIES)) return undefined
  comparedTexts.add(text)
  const body: Record<string, unknown> = JSON.parse(text)
  if (status < 400) {
    const { schema } = getOperation(endpoint).responses[status].content['application/json']
    const validate = getOrCompileValidator(schema)
    return validate(body) ? undefined : `reply: ${ajv.errorsText(validate.errors)}`
  }
  const validate = getOrCompileValidator(openApi.components.schemas.Error)
  if (!validate(body) || body['status_code'] !== status) return `not the error format: ${text}`
  return INTERNAL_DETAILS_PATTERN.exec(text)?.[0]
}

/**
 * Returns a description of the error if the server accepts a forbidden value or rejects an allowed value, else
 * undefined.
 */
function findWrongTreatment(
  { response: { status }, text }: Awaited<ReturnType<typeof send>>,
  isAllowed: boolean,
): string | undefined {
  if (!isAllowed) return status < 400 ? `accepted with ${status}` : undefined
  if (status === 413 || status === 415) return `allowed value rejected with ${status}`
  if (status !== 422) return undefined
  const codes = Object.values(JSON.parse(text).errors as Record<string, string[]>).flat()
  return codes.some((code) => FORM_ERROR_CODES.has(code)) ? `allowed value rejected: ${text}` : undefined
}

/** Lists values at the limits of a schema, and values just outside. `sample` is a value that the schema allows. */
function listLimitValues(schema: DocumentedSchema, sample: unknown): unknown[] {
  if (schema.anyOf) return schema.anyOf.flatMap((option) => listLimitValues(option, sample))
  if (schema.enum)
    return usesPostgres ? [] : schema.enum.slice(0, 2).concat(schema.enum.slice(2).at(-1) ?? [])
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, items } = schema
  const numbers = [minimum, maximum].flatMap((limit) =>
    limit === undefined || Math.abs(limit) > 2 ** 50 ? [] : [limit - 1, limit, limit + 1, limit + 0.5],
  )
  const textLengths = new Set([minLength ?? 0, maxLength ?? 0].filter((length) => length > 0))
  const texts = [...textLengths].flatMap((length) => [
    'Aa1'.repeat(length).slice(0, length),
    '😀'.repeat(length),
    'x'.repeat(length + 1),
  ])
  const sampleItem = Array.isArray(sample) ? sample[0] : items?.enum?.[0]
  const itemLists = [minItems, maxItems].flatMap((length) =>
    length === undefined || sampleItem === undefined
      ? []
      : [Math.max(0, length - 1), length, length + 1].map((count) =>
          Array.from({ length: count }, () => sampleItem),
        ),
  )
  return [...numbers, ...texts, ...itemLists]
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

interface BodyVariant {
  description: string
  body: unknown
}

/** Lists copies of a body. Each copy differs from the body in one field, which can be in a nested object or list. */
function listBodyVariants(schema: DocumentedSchema, body: unknown, path = ''): BodyVariant[] {
  const { anyOf, items, properties = {}, required = [] } = schema
  if (anyOf) {
    const option = anyOf.find((candidate) => candidate.properties !== undefined || candidate.items)
    return option ? listBodyVariants(option, body, path) : []
  }
  if (Array.isArray(body) && body.length > 0 && items)
    return listBodyVariants(items, body[0], `${path}[0]`).map((variant) => ({
      ...variant,
      body: [variant.body, ...body.slice(1)],
    }))
  if (!isObject(body)) return []
  const describeValue = (name: string, value: unknown) =>
    `${path}.${name} = ${JSON.stringify(value)?.slice(0, 60)}`
  const replaceField = (name: string, value: unknown): BodyVariant => ({
    description: describeValue(name, value),
    body: { ...body, [name]: value },
  })
  const fieldVariants = Object.entries(properties).flatMap(([name, fieldSchema]) => [
    ...[
      ...VALUES_OF_EACH_TYPE,
      ...listMalformedValues(fieldSchema),
      ...listLimitValues(fieldSchema, body[name]),
    ].map((value) => replaceField(name, value)),
    ...listBodyVariants(fieldSchema, body[name], `${path}.${name}`).map((variant) => ({
      ...variant,
      body: { ...body, [name]: variant.body },
    })),
  ])
  return [
    ...fieldVariants,
    ...required.map((name) => replaceField(name, undefined)),
    ...(schema['additionalProperties'] === false ? [replaceField('unknown', 1)] : []),
  ]
}

/** Returns whether the document allows a parameter text, either as text or as the JSON value to which it is parsed. */
function isAllowedText(schema: DocumentedSchema, text: string): boolean {
  const validate = getOrCompileValidator(schema)
  const isJsonValue = /^(?:true|false|-?\d+(?:\.\d+)?(?:e[-+]?\d+)?)$/i.test(text)
  const readings: unknown[] = isJsonValue ? [text, JSON.parse(text)] : [text]
  return readings.some((value) => validate(value) || validate([value]))
}

describe.each(ENDPOINTS)('%s', (_, endpoint) => {
  it('accepts or rejects parameter and body values as the OpenAPI document states', async () => {
    const differences: string[] = []
    const sendAndCompare = async (description: string, isAllowed: boolean, values: RequestValues) => {
      const reply = await send(administrator, endpoint, values)
      const difference = findDifference(endpoint, reply) ?? findWrongTreatment(reply, isAllowed)
      if (difference) differences.push(`${description}: ${difference}`)
    }
    for (const { name, in: location, schema } of listParameters(endpoint)) {
      const items = schema.items ?? schema
      // Most path parameters are ids. All endpoints check ids with the same schema, so few values are enough.
      const malformedTexts =
        location === 'path'
          ? TEXTS_FOR_DATABASES
          : [...MALFORMED_PARAMETER_TEXTS, ...listMalformedValues(items)]
      const texts = [...malformedTexts, ...listLimitValues(items, undefined)]
      for (const text of new Set(texts.map(String))) {
        if (text === '' || !text.isWellFormed()) continue
        const isAllowed = isAllowedText(schema, text)
        const description = `${location} ${name} = ${JSON.stringify(text.slice(0, 60))}`
        if (location === 'path')
          await sendAndCompare(description, isAllowed, {
            path: fillPath(endpoint, { [name]: encodeURIComponent(text) }),
          })
        if (location !== 'query') continue
        const query = createQuery(endpoint)
        query.set(name, text)
        await sendAndCompare(description, isAllowed, { query })
      }
    }
    const requiredQuery = createQuery(endpoint)
    for (const name of requiredQuery.keys()) {
      const query = createQuery(endpoint)
      query.delete(name)
      await sendAndCompare(`without ${name}`, false, { query })
    }
    const bodySchema = getBodySchema(endpoint)
    if (bodySchema) {
      const body = createBody(endpoint)
      const validate = getOrCompileValidator(bodySchema)
      if (!validate(body)) differences.push(`the sample body: ${ajv.errorsText(validate.errors)}`)
      for (const variant of listBodyVariants(bodySchema, body)) {
        const isAllowed = validate(variant.body) && !JSON.stringify(variant.body).includes('\\ud800')
        await sendAndCompare(`body${variant.description}`, isAllowed, { body: variant.body })
      }
      await sendAndCompare('huge body', false, { body: { ...(body as object), unknown: HUGE_TEXT } })
    }
    expect(differences).toEqual([])
    if (SESSION_ENDING_PATH_PATTERN.test(endpoint.path) && endpoint.method !== 'GET') await renewCaller()
  })

  it('answers a valid request of an administrator and of a child as the OpenAPI document states', async () => {
    const differences: string[] = []
    for (const client of [viewer, administrator]) {
      const path = fillPath(
        endpoint,
        client === viewer && endpoint.path.startsWith('/profile') ? { id: viewerProfileId } : {},
      )
      const result = await send(client, endpoint, { path })
      const difference = findDifference(endpoint, result) ?? findWrongTreatment(result, true)
      if (difference) differences.push(`${client === viewer ? 'child' : 'administrator'}: ${difference}`)
    }
    expect(differences).toEqual([])
  })
})
