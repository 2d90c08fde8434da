/**
 * The database that the catalogue benchmark measures: a SQLite file, or the same rows in a separate PostgreSQL server.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import pg from 'pg'
import {
  DATABASE_FILE_NAME,
  type Database,
  type DatabaseLocation,
  openDatabase,
  openSqliteDatabase,
} from '../../server/db/database.ts'
import { moveDatabase } from '../../server/db/move-database.ts'
import { SEARCH_FILE_NAME } from '../../server/db/search-file.ts'
import { startPostgres, type TestPostgres } from '../../tests/support/postgres.ts'

/** The default of shared_buffers, 128 MB, is too small for the indexes of a million titles. */
const POSTGRES_SETTINGS = 'shared_buffers = 1GB\nmax_wal_size = 8GB\n'
const BYTES_PER_MEBIBYTE = 2 ** 20

export interface BenchDatabase {
  database: Database
  location: DatabaseLocation
  /**
   * SQLite connection to the same titles. The benchmark chooses titles for its requests with this connection.
   */
  sampleDatabase: DatabaseSync
  /** Returns the process ids of the PostgreSQL server; an empty list for SQLite. */
  listPids: () => number[]
  /** Returns the sizes of the database and of its search index as text. */
  describeSize: () => Promise<string>
  close: () => Promise<void>
}

const readFileSizeMib = (folder: string, name: string): number =>
  Math.round((statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0) / BYTES_PER_MEBIBYTE)

/** Opens the SQLite file in `folder`. */
export function openBenchSqlite(folder: string): BenchDatabase {
  const database = openSqliteDatabase(join(folder, DATABASE_FILE_NAME))
  return {
    database,
    location: { dataDir: folder },
    sampleDatabase: database.sqlite as DatabaseSync,
    listPids: () => [],
    describeSize: async () =>
      `database ${readFileSizeMib(folder, DATABASE_FILE_NAME)} MB, search index ${readFileSizeMib(folder, SEARCH_FILE_NAME)} MB`,
    close: async () => {},
  }
}

/**
 * Starts PostgreSQL and copies the SQLite file in `folder` to it, as `npm run move-database` does. The folder
 * `permanentFolder`, if given, keeps the copy as a template for further runs.
 */
export async function openBenchPostgres(folder: string, permanentFolder?: string): Promise<BenchDatabase> {
  const sourceDatabase = openSqliteDatabase(join(folder, DATABASE_FILE_NAME))
  const postgres = await startPostgres({
    extraSettings: POSTGRES_SETTINGS,
    ...(permanentFolder && { permanentFolder }),
  })
  await createPostgresCopy(sourceDatabase, postgres, folder)
  const location = { dataDir: folder, url: postgres.getUrl(RUN_DATABASE) }
  const database = openDatabase(location)
  return {
    database,
    location,
    sampleDatabase: sourceDatabase.sqlite as DatabaseSync,
    listPids: postgres.listPids,
    describeSize: () => describePostgresSize(database, folder),
    close: () => dropRunDatabaseAndStop(sourceDatabase, postgres),
  }
}

const TEMPLATE_DATABASE = 'catalogue'
const UNFINISHED_DATABASE = 'unfinished'
const RUN_DATABASE = 'run'

/** Creates the database of this run from the template. Creates the template first if it does not exist. */
async function createPostgresCopy(
  sourceDatabase: Database,
  postgres: TestPostgres,
  dataDir: string,
): Promise<void> {
  const postgresClient = new pg.Client({ connectionString: postgres.getUrl() })
  await postgresClient.connect()
  const { rowCount } = await postgresClient.query(
    `select 1 from pg_database where datname = '${TEMPLATE_DATABASE}'`,
  )
  if (!rowCount) {
    await postgresClient.query(`drop database if exists ${UNFINISHED_DATABASE}`)
    await postgresClient.query(`create database ${UNFINISHED_DATABASE}`)
    await moveToPostgres(sourceDatabase, { dataDir, url: postgres.getUrl(UNFINISHED_DATABASE) })
    await postgresClient.query(`alter database ${UNFINISHED_DATABASE} rename to ${TEMPLATE_DATABASE}`)
  }
  await postgresClient.query(`drop database if exists ${RUN_DATABASE}`)
  await postgresClient.query(
    `create database ${RUN_DATABASE} template ${TEMPLATE_DATABASE} strategy file_copy`,
  )
  await postgresClient.end()
}

async function moveToPostgres(sourceDatabase: Database, location: DatabaseLocation): Promise<void> {
  const targetDatabase = openDatabase(location)
  const startMs = performance.now()
  const movedTables = await moveDatabase(sourceDatabase, targetDatabase)
  const durationSeconds = (performance.now() - startMs) / 1_000
  const totalRowCount = movedTables.reduce((rowCount, table) => rowCount + table.rowCount, 0)
  console.log(
    `${totalRowCount.toLocaleString('en')} rows moved to PostgreSQL and compared: ${durationSeconds.toFixed(0)} s`,
  )
  await targetDatabase.close()
}

async function describePostgresSize(database: Database, folder: string): Promise<string> {
  const { rows } = await sql<{ total: number }>`
    select pg_database_size(current_database()) as total`.execute(database.primary)
  const databaseMib = Math.round((rows[0]?.total ?? 0) / BYTES_PER_MEBIBYTE)
  return `database ${databaseMib} MB, search index ${readFileSizeMib(folder, SEARCH_FILE_NAME)} MB`
}

async function dropRunDatabaseAndStop(sourceDatabase: Database, postgres: TestPostgres): Promise<void> {
  await sourceDatabase.close()
  const postgresClient = new pg.Client({ connectionString: postgres.getUrl() })
  await postgresClient.connect()
  await postgresClient.query(`drop database ${RUN_DATABASE} with (force)`)
  await postgresClient.query('checkpoint')
  await postgresClient.end()
  await postgres.stop()
}
