/** Every call of the contract, with bodies that it accepts: what is tested for all calls covers a new one unnamed. */
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import * as z from 'zod/mini'
import type { Endpoint } from '../../src/lib/contract/endpoint.ts'
import type { TestServer } from './server.ts'

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value
const modules = await Promise.all(globSync('src/lib/contract/*.ts').map((path) => import(resolve(path))))
export const CONTRACT: Endpoint[] = modules.flatMap((module) =>
  Object.values(module as object).filter(isEndpoint),
)
export const nameOf = (endpoint: Endpoint) => `${endpoint.method} ${endpoint.base}${endpoint.path}`

interface Json {
  [key: string]: unknown
  properties?: Record<string, Json>
  items?: Json
  anyOf?: Json[]
  enum?: unknown[]
}

/** A body that the contract accepts, with every field filled in; `given` holds what must be this or that. */
export function sampleBody(endpoint: Endpoint, given: Record<string, unknown>): unknown {
  if (endpoint.method === 'GET') return undefined
  return sample(z.toJSONSchema(endpoint.body, { io: 'input', unrepresentable: 'any' }) as Json, given)
}

function sample(schema: Json, given: Record<string, unknown>, name = ''): unknown {
  if (name in given && !(name === 'value' && schema['type'] === 'string')) return given[name]
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return sample(schema.anyOf[0] ?? {}, given, name)
  if (schema.properties) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([key, one]) => [key, sample(one, given, key)]),
    )
  }
  if (schema['type'] === 'array') return [sample(schema.items ?? {}, given)]
  if (schema['type'] === 'boolean') return false
  if (schema['type'] === 'integer' || schema['type'] === 'number') return schema['minimum'] ?? 1
  return 'sample'
}

/**
 * Of every table; of a login, what is not a mere trace of the request itself. `but`: tables left out; `counts`: whether a
 * row of the others counts.
 */
export function fingerprint(
  { database }: TestServer,
  but: readonly string[] = [],
  counts: (table: string, row: Record<string, unknown>) => boolean = () => true,
): string {
  const db = database.sqlite
  if (!db) throw new Error('SQLite is needed')
  const hash = createHash('sha256')
  const tables = db.prepare("select name from sqlite_schema where type = 'table' order by name").all()
  for (const { name } of tables) {
    if (but.includes(String(name))) continue
    for (const row of db.prepare(`select * from "${name}"`).all()) {
      if (!counts(String(name), row)) continue
      const { last_active_at: _at, active_profile_id: _profile, successor_used: _used, ...rest } = row
      hash.update(JSON.stringify([name, name === 'login' ? rest : row]))
    }
  }
  return hash.digest('hex')
}
