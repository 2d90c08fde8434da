/** Generates `/api/openapi.json` (OpenAPI 3.1) from the contract. */
import * as z from 'zod/mini'
import type { Endpoint } from '../../../src/lib/contract/endpoint.ts'
import { PROBLEM_TYPES } from '../../core/problem.ts'
import { API_KEY_PREFIX } from '../auth/api-key-access.ts'
import { API_CONVENTIONS } from './api-conventions.ts'
import {
  getProperties,
  listParameters,
  type OpenApiObject,
  toReplySchema,
  toRequestSchema,
} from './api-schemas.ts'

const JSON_CONTENT_TYPE = 'application/json'
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
    // Cross-site writes are rejected with 403, and so are calls that the caller may not make.
    ...(isWrite || (access !== 'public' && access !== 'invitation') ? [403] : []),
    // A write gets 404 when a row to which it refers was deleted.
    ...(isWrite || path.includes('{') ? [404] : []),
    // The server reads the body of every write, even if the endpoint defines no body fields.
    ...(isWrite ? [413, 415] : []),
    // Malformed percent encoding of a query is rejected even if the endpoint has no parameters.
    422,
    ...RETRYABLE_STATUSES,
    ...errorStatuses,
  ])
  return [...statuses].sort((a, b) => a - b)
}

function buildErrorResponses(): OpenApiObject {
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
        content: { [JSON_CONTENT_TYPE]: { schema: ERROR_REF } },
      },
    ]),
  )
}
const PROFILE_HEADER_REFS = [
  { $ref: '#/components/parameters/ProfileId' },
  { $ref: '#/components/parameters/TimeZone' },
]
const FORM_CONTENT_TYPE = 'application/x-www-form-urlencoded'
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
function hasFlatFields(schema: OpenApiObject): boolean {
  const isFlatField = (fieldSchema: OpenApiObject): boolean => {
    const { type, anyOf, items } = fieldSchema
    if (Array.isArray(anyOf)) return (anyOf as OpenApiObject[]).every(isFlatField)
    return type !== 'object' && (type !== 'array' || (items as OpenApiObject)['type'] !== 'object')
  }
  return Object.values(getProperties(schema)).every((fieldSchema) =>
    isFlatField(fieldSchema as OpenApiObject),
  )
}

function buildRequestBody({ body, upload }: Endpoint): OpenApiObject | undefined {
  if (upload) return { required: true, content: UPLOAD_CONTENT }
  const schema = toRequestSchema(body)
  if (Object.keys(getProperties(schema)).length === 0) return undefined
  const required = !z.safeParse(body, {}).success
  const formContent = hasFlatFields(schema) && { [FORM_CONTENT_TYPE]: { schema } }
  return { required, content: { [JSON_CONTENT_TYPE]: { schema }, ...formContent } }
}

function buildReplyContent({ status, reply, replyTypes }: Endpoint): OpenApiObject | undefined {
  if (status === 204 || status === 303) return undefined
  if (!replyTypes) return { [JSON_CONTENT_TYPE]: { schema: toReplySchema(reply) } }
  return Object.fromEntries(
    replyTypes.map((type) => [type, { schema: type === JSON_CONTENT_TYPE ? {} : { type: 'string' } }]),
  )
}

const ETAG_HEADERS = { ETag: { description: 'Version of the reply.', schema: { type: 'string' } } }
const IF_NONE_MATCH_REF = { $ref: '#/components/parameters/IfNoneMatch' }

function buildReply(endpoint: Endpoint): OpenApiObject {
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

/**
 * Returns the name that code generators give to the function of an operation, such as `getMoviesById`. It depends only
 * on method and path, so that functions of generated clients keep their names as long as the path is the same.
 */
function createOperationId({ method, path }: Endpoint): string {
  const words = path
    .replace(/\{(\w+)\}/g, 'by-$1')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

function buildOperation(endpoint: Endpoint): OpenApiObject {
  const requestBody = buildRequestBody(endpoint)
  const hasActingProfile = endpoint.access !== 'public' && endpoint.access !== 'invitation'
  return {
    operationId: createOperationId(endpoint),
    // The tag is the first segment of the path. Code generators make a file or a class of each tag.
    tags: [endpoint.path.split('/')[1]],
    summary: endpoint.summary,
    ...(endpoint.description && { description: endpoint.description }),
    'x-access': endpoint.access,
    ...(endpoint.proof && { 'x-proof': endpoint.proof }),
    ...(endpoint.stepUp && { 'x-step-up': endpoint.stepUp }),
    ...(endpoint.scope && { 'x-scope': endpoint.scope }),
    security:
      endpoint.access === 'public' ? [] : [{ bearer: [] }, ...(endpoint.scope ? [{ apiKey: [] }] : [])],
    parameters: [
      ...listParameters(endpoint),
      ...(hasActingProfile ? PROFILE_HEADER_REFS : []),
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
      default: { description: 'An error', content: { [JSON_CONTENT_TYPE]: { schema: ERROR_REF } } },
    },
  }
}

export function buildOpenApi(endpoints: readonly Endpoint[], siteName: string): OpenApiObject {
  const operationsByPath: Record<string, OpenApiObject> = {}
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
    info: { title: `${siteName} API`, version: '1', description: API_CONVENTIONS },
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
            // The schema has no `enum`, because later compatible releases may add types.
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
