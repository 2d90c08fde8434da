/**
 * Databases with the demo catalogue and its search index. The first database of a process imports the catalogue. Each
 * further database is a copy of the first one, which takes a tenth of the time.
 */
import { sql } from 'kysely'
import { type Database, openPostgresDatabase } from '../../server/db/database.ts'
import { seedDemoCatalogue } from '../../server/first-run.ts'
import {
  type DatabaseContent,
  markMigrated,
  openEmptyDatabase,
  openPostgresCopy,
  openSqliteCopy,
  readContent,
  usesPostgres,
} from './databases.ts'
import { createPostgresDatabase } from './postgres-databases.ts'
import { startTestServer } from './server.ts'

/** Imports the catalogue into an empty database, returns the result of `readResult`, and closes the database. */
async function importDemoCatalogue<T>(
  database: Database,
  readResult: (database: Database) => T | Promise<T>,
): Promise<T> {
  const server = await startTestServer({ database })
  await seedDemoCatalogue(server.deps)
  const result = await readResult(database)
  await server.close()
  return result
}

let demoContent: Promise<DatabaseContent> | undefined

async function openSqliteDemoDatabase(): Promise<Database> {
  demoContent ??= openEmptyDatabase().then((database) => importDemoCatalogue(database, readContent))
  return openSqliteCopy(await demoContent)
}

interface DemoTemplate {
  databaseName: string
  searchIndex: Uint8Array
}
let demoTemplate: Promise<DemoTemplate> | undefined

async function createDemoTemplate(): Promise<DemoTemplate> {
  const { name, url } = await createPostgresDatabase()
  const database = markMigrated(openPostgresDatabase({ url, searchFolder: ':memory:' }))
  return importDemoCatalogue(database, async ({ primary, searchDatabase }) => {
    // Without statistics about the new rows, queries for all people take seconds.
    await sql`analyze`.execute(primary)
    return { databaseName: name, searchIndex: searchDatabase.serialize() }
  })
}

async function openPostgresDemoDatabase(): Promise<Database> {
  demoTemplate ??= createDemoTemplate()
  const { databaseName, searchIndex } = await demoTemplate
  const { url, drop } = await createPostgresDatabase(databaseName)
  const database = openPostgresCopy(url, drop)
  database.searchDatabase.deserialize(searchIndex)
  return database
}

/** Opens a database with the demo catalogue, of the kind that this run tests: SQLite or PostgreSQL. */
export const openDemoDatabase: () => Promise<Database> = usesPostgres
  ? openPostgresDemoDatabase
  : openSqliteDemoDatabase
