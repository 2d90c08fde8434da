/**
 * The database on which a test file runs: SQLite in memory, or an empty database on the PostgreSQL server that
 * start-test-servers.ts starts for the vitest project `postgres` (MARQUEE_TEST_DB=postgres+redis).
 */
import { createClient } from '@redis/client'
import { type Database, openPostgresDatabase, openSqliteDatabase } from '../../server/db/database.ts'
import { acquirePostgresDatabase } from './postgres-databases.ts'

export const usesPostgres = process.env['MARQUEE_TEST_DB'] === 'postgres+redis'

async function openTestDatabase(): Promise<Database> {
  const { url, release } = await acquirePostgresDatabase()
  const database = openPostgresDatabase({ url, searchFolder: ':memory:' })
  const close = async () => {
    await database.close()
    await release()
  }
  return { ...database, close }
}

/** Opens an empty database of the kind that this run tests: SQLite or PostgreSQL. */
export const openEmptyDatabase: () => Promise<Database> = usesPostgres
  ? openTestDatabase
  : async () => openSqliteDatabase(':memory:')

/** Name and factory of the database of this run, for `describe.each`. */
export const DATABASES: [string, () => Promise<Database>][] = [
  [usesPostgres ? 'PostgreSQL' : 'SQLite', openEmptyDatabase],
]

/** Returns the URL of an empty Redis database that no other running test uses, or undefined in a run without Redis. */
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
