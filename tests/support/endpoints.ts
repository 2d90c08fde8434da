/** Every endpoint of the contract, with valid bodies, so that tests of all endpoints cover new endpoints as well. */
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import * as z from 'zod/mini'
import type { Endpoint } from '../../src/lib/contract/endpoint.ts'
import type { TestServer } from './server.ts'

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value
const modules = await Promise.all(globSync('src/lib/contract/*.ts').map((path) => import(resolve(path))))
export const ALL_ENDPOINTS: Endpoint[] = modules.flatMap((module) =>
  Object.values(module as object).filter(isEndpoint),
)
export const getEndpointName = (endpoint: Endpoint) => `${endpoint.method} ${endpoint.base}${endpoint.path}`

interface JsonSchema {
  [key: string]: unknown
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
  enum?: unknown[]
}

/** Returns a body that the contract accepts, with every field filled in. `fixedValues` holds values by field name. */
export function createSampleBody(endpoint: Endpoint, fixedValues: Record<string, unknown>): unknown {
  if (endpoint.method === 'GET') return undefined
  return createSample(
    z.toJSONSchema(endpoint.body, { io: 'input', unrepresentable: 'any' }) as JsonSchema,
    fixedValues,
  )
}

function createSample(schema: JsonSchema, fixedValues: Record<string, unknown>, name = ''): unknown {
  if (name in fixedValues && !(name === 'value' && schema['type'] === 'string')) return fixedValues[name]
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return createSample(schema.anyOf[0] ?? {}, fixedValues, name)
  if (schema.properties) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([key, property]) => [
        key,
        createSample(property, fixedValues, key),
      ]),
    )
  }
  if (schema['type'] === 'array') return [createSample(schema.items ?? {}, fixedValues)]
  if (schema['type'] === 'boolean') return false
  if (schema['format'] === 'date-time') return '2026-01-01T12:00:00Z'
  if (schema['format'] === 'date') return '2026-01-01'
  if (schema['type'] === 'integer' || schema['type'] === 'number') return schema['minimum'] ?? 1
  return 'sample'
}

const LOGIN_COLUMNS_OF_USE = [
  'last_active_at',
  'active_profile_id',
  'unlocked_until',
  'unlock_generation',
  'group_members',
  'kids_profile_id',
  'successor_used',
]
/** Tables that refused calls change too: rate limits, and the ids and the anchor of the audit log. */
const TABLES_OF_REFUSED_CALLS = ['rate_limit', 'sqlite_sequence', 'audit_subject', 'audit_anchor']
/** Audit actions of refused calls. */
export const DENIAL_ACTIONS = ['admin_denied', 'proof_denied', 'object_denied']

/**
 * Returns one SHA-256 hash over every row that a refused call must not change. Left out are the columns of `login` that every
 * request changes, and what a refusal itself records.
 */
export function hashDatabase({ database }: TestServer): string {
  const db = database.sqlite
  if (!db) throw new Error('hashing the database requires SQLite')
  const hash = createHash('sha256')
  const tables = db.prepare("select name from sqlite_schema where type = 'table' order by name").all()
  for (const table of tables.map(({ name }) => String(name))) {
    if (TABLES_OF_REFUSED_CALLS.includes(table)) continue
    const columns = db.prepare(`select name from pragma_table_info('${table}')`).all()
    const comparedColumns = columns
      .map(({ name }) => String(name))
      .filter((column) => table !== 'login' || !LOGIN_COLUMNS_OF_USE.includes(column))
    const denials = DENIAL_ACTIONS.map((action) => `'${action}'`).join(', ')
    const condition = table === 'audit_event' ? `where action not in (${denials})` : ''
    const statement = db.prepare(`select "${comparedColumns.join('", "')}" from "${table}" ${condition}`)
    statement.setReturnArrays(true)
    hash.update(JSON.stringify([table, statement.all()]))
  }
  return hash.digest('hex')
}
