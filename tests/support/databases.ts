/**
 * The database on which a test file runs: SQLite in memory, or an empty database on the PostgreSQL server that
 * start-test-servers.ts starts for the vitest project `postgres` (MARQUEE_TEST_DB=postgres+redis).
 */
import { existsSync, writeFileSync } from 'node:fs'
import { type Database, openPostgresDatabase, openSqliteDatabase } from '../../server/db/database.ts'
import { migrateDatabase } from '../../server/db/migrate.ts'
import { createSearchTables } from '../../server/search/engine.ts'
import { acquirePostgresDatabase } from './postgres-databases.ts'

export const usesPostgres = process.env['MARQUEE_TEST_DB'] === 'postgres+redis'

/** Databases that were opened with all migrations. */
const migratedDatabases = new WeakSet<Database>()

/** Migrates a database of a test, unless it was opened with all migrations. */
export async function ensureMigrated(database: Database): Promise<void> {
  if (!migratedDatabases.has(database)) await migrateDatabase(database)
}

async function openPostgresTestDatabase(): Promise<Database> {
  const { url, release } = await acquirePostgresDatabase()
  const database = openPostgresDatabase({ url, searchFolder: ':memory:' })
  const close = async () => {
    await database.close()
    await release()
  }
  const migratedDatabase = { ...database, close }
  migratedDatabases.add(migratedDatabase)
  return migratedDatabase
}

interface MigratedContent {
  database: Uint8Array
  searchIndex: Uint8Array
}

/**
 * Content of a migrated SQLite database and of an empty search index. Copying the content takes a twentieth of the time
 * of the migrations.
 */
let migratedContent: Promise<MigratedContent> | undefined

async function createMigratedContent(): Promise<MigratedContent> {
  const database = openSqliteDatabase(':memory:')
  await migrateDatabase(database)
  createSearchTables(database.searchDatabase)
  const content = database.sqlite?.serialize()
  const searchIndex = database.searchDatabase.serialize()
  await database.close()
  if (!content) throw new Error('SQLite did not return the content of the database')
  return { database: content, searchIndex }
}

const loadMigratedContent = (): Promise<MigratedContent> => {
  migratedContent ??= createMigratedContent()
  return migratedContent
}

/** Creates a SQLite file with a migrated database without data, unless the file exists. */
export async function createMigratedFile(path: string): Promise<void> {
  if (!existsSync(path)) writeFileSync(path, (await loadMigratedContent()).database)
}

/** Opens a SQLite file. If the file does not exist, creates it with a migrated database without data. */
export async function openMigratedFile(path: string): Promise<Database> {
  const isNewFile = !existsSync(path)
  await createMigratedFile(path)
  const database = withoutDiskSync(openSqliteDatabase(path))
  if (isNewFile) migratedDatabases.add(database)
  return database
}

/**
 * Makes SQLite return from a commit before the disk has stored it, because a write mostly waits for the disk. Only a
 * power failure could lose such a commit; a killed process loses nothing.
 */
export function withoutDiskSync(database: Database): Database {
  for (const connection of [database.sqlite, database.searchDatabase])
    connection?.exec('pragma synchronous = off')
  return database
}

async function openMigratedSqliteDatabase(): Promise<Database> {
  const content = await loadMigratedContent()
  const database = openSqliteDatabase(':memory:')
  database.sqlite?.deserialize(content.database)
  // `deserialize` resets this setting of server/db/sqlite-connection.ts.
  database.sqlite?.exec('pragma secure_delete = on')
  database.searchDatabase.deserialize(content.searchIndex)
  migratedDatabases.add(database)
  return database
}

/** Opens a migrated database without data, of the kind that this run tests: SQLite or PostgreSQL. */
export const openEmptyDatabase: () => Promise<Database> = usesPostgres
  ? openPostgresTestDatabase
  : openMigratedSqliteDatabase

/** Name and factory of the database of this run, for `describe.each`. */
export const DATABASES: [string, () => Promise<Database>][] = [
  [usesPostgres ? 'PostgreSQL' : 'SQLite', openEmptyDatabase],
]

/** Returns the URL of an empty Redis database that no other running test uses, or undefined in a run without Redis. */
export async function createRedisDatabase(): Promise<string | undefined> {
  const url = process.env['MARQUEE_TEST_REDIS']
  if (!usesPostgres || !url) return undefined
  const { createRedisClient } = await import('../../server/providers/redis.ts')
  const client = createRedisClient(url, true)
  await client.connect()
  const databaseNumber = 1 + ((await client.incr('databases')) % 255)
  await client.select(databaseNumber)
  await client.flushDb()
  client.destroy()
  return Object.assign(new URL(url), { pathname: `/${databaseNumber}` }).href
}
