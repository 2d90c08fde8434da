/** `/api/openapi.json` (OpenAPI 3.1) and the readable page at `/api/docs`, both from the contract itself. */
import * as z from 'zod/mini'
import type { Endpoint } from '../../src/lib/contract/endpoint.ts'

type Json = Record<string, unknown>

/** What a schema takes (`input`) or gives (`output`); transforms stand for what they lead to. */
function jsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}

function parameters(endpoint: Endpoint): Json[] {
  return (['path', 'query'] as const).flatMap((place) => {
    const schema = jsonSchema(place === 'path' ? endpoint.params : endpoint.query, 'output')
    const required = new Set(place === 'path' ? Object.keys((schema['properties'] ?? {}) as Json) : [])
    return Object.entries((schema['properties'] ?? {}) as Json).map(([name, one]) => ({
      name,
      in: place,
      required: required.has(name),
      schema: one,
    }))
  })
}

const ERROR = { $ref: '#/components/schemas/Error' }

function operation(endpoint: Endpoint): Json {
  const body = jsonSchema(endpoint.body, 'input')
  const hasBody = Object.keys((body['properties'] ?? {}) as Json).length > 0
  const reply =
    endpoint.status === 204 || endpoint.status === 307
      ? {}
      : { content: { 'application/json': { schema: jsonSchema(endpoint.reply, 'output') } } }
  return {
    summary: endpoint.summary,
    'x-access': endpoint.access,
    ...(endpoint.access !== 'public' && { security: [{ bearer: [] }] }),
    parameters: parameters(endpoint),
    ...(hasBody && { requestBody: { content: { 'application/json': { schema: body } } } }),
    responses: {
      [endpoint.status]: { description: 'Done', ...reply },
      default: { description: 'An error', content: { 'application/json': { schema: ERROR } } },
    },
  }
}

export function openapi(endpoints: readonly Endpoint[], siteName: string): Json {
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = endpoint.base + endpoint.path
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint) }
  }
  const text = { type: 'string' }
  return {
    openapi: '3.1.0',
    info: { title: `${siteName} API`, version: '1' },
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Error: {
          type: 'object',
          required: ['type', 'status_code', 'message', 'errors'],
          properties: {
            type: text,
            status_code: { type: 'integer' },
            message: text,
            errors: { type: 'object' },
          },
        },
      },
    },
  }
}

const escaped = (value: string) => value.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** A page without script or style of its own: every call, who may make it, what it takes. */
export function referencePage(endpoints: readonly Endpoint[], siteName: string): string {
  const rows = [...endpoints]
    .sort((a, b) => (a.base + a.path).localeCompare(b.base + b.path))
    .map((one) => {
      const query = parameters(one)
        .filter((part) => part['in'] === 'query')
        .map((part) => `<code>${escaped(String(part['name']))}</code>`)
      const body = Object.keys((jsonSchema(one.body, 'input')['properties'] ?? {}) as Json).map(
        (key) => `<code>${escaped(key)}</code>`,
      )
      const cells = [
        `<code>${one.method} ${escaped(one.base + one.path)}</code>`,
        escaped(one.access),
        escaped(one.summary),
        query.join(' '),
        body.join(' '),
        String(one.status),
      ]
      return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
    })
  const head = ['Call', 'Access', 'What it does', 'Query', 'Body', 'Status']
    .map((name) => `<th align="start">${name}</th>`)
    .join('')
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(siteName)} API</title><h1>${escaped(siteName)} API</h1><p>Machine-readable: <a href="/api/openapi.json">openapi.json</a>. Lists answer <code>page</code>, <code>limit</code>, <code>total_results</code>, <code>total_pages</code>, <code>results</code>; errors <code>type</code>, <code>status_code</code>, <code>message</code>, <code>errors</code>.</p><table border="1" cellpadding="6"><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></html>`
}
