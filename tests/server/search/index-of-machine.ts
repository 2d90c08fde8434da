/**
 * Helpers that simulate server processes with the search index of their machine, and that change the catalogue. The
 * processes of a machine share a data folder. On PostgreSQL, several machines share a database.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Migrator } from 'kysely/migration'
import { vi } from 'vitest'
import { readConfig } from '../../../server/core/config.ts'
import { DATABASE_FILE_NAME, type Database, openDatabase } from '../../../server/db/database.ts'
import { migrateDatabase } from '../../../server/db/migrate.ts'
import { MIGRATIONS } from '../../../server/db/migrations/index.ts'
import { importTitles } from '../../../server/importers/import-titles.ts'
import { readSearchIndexState } from '../../../server/search/engine.ts'
import { openSearchIndex, type SearchIndex } from '../../../server/services/search/search-index.ts'
import { createMigratedFile, disableDiskSync } from '../../support/databases.ts'
import { createMovieRecord } from '../admin/admin-test-server.ts'
import { findMediaIds } from './index-fixture.ts'

export interface SimulatedProcess {
  database: Database
  index: SearchIndex
  /** Errors that rebuilds in the background have reported. */
  errors: unknown[]
  /** Updates the index as a search of a user does, and returns the ids of the titles that the search finds. */
  search: (query: string) => Promise<string[]>
  /** Waits until the index contains all changes of the catalogue and no rebuild runs in the background. */
  waitUntilSettled: () => Promise<void>
  /**
   * Returns the version that the last rebuild wrote; 0 before the first rebuild. The version increases with every
   * rebuild of the index of this machine.
   */
  readBuiltVersion: () => Promise<number>
  close: () => Promise<void>
}

export interface DataFolder {
  path: string
  remove: () => void
}

export function createDataFolder(): DataFolder {
  const path = mkdtempSync(join(tmpdir(), 'marquee-index-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/**
 * Opens the database and the search index of a folder in this process, as a server process does. With `url`, uses
 * PostgreSQL.
 */
export async function openSimulatedProcess(
  folder: DataFolder,
  url?: string,
  wrapDatabase = (database: Database) => database,
): Promise<SimulatedProcess> {
  if (!url) await createMigratedFile(join(folder.path, DATABASE_FILE_NAME))
  const database = wrapDatabase(disableDiskSync(openDatabase({ dataDir: folder.path, url })))
  await migrateDatabase(database)
  const errors: unknown[] = []
  const index = await openSearchIndex(
    database,
    { dataDir: folder.path, url },
    {
      onError: (error) => errors.push(error),
    },
  )
  return {
    database,
    index,
    errors,
    search: async (query) => {
      await index.catchUp()
      return findMediaIds(database.searchDatabase, query)
    },
    waitUntilSettled: async () => {
      await index.whenIdle()
      await index.catchUp()
      await index.whenIdle()
    },
    readBuiltVersion: async () => (await readSearchIndexState(database.searchDatabase)).builtVersion ?? 0,
    close: async () => {
      await index.stop()
      await database.close()
    },
  }
}

/** Sets the clock of this process 61 s ahead. A failed rebuild is tried again after a minute. */
export function skipRetryInterval(): void {
  const nowMs = Date.now()
  vi.spyOn(Date, 'now').mockReturnValue(nowMs + 61_000)
}

/** The last migration before search indexes stored their position in the change log. */
const EARLIER_MIGRATION = '0025_credits_of_people'

/** Creates the tables of the server version before search indexes stored their position. */
export async function migrateToEarlierVersion(database: Database): Promise<void> {
  const migrator = new Migrator({
    db: database.primary,
    provider: { getMigrations: async () => MIGRATIONS },
  })
  const { error } = await migrator.migrateTo(EARLIER_MIGRATION)
  if (error) throw error
}

/** Imports movies with the titles `Lantern <number>`. Returns their ids. */
export async function importMovies(
  database: Database,
  numbers: number[],
  overrides?: Parameters<typeof createMovieRecord>[1],
): Promise<string[]> {
  const records = numbers.map((number) => ({
    location: String(number),
    record: createMovieRecord(number, overrides),
  }))
  await importTitles({ config: readConfig({}), database, now: Date.now }, records, { source: 'test' })
  const rows = await database.primary.selectFrom('title').select(['title_id', 'imdb_id']).execute()
  const idByImdbId = new Map(rows.map((row) => [row.imdb_id, String(row.title_id)]))
  return records.map(({ record }) => idByImdbId.get(record.imdb_id ?? '') ?? '')
}

export async function renameMovie(database: Database, id: string, name: string): Promise<void> {
  await database.primary.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('title_name')
      .set({ text: name })
      .where('title_id', '=', Number(id))
      .execute()
    await transaction
      .updateTable('title')
      .set({ original_title: name })
      .where('title_id', '=', Number(id))
      .execute()
  })
}

export async function setMoviePublished(database: Database, id: string, isPublished: boolean): Promise<void> {
  await database.primary
    .updateTable('title')
    .set({ published: isPublished ? 1 : 0 })
    .where('title_id', '=', Number(id))
    .execute()
}

export async function deleteMovie(database: Database, id: string): Promise<void> {
  await database.primary.deleteFrom('title').where('title_id', '=', Number(id)).execute()
}
