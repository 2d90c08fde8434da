/** Generates `/api/openapi.json` (OpenAPI 3.1) and the HTML page `/api/docs` from the contract. */

import * as z from 'zod/mini'
import type { Endpoint } from '../../../src/lib/contract/endpoint.ts'
import type { Config } from '../../core/config.ts'
import { escapeMarkup } from '../../core/escape-markup.ts'
import { API_KEY_PREFIX } from '../auth/api-key-access.ts'

type JsonObject = Record<string, unknown>

/**
 * Returns the JSON Schema of the input or output of a zod schema. For a transform, the output is the
 * transformed value.
 */
function toJsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): JsonObject {
  const { $schema: _dialect, ...jsonSchema } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return jsonSchema
}

const getProperties = ({ properties = {} }: JsonObject) => properties as JsonObject

function listParameters(endpoint: Endpoint): JsonObject[] {
  return (['path', 'query'] as const).flatMap((location) => {
    const schema = location === 'path' ? endpoint.params : endpoint.query
    const properties = getProperties(toJsonSchema(schema, 'output'))
    // In the output, a parameter with a default is always present. Only the input tells what the caller must send.
    const { required = [] } = toJsonSchema(schema, 'input') as { required?: string[] }
    const requiredNames = location === 'path' ? Object.keys(properties) : required
    return Object.entries(properties).map(([name, parameterSchema]) => ({
      name,
      in: location,
      required: requiredNames.includes(name),
      schema: parameterSchema,
    }))
  })
}

const ERROR_REF = { $ref: '#/components/schemas/Error' }
const PROFILE_HEADER_REFS = [
  { $ref: '#/components/parameters/ProfileId' },
  { $ref: '#/components/parameters/TimeZone' },
]
const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'
const UPLOAD_CONTENT = {
  'multipart/form-data': {
    schema: { type: 'object', required: ['file'], properties: { file: { contentMediaType: '*/*' } } },
  },
  'application/octet-stream': {},
}

function buildRequestBody({ body, upload }: Endpoint): JsonObject | undefined {
  if (upload) return { required: true, content: UPLOAD_CONTENT }
  const schema = toJsonSchema(body, 'input')
  if (Object.keys(getProperties(schema)).length === 0) return undefined
  const required = !z.safeParse(body, {}).success
  return { required, content: { [JSON_TYPE]: { schema }, [FORM_TYPE]: { schema } } }
}

function buildReplyContent({ status, reply, replyTypes }: Endpoint): JsonObject | undefined {
  if (status === 204 || status === 303) return undefined
  if (!replyTypes) return { [JSON_TYPE]: { schema: toJsonSchema(reply, 'output') } }
  return Object.fromEntries(
    replyTypes.map((type) => [type, { schema: type === JSON_TYPE ? {} : { type: 'string' } }]),
  )
}

function buildOperation(endpoint: Endpoint): JsonObject {
  const requestBody = buildRequestBody(endpoint)
  const replyContent = buildReplyContent(endpoint)
  const hasProfile = endpoint.access !== 'public' && endpoint.access !== 'invitation'
  return {
    summary: endpoint.summary,
    'x-access': endpoint.access,
    ...(endpoint.proof && { 'x-proof': endpoint.proof }),
    ...(endpoint.stepUp && { 'x-step-up': endpoint.stepUp }),
    ...(endpoint.scope && { 'x-scope': endpoint.scope }),
    ...(endpoint.access !== 'public' && {
      security: [{ bearer: [] }, ...(endpoint.scope ? [{ apiKey: [] }] : [])],
    }),
    parameters: [...listParameters(endpoint), ...(hasProfile ? PROFILE_HEADER_REFS : [])],
    ...(requestBody && { requestBody }),
    responses: {
      [endpoint.status]: { description: 'Done', ...(replyContent && { content: replyContent }) },
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
      schemas: {
        Error: {
          type: 'object',
          required: ['type', 'status_code', 'message', 'errors'],
          properties: {
            type: stringSchema,
            status_code: { type: 'integer' },
            message: stringSchema,
            errors: { type: 'object' },
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
    `curl -X PUT -H "Authorization: Bearer ${API_KEY_PREFIX}…" "${origin}/api/profile/PROFILE_ID/watchlist/movie/MOVIE_ID/toggle"`,
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
      const bodyFields = Object.keys(getProperties(toJsonSchema(endpoint.body, 'input'))).map(
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
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeMarkup(siteName)} API</title><h1>${escapeMarkup(siteName)} API</h1><p>Machine-readable: <a href="/api/openapi.json">openapi.json</a>. Lists return <code>page</code>, <code>limit</code>, <code>total_results</code>, <code>total_pages</code>, <code>results</code>; errors <code>type</code>, <code>status_code</code>, <code>message</code>, <code>errors</code>.</p>${renderApiKeyHelp(publicUrl)}<table border="1" cellpadding="6"><thead><tr>${headings}</tr></thead><tbody>${tableRows.join('')}</tbody></table></html>`
}
