/**
 * The database on which a test file runs: SQLite in memory, or an empty database on the PostgreSQL server that
 * start-test-servers.ts starts for the vitest project `postgres` (MARQUEE_TEST_DB=postgres+redis).
 */
import { existsSync, writeFileSync } from 'node:fs'
import { type Database, openPostgresDatabase, openSqliteDatabase } from '../../server/db/database.ts'
import { migrateDatabase } from '../../server/db/migrate.ts'
import type { ConnectionPool } from '../../server/db/postgres.ts'
import { createSearchTables } from '../../server/search/engine.ts'
import { acquirePostgresDatabase } from './postgres-databases.ts'

export const usesPostgres = process.env['MARQUEE_TEST_DB'] === 'postgres+redis'

/** Databases that were opened with all migrations. */
const migratedDatabases = new WeakSet<Database>()

/** Marks a database as a copy of a migrated database, so that `ensureMigrated` does not migrate it. */
export function markMigrated(database: Database): Database {
  migratedDatabases.add(database)
  return database
}

/**
 * Migrates a database of a test, unless it was opened with all migrations. An empty SQLite database in memory gets the
 * content of a migrated database instead.
 */
export async function ensureMigrated(database: Database): Promise<void> {
  if (migratedDatabases.has(database)) return
  if (isEmptyMemoryDatabase(database)) writeContent(database, await loadMigratedContent())
  else await migrateDatabase(database)
}

function isEmptyMemoryDatabase({ sqlite, file, searchDatabase }: Database): boolean {
  if (!sqlite || file !== undefined) return false
  return [sqlite, searchDatabase].every(
    (connection) => connection.prepare('select 1 from sqlite_schema').get() === undefined,
  )
}

async function openPostgresTestDatabase(): Promise<Database> {
  const { url, pool, release } = await acquirePostgresDatabase()
  return openPostgresCopy(url, release, pool)
}

/**
 * Opens a database that was copied from a migrated database. `release` is called after the database is closed.
 * By default, the database has a pool of its own.
 */
export function openPostgresCopy(
  url: string,
  release: () => Promise<unknown>,
  pool?: ConnectionPool,
): Database {
  const database = openPostgresDatabase({ url, searchFolder: ':memory:', pool })
  const close = async () => {
    await database.close()
    await release()
  }
  return markMigrated({ ...database, close })
}

/** Content of a migrated SQLite database and of its search index. */
export interface DatabaseContent {
  database: Uint8Array
  searchIndex: Uint8Array
}

/** Returns the content of a SQLite database in memory. Throws for a PostgreSQL database. */
export function readContent({ sqlite, searchDatabase }: Database): DatabaseContent {
  const content = sqlite?.serialize()
  if (!content) throw new Error('SQLite did not return the content of the database')
  return { database: content, searchIndex: searchDatabase.serialize() }
}

/**
 * Content of a migrated SQLite database and of an empty search index. Copying the content takes a twentieth of the time
 * of the migrations.
 */
let migratedContent: Promise<DatabaseContent> | undefined

async function createMigratedContent(): Promise<DatabaseContent> {
  const database = openSqliteDatabase(':memory:')
  await migrateDatabase(database)
  createSearchTables(database.searchDatabase)
  const content = readContent(database)
  await database.close()
  return content
}

const loadMigratedContent = (): Promise<DatabaseContent> => {
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
  const database = disableDiskSync(openSqliteDatabase(path))
  return isNewFile ? markMigrated(database) : database
}

/**
 * Makes SQLite return from a commit before the disk has stored it, because a write spends most of its time waiting for
 * the disk. Only a power failure could lose such a commit; a killed process loses nothing.
 */
export function disableDiskSync(database: Database): Database {
  for (const connection of [database.sqlite, database.searchDatabase])
    connection?.exec('pragma synchronous = off')
  return database
}

const openMigratedSqliteDatabase = async () => openSqliteCopy(await loadMigratedContent())

/** Opens a SQLite database in memory with the content of another database. */
export function openSqliteCopy(content: DatabaseContent): Database {
  const database = openSqliteDatabase(':memory:')
  writeContent(database, content)
  return markMigrated(database)
}

/** Replaces the content of a SQLite database in memory. */
function writeContent({ sqlite, searchDatabase }: Database, content: DatabaseContent): void {
  sqlite?.deserialize(content.database)
  // `deserialize` resets the pragma `secure_delete`, which server/db/sqlite-connection.ts has set.
  sqlite?.exec('pragma secure_delete = on')
  searchDatabase.deserialize(content.searchIndex)
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
