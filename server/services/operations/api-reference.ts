/** Generates `/api/openapi.json` (OpenAPI 3.1) and the HTML page `/api/docs` from the contract. */

import * as z from 'zod/mini'
import type { Endpoint } from '../../../src/lib/contract/endpoint.ts'
import type { Config } from '../../core/config.ts'
import { escapeMarkup } from '../../core/escape-markup.ts'
import { PROBLEM_TYPES } from '../../core/problem.ts'
import { API_KEY_PREFIX } from '../auth/api-key-access.ts'

type JsonObject = Record<string, unknown>

/** Names of text fields that contain an instant, by the naming convention of the API. */
const INSTANT_NAME_PATTERN = /_(at|until)$|^last_(active|used)$/

interface SchemaPart {
  zodSchema: z.core.$ZodTypes
  jsonSchema: z.core.JSONSchema.BaseSchema
  path: (string | number)[]
}

/**
 * Returns the JSON Schema of the input or output of a zod schema. For a transform, the output is the
 * transformed value. `override` changes the JSON Schema of each part.
 */
function toJsonSchema(
  schema: z.ZodMiniType,
  io: 'input' | 'output',
  override: (part: SchemaPart) => void,
): JsonObject {
  const { $schema: _dialect, ...jsonSchema } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override,
  })
  return jsonSchema
}

const isText = ({ type }: z.core.JSONSchema.BaseSchema) => [type].flat().includes('string')

function toReplySchema(schema: z.ZodMiniType): JsonObject {
  return toJsonSchema(schema, 'output', ({ jsonSchema, path }) => {
    // Compatible releases add fields to replies, so a client must not reject unknown fields.
    if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    const fieldName = path[path.lastIndexOf('properties') + 1]
    const isInstant = INSTANT_NAME_PATTERN.test(String(fieldName)) && jsonSchema.pattern === undefined
    if (isText(jsonSchema) && isInstant) jsonSchema.format ??= 'date-time'
  })
}

/**
 * Adds a pattern for the checks that the server applies to every text of a request: it contains no NUL. If the schema
 * trims the text and rejects an empty text, it also contains a character that is not white space.
 */
function addTextPattern({ zodSchema, jsonSchema, path }: SchemaPart): void {
  const { pattern, format, enum: choices, const: value, minLength = 0 } = jsonSchema
  const isRestricted = [pattern, format, choices, value].some((keyword) => keyword !== undefined)
  if (!isText(jsonSchema) || isRestricted || path.at(-1) === 'propertyNames') return
  const isBlankRejected = minLength > 0 && !z.safeParse(zodSchema, ' '.repeat(minLength)).success
  const rest = minLength > 1 ? `[^\\u0000]{${minLength - 2},}[^\\s\\u0000]` : ''
  jsonSchema.pattern = isBlankRejected ? `^[^\\u0000]*[^\\s\\u0000]${rest}[^\\u0000]*$` : '^[^\\u0000]*$'
}

const toRequestSchema = (schema: z.ZodMiniType, io: 'input' | 'output' = 'input'): JsonObject =>
  toJsonSchema(schema, io, addTextPattern)

const getProperties = ({ properties = {} }: JsonObject) => properties as JsonObject

function listParameters(endpoint: Endpoint): JsonObject[] {
  return (['path', 'query'] as const).flatMap((location) => {
    const schema = location === 'path' ? endpoint.params : endpoint.query
    const properties = getProperties(toRequestSchema(schema, 'output'))
    // In the output, a parameter with a default is always present. Only the schema of the input shows what the caller
    // must send.
    const { required = [] } = toRequestSchema(schema) as { required?: string[] }
    const requiredNames = location === 'path' ? Object.keys(properties) : required
    return Object.entries(properties).map(([name, parameterSchema]) => ({
      name,
      in: location,
      required: requiredNames.includes(name),
      // An empty value counts as an absent parameter.
      ...(location === 'query' && !requiredNames.includes(name) && { allowEmptyValue: true }),
      schema: parameterSchema,
    }))
  })
}

const JSON_TYPE = 'application/json'
const ERROR_REF = { $ref: '#/components/schemas/Error' }
const ERROR_DESCRIPTIONS: Record<number, string> = {
  401: 'The access token, API key or refresh token is missing or cannot be used.',
  403: [
    'The caller may not do this. `profile_locked`: the profile must be unlocked with its PIN first.',
    'After too many wrong PINs, `invalid_pin` with `Retry-After` tells when to try again.',
  ].join(' '),
  404: 'The object does not exist, or the caller may not see it.',
  409: 'The request conflicts with the current state. `errors` contains the reason by field.',
  413: 'The body is too large.',
  415: 'The media type or the encoding of the body is not supported.',
  422: 'A parameter or a field of the body is not valid. `errors` contains the codes by field.',
  429: 'Too many requests. `Retry-After` tells when to try again.',
  502: 'Another service, on which the reply depends, did not respond correctly.',
  503: 'The server is busy, or the database cannot be reached. `Retry-After` tells when to try again.',
}
const RETRYABLE_STATUSES = [429, 503]

/** Returns the error statuses that are documented for an endpoint. Other errors are covered by `default`. */
export function listErrorStatuses({ access, method, path, errorStatuses = [] }: Endpoint): number[] {
  const isWrite = method !== 'GET'
  const statuses = new Set([
    ...(access === 'public' ? [] : [401]),
    // Cross-site writes are rejected with 403.
    ...(isWrite || (access !== 'public' && access !== 'invitation') ? [403] : []),
    // A write gets 404 when a row to which it refers was deleted.
    ...(isWrite || path.includes('{') ? [404] : []),
    // A write reads a body even if it has no fields.
    ...(isWrite ? [413, 415] : []),
    // Malformed percent encoding of a query is rejected even if the endpoint has no parameters.
    422,
    ...RETRYABLE_STATUSES,
    ...errorStatuses,
  ])
  return [...statuses].sort((a, b) => a - b)
}

function buildErrorResponses(): JsonObject {
  const retryHeaders = {
    'Retry-After': { description: 'Seconds until the next attempt.', schema: { type: 'integer' } },
  }
  const authenticateHeaders = {
    'WWW-Authenticate': { description: 'The scheme `Bearer`.', schema: { type: 'string' } },
  }
  return Object.fromEntries(
    Object.entries(ERROR_DESCRIPTIONS).map(([status, description]) => [
      `Error${status}`,
      {
        description,
        ...([403, ...RETRYABLE_STATUSES].includes(Number(status)) && { headers: retryHeaders }),
        ...(status === '401' && { headers: authenticateHeaders }),
        content: { [JSON_TYPE]: { schema: ERROR_REF } },
      },
    ]),
  )
}
const PROFILE_HEADER_REFS = [
  { $ref: '#/components/parameters/ProfileId' },
  { $ref: '#/components/parameters/TimeZone' },
]
const FORM_TYPE = 'application/x-www-form-urlencoded'
/** The file is a part of a form, or the whole body with any other media type. */
const UPLOAD_CONTENT = {
  'multipart/form-data': {
    schema: { type: 'object', required: ['file'], properties: { file: { contentMediaType: '*/*' } } },
  },
  'application/octet-stream': {},
  '*/*': {},
}

/**
 * True when OpenAPI has an unambiguous encoding of the fields as a form: each field is a value or a list of values. The
 * server also accepts other fields, written as `preferences[language]`.
 */
function hasFlatFields(schema: JsonObject): boolean {
  const isFlat = (fieldSchema: JsonObject): boolean => {
    const { type, anyOf, items } = fieldSchema
    if (Array.isArray(anyOf)) return (anyOf as JsonObject[]).every(isFlat)
    return type !== 'object' && (type !== 'array' || (items as JsonObject)['type'] !== 'object')
  }
  return Object.values(getProperties(schema)).every((fieldSchema) => isFlat(fieldSchema as JsonObject))
}

function buildRequestBody({ body, upload }: Endpoint): JsonObject | undefined {
  if (upload) return { required: true, content: UPLOAD_CONTENT }
  const schema = toRequestSchema(body)
  if (Object.keys(getProperties(schema)).length === 0) return undefined
  const required = !z.safeParse(body, {}).success
  const formContent = hasFlatFields(schema) && { [FORM_TYPE]: { schema } }
  return { required, content: { [JSON_TYPE]: { schema }, ...formContent } }
}

function buildReplyContent({ status, reply, replyTypes }: Endpoint): JsonObject | undefined {
  if (status === 204 || status === 303) return undefined
  if (!replyTypes) return { [JSON_TYPE]: { schema: toReplySchema(reply) } }
  return Object.fromEntries(
    replyTypes.map((type) => [type, { schema: type === JSON_TYPE ? {} : { type: 'string' } }]),
  )
}

const ETAG_HEADERS = { ETag: { description: 'Version of the reply.', schema: { type: 'string' } } }
const IF_NONE_MATCH_REF = { $ref: '#/components/parameters/IfNoneMatch' }

function buildReply(endpoint: Endpoint): JsonObject {
  const content = buildReplyContent(endpoint)
  const { status, hasEtag } = endpoint
  const locationHeaders = {
    Location: { description: 'The page to open next.', schema: { type: 'string' } },
  }
  const headers = status === 303 ? locationHeaders : hasEtag && ETAG_HEADERS
  return {
    [status]: { description: 'Done', ...(headers && { headers }), ...(content && { content }) },
    ...(hasEtag && {
      304: { description: '`If-None-Match` contains the version of the reply.', headers: ETAG_HEADERS },
    }),
  }
}

function buildOperation(endpoint: Endpoint): JsonObject {
  const requestBody = buildRequestBody(endpoint)
  const hasProfile = endpoint.access !== 'public' && endpoint.access !== 'invitation'
  return {
    summary: endpoint.summary,
    ...(endpoint.description && { description: endpoint.description }),
    'x-access': endpoint.access,
    ...(endpoint.proof && { 'x-proof': endpoint.proof }),
    ...(endpoint.stepUp && { 'x-step-up': endpoint.stepUp }),
    ...(endpoint.scope && { 'x-scope': endpoint.scope }),
    ...(endpoint.access !== 'public' && {
      security: [{ bearer: [] }, ...(endpoint.scope ? [{ apiKey: [] }] : [])],
    }),
    parameters: [
      ...listParameters(endpoint),
      ...(hasProfile ? PROFILE_HEADER_REFS : []),
      ...(endpoint.hasEtag ? [IF_NONE_MATCH_REF] : []),
    ],
    ...(requestBody && { requestBody }),
    responses: {
      ...buildReply(endpoint),
      ...Object.fromEntries(
        listErrorStatuses(endpoint).map((status) => [
          status,
          { $ref: `#/components/responses/Error${status}` },
        ]),
      ),
      default: { description: 'An error', content: { [JSON_TYPE]: { schema: ERROR_REF } } },
    },
  }
}

export function buildOpenApi(endpoints: readonly Endpoint[], siteName: string): JsonObject {
  const operationsByPath: Record<string, JsonObject> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.base + endpoint.path
    operationsByPath[path] = {
      ...operationsByPath[path],
      [endpoint.method.toLowerCase()]: buildOperation(endpoint),
    }
  }
  const stringSchema = { type: 'string' }
  return {
    openapi: '3.1.0',
    info: { title: `${siteName} API`, version: '1' },
    paths: operationsByPath,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: `An API key (${API_KEY_PREFIX}…) whose scopes include the \`x-scope\` of the call.`,
        },
      },
      parameters: {
        IfNoneMatch: {
          name: 'If-None-Match',
          in: 'header',
          required: false,
          description: 'The `ETag` of an earlier reply. If the reply is the same, the status is 304.',
          schema: stringSchema,
        },
        ProfileId: {
          name: 'X-Profile-Id',
          in: 'header',
          required: false,
          description:
            'The acting profile. Without it, the profile in the path acts, else the last one that acted on the device.',
          schema: stringSchema,
        },
        TimeZone: {
          name: 'X-Time-Zone',
          in: 'header',
          required: false,
          description:
            'IANA name of the time zone of the viewer, such as `Asia/Tokyo`. An episode or movie counts as released from its date in this time zone on. Without it, the time zone that the device sent last applies, else UTC.',
          schema: stringSchema,
        },
      },
      responses: buildErrorResponses(),
      schemas: {
        Error: {
          type: 'object',
          required: ['type', 'status_code', 'message', 'errors'],
          properties: {
            // Not an `enum`, because compatible releases add types.
            type: { ...stringSchema, examples: PROBLEM_TYPES },
            status_code: { type: 'integer' },
            message: { ...stringSchema, description: 'English text for developers.' },
            errors: {
              type: 'object',
              description: 'Error codes by the name of the field, such as `{"name": ["too_long"]}`.',
              additionalProperties: { type: 'array', items: stringSchema },
            },
          },
        },
      },
    },
  }
}

function renderApiKeyHelp({ origin }: URL): string {
  const example = [
    `curl -H "Authorization: Bearer ${API_KEY_PREFIX}…" "${origin}/api/movies?limit=5"`,
    `curl -H "Authorization: Bearer ${API_KEY_PREFIX}…" "${origin}/api/profile"`,
    `curl -X PUT -H "Authorization: Bearer ${API_KEY_PREFIX}…" -d in_watchlist=true "${origin}/api/profile/PROFILE_ID/watchlist/movie/MOVIE_ID"`,
    `curl -N -H "Authorization: Bearer ${API_KEY_PREFIX}…" "${origin}/api/events"`,
  ].join('\n')
  return `<h2>API keys</h2><p>Create a key under Account, Security. It may make the calls of its scopes, for one profile or for all profiles without a PIN; <code>X-Profile-Id</code> names the acting profile where the path does not. <code>X-Time-Zone</code> names the time zone whose date decides what is released; without it, the date is that of UTC. At most 300 requests per minute and key.</p><pre>${escapeMarkup(example)}</pre>`
}

/**
 * Returns an HTML page without scripts and styles that lists every call with its access level, scope and
 * parameters.
 */
export function renderReferencePage(
  endpoints: readonly Endpoint[],
  { siteName, publicUrl }: Pick<Config, 'siteName' | 'publicUrl'>,
): string {
  const tableRows = [...endpoints]
    .sort((a, b) => (a.base + a.path).localeCompare(b.base + b.path))
    .map((endpoint) => {
      const queryParameters = listParameters(endpoint)
        .filter((parameter) => parameter['in'] === 'query')
        .map((parameter) => `<code>${escapeMarkup(String(parameter['name']))}</code>`)
      const bodyFields = Object.keys(getProperties(toRequestSchema(endpoint.body))).map(
        (fieldName) => `<code>${escapeMarkup(fieldName)}</code>`,
      )
      const cells = [
        `<code>${endpoint.method} ${escapeMarkup(endpoint.base + endpoint.path)}</code>`,
        escapeMarkup(endpoint.access),
        escapeMarkup(endpoint.scope ?? ''),
        escapeMarkup(endpoint.summary),
        queryParameters.join(' '),
        bodyFields.join(' '),
        String(endpoint.status),
      ]
      return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
    })
  const headings = ['Call', 'Access', 'API key scope', 'What it does', 'Query', 'Body', 'Status']
    .map((name) => `<th align="start">${name}</th>`)
    .join('')
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeMarkup(siteName)} API</title><h1>${escapeMarkup(siteName)} API</h1><p>Machine-readable: <a href="/api/openapi.json">openapi.json</a>. Lists return <code>page</code>, <code>limit</code>, <code>total_results</code>, <code>total_pages</code>, <code>results</code>; errors <code>type</code>, <code>status_code</code>, <code>message</code>, <code>errors</code> (codes by field). After 429 and 503, wait for the seconds of <code>Retry-After</code>. A method that an address does not accept gets 405 with <code>Allow</code>. Later releases can add fields, error types and kinds of events.</p>${renderApiKeyHelp(publicUrl)}<table border="1" cellpadding="6"><thead><tr>${headings}</tr></thead><tbody>${tableRows.join('')}</tbody></table></html>`
}
