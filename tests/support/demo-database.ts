/**
 * Databases with the demo catalogue and its search index. The first SQLite database of a process, and the first
 * PostgreSQL database of a run, imports the catalogue. Each further database is a copy of the first one, which takes a
 * tenth of the time.
 */
import { sql } from 'kysely'
import { type Database, openPostgresDatabase } from '../../server/db/database.ts'
import { FIRST_START_IMPORT_OPTIONS, seedDemoCatalogue } from '../../server/first-run.ts'
import {
  type DatabaseContent,
  markMigrated,
  openEmptyDatabase,
  openPostgresCopy,
  openSqliteCopy,
  readContent,
  usesPostgres,
} from './databases.ts'
import { createPostgresDatabase, withClient } from './postgres-databases.ts'
import { startTestServer } from './server.ts'

/** Imports the catalogue into an empty database, returns the result of `readResult`, and closes the database. */
async function importDemoCatalogue<T>(
  database: Database,
  readResult: (database: Database) => T | Promise<T>,
): Promise<T> {
  const server = await startTestServer({ database })
  await seedDemoCatalogue(server.deps, FIRST_START_IMPORT_OPTIONS)
  const result = await readResult(database)
  await server.close()
  return result
}

let demoContent: Promise<DatabaseContent> | undefined

/** Opens a SQLite database in memory with the demo catalogue. */
export async function openSqliteDemoDatabase(): Promise<Database> {
  demoContent ??= openEmptyDatabase().then((database) => importDemoCatalogue(database, readContent))
  return openSqliteCopy(await demoContent)
}

interface DemoTemplate {
  databaseName: string
  searchIndex: Uint8Array
}
let demoTemplate: Promise<DemoTemplate> | undefined

/**
 * Returns the template of this run. The processes of the run share it through a table on the test server. While one
 * process imports the catalogue, the others wait, because parallel imports would slow each other down.
 */
const loadDemoTemplate = (): Promise<DemoTemplate> =>
  withClient('postgres', async (client) => {
    // The end of the session releases the lock.
    await client.query('select pg_advisory_lock(1)')
    await client.query('create table if not exists demo_template (database_name text, search_index bytea)')
    const selectTemplateSql =
      'select database_name as "databaseName", search_index as "searchIndex" from demo_template'
    const [storedTemplate] = (await client.query<DemoTemplate>(selectTemplateSql)).rows
    if (storedTemplate) return storedTemplate
    const { databaseName, searchIndex } = await createDemoTemplate()
    await client.query('insert into demo_template values ($1, $2)', [databaseName, searchIndex])
    return { databaseName, searchIndex }
  })

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
  demoTemplate ??= loadDemoTemplate()
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
