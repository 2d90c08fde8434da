/**
 * The databases that a test file runs on: SQLite in memory, or a new database on the PostgreSQL server that
 * start-test-servers.ts starts for the vitest project `postgres` (MARQUEE_TEST_DB=postgres+redis).
 */
import { randomBytes } from 'node:crypto'
import { createClient } from '@redis/client'
import pg from 'pg'
import { type Database, openDatabase, openSqliteDatabase } from '../../server/db/database.ts'

export const TEMPLATE_DATABASE = 'marquee_template'
export const usesPostgres = process.env['MARQUEE_TEST_DB'] === 'postgres+redis'

const buildPostgresUrl = (database: string) =>
  Object.assign(new URL(process.env['MARQUEE_TEST_POSTGRES'] ?? ''), { pathname: `/${database}` }).href

/** Executes one statement on the test server, outside any test database. */
export async function executeOnPostgresServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: buildPostgresUrl('postgres') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Creates a migrated database on the test server; `drop` deletes it. */
export async function createPostgresDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `t_${randomBytes(8).toString('hex')}`
  await executeOnPostgresServer(`create database ${name} template ${TEMPLATE_DATABASE}`)
  return {
    url: buildPostgresUrl(name),
    drop: () => executeOnPostgresServer(`drop database if exists ${name} with (force)`),
  }
}

async function openPostgresDatabase(): Promise<Database> {
  const { url, drop } = await createPostgresDatabase()
  const database = openDatabase({ dataDir: 'data/local/test', url })
  const close = async () => {
    await database.close()
    await drop()
  }
  return { ...database, close }
}

/** Opens an empty database of the kind that this run tests. */
export const openEmptyDatabase: () => Promise<Database> = usesPostgres
  ? openPostgresDatabase
  : async () => openSqliteDatabase(':memory:')

/** Name and factory of the database of this run, for `describe.each`. */
export const DATABASES: [string, () => Promise<Database>][] = [
  [usesPostgres ? 'PostgreSQL' : 'SQLite', openEmptyDatabase],
]

/** URL of an empty Redis database that no other running test uses; undefined in a run without Redis. */
export async function createRedisDatabase(): Promise<string | undefined> {
  const url = process.env['MARQUEE_TEST_REDIS']
  if (!usesPostgres || !url) return undefined
  const client = createClient({ url })
  await client.connect()
  const databaseNumber = 1 + ((await client.incr('databases')) % 255)
  await client.select(databaseNumber)
  await client.flushDb()
  client.destroy()
  return Object.assign(new URL(url), { pathname: `/${databaseNumber}` }).href
}
