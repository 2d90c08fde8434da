/** Every endpoint of the contract, with valid bodies. Tests of all endpoints thus also cover new endpoints. */
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import * as z from 'zod/mini'
import type { Endpoint } from '../../src/lib/contract/endpoint.ts'

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value
const contractModules = await Promise.all(
  globSync('src/lib/contract/*.ts').map((path) => import(resolve(path))),
)
export const ALL_ENDPOINTS: Endpoint[] = contractModules.flatMap((contractModule) =>
  Object.values(contractModule as object).filter(isEndpoint),
)
export const getEndpointName = (endpoint: Endpoint) => `${endpoint.method} ${endpoint.base}${endpoint.path}`

interface JsonSchema {
  [key: string]: unknown
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  enum?: unknown[]
}

const jsonSchemaCache = new WeakMap<Endpoint['query'], JsonSchema>()

/** Converts a schema at its first use only: a conversion takes up to a millisecond, and tests send many requests. */
function getJsonSchema(schema: Endpoint['query']): JsonSchema {
  const jsonSchema =
    jsonSchemaCache.get(schema) ??
    (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema)
  jsonSchemaCache.set(schema, jsonSchema)
  return jsonSchema
}

/**
 * Returns a body that the contract accepts, with every field filled in, or undefined for a GET endpoint. `fixedValues`
 * holds values by field name.
 */
export function createSampleBody(endpoint: Endpoint, fixedValues: Record<string, unknown>): unknown {
  if (endpoint.method === 'GET') return undefined
  return createSample(getJsonSchema(endpoint.body), fixedValues)
}

/**
 * Returns a query with only those parameters that the contract requires. `fixedValues` holds values by parameter name.
 */
export function createRequiredQuery(
  endpoint: Endpoint,
  fixedValues: Record<string, unknown>,
): URLSearchParams {
  const { properties = {}, required = [] } = getJsonSchema(endpoint.query)
  return new URLSearchParams(
    required.map((name) => [name, String(createSample(properties[name] ?? {}, fixedValues, name))]),
  )
}

function createSample(schema: JsonSchema, fixedValues: Record<string, unknown>, propertyName = ''): unknown {
  if (propertyName in fixedValues && !(propertyName === 'value' && schema['type'] === 'string'))
    return fixedValues[propertyName]
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return createSample(schema.anyOf[0] ?? {}, fixedValues, propertyName)
  if (schema.properties) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([key, propertySchema]) => [
        key,
        createSample(propertySchema, fixedValues, key),
      ]),
    )
  }
  if (schema['type'] === 'array') return [createSample(schema.items ?? {}, fixedValues)]
  if (schema['type'] === 'boolean') return false
  if (schema['format'] === 'date-time')
    return propertyName === 'expires_at' ? '2999-01-01T12:00:00Z' : '2026-01-01T12:00:00Z'
  if (schema['format'] === 'date') return '2026-01-01'
  if (schema['type'] === 'integer' || schema['type'] === 'number') return schema['minimum'] ?? 1
  return 'sample'
}
