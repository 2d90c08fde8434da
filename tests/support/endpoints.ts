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
  'successor_used',
]
/** Audit actions of refused calls. */
export const DENIAL_ACTIONS = ['admin_denied', 'proof_denied', 'object_denied']
/** False for the rows that the audit log gets when calls are refused. */
export const isNoDenial = (table: string, row: Record<string, unknown>) =>
  table !== 'audit_event' || !DENIAL_ACTIONS.includes(String(row['action']))

/**
 * Returns one SHA-256 hash over the rows of every table. The columns of `login` that every request changes are left out.
 * `excludedTables` names tables to leave out; `isIncluded` decides whether a row of the other tables is included.
 */
export function hashDatabase(
  { database }: TestServer,
  excludedTables: readonly string[] = [],
  isIncluded: (table: string, row: Record<string, unknown>) => boolean = () => true,
): string {
  const db = database.sqlite
  if (!db) throw new Error('hashing the database requires SQLite')
  const hash = createHash('sha256')
  const tables = db.prepare("select name from sqlite_schema where type = 'table' order by name").all()
  for (const { name } of tables) {
    if (excludedTables.includes(String(name))) continue
    for (const row of db.prepare(`select * from "${name}"`).all()) {
      if (!isIncluded(String(name), row)) continue
      const rest = Object.fromEntries(
        Object.entries(row).filter(([column]) => !LOGIN_COLUMNS_OF_USE.includes(column)),
      )
      hash.update(JSON.stringify([name, name === 'login' ? rest : row]))
    }
  }
  return hash.digest('hex')
}
