/**
 * The databases that a suite runs on. `npm test` runs all of them twice: MARQUEE_TEST_DB=sqlite, then postgres+redis, which
 * are real servers (global.ts starts them). With neither, the quick way of a developer: SQLite and PostgreSQL in the process.
 */
import { randomBytes } from 'node:crypto'
import { createClient } from '@redis/client'
import pg from 'pg'
import { type Database, openDatabase, openSqliteDatabase } from '../../server/db/database.ts'
import { openPglite } from './pglite.ts'

export const TEMPLATE = 'marquee_template'
export const onServers = process.env['MARQUEE_TEST_DB'] === 'postgres+redis'

export const postgresUrl = (database: string) =>
  Object.assign(new URL(process.env['MARQUEE_TEST_POSTGRES'] ?? ''), { pathname: `/${database}` }).href

/** One statement on the server itself. */
export async function admin(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl('postgres') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** A database of its own on the server, with its tables; dropped by `drop`. */
export async function createPostgres(): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `t_${randomBytes(8).toString('hex')}`
  await admin(`create database ${name} template ${TEMPLATE}`)
  return { url: postgresUrl(name), drop: () => admin(`drop database if exists ${name} with (force)`) }
}

async function openRealPostgres(): Promise<Database> {
  const { url, drop } = await createPostgres()
  const database = openDatabase({ dataDir: 'data/local/test', url })
  const close = async () => {
    await database.close()
    await drop()
  }
  return { ...database, close }
}

const openSqlite = async () => openSqliteDatabase(':memory:')

/** Every database that query suites run on this time. */
export const DATABASES: [string, () => Promise<Database>][] = onServers
  ? [['PostgreSQL', openRealPostgres]]
  : process.env['MARQUEE_TEST_DB'] === 'sqlite'
    ? [['SQLite', openSqlite]]
    : [
        ['SQLite', openSqlite],
        ['PostgreSQL', openPglite],
      ]

/** A Redis database that no other test uses at the moment, empty; undefined in a run without Redis. */
export async function redisUrl(): Promise<string | undefined> {
  const url = process.env['MARQUEE_TEST_REDIS']
  if (!onServers || !url) return undefined
  const client = createClient({ url })
  await client.connect()
  const number = 1 + ((await client.incr('databases')) % 255)
  await client.select(number)
  await client.flushDb()
  client.destroy()
  return Object.assign(new URL(url), { pathname: `/${number}` }).href
}

/** An empty database of the kind that this run is about. */
export const openEmpty: () => Promise<Database> = onServers ? openRealPostgres : openSqlite
