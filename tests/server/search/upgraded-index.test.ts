/** The search index on SQLite of an earlier version of the server, which recorded pending documents in a table. */
import { join } from 'node:path'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DATABASE_FILE_NAME, type Database, openSqliteDatabase } from '../../../server/db/database.ts'
import { MIGRATIONS } from '../../../server/db/migrations/index.ts'
import { createSearchTables, upsertSearchDocs } from '../../../server/search/engine.ts'
import { loadTitleDocs } from '../../../server/services/search/search-docs.ts'
import { createDoc } from './index-fixture.ts'
import { createDataFolder, importMovies, renameMovie, startProcess } from './index-of-machine.ts'

/** The last migration before the search index had a position. */
const EARLIER_MIGRATION = '0025_credits_of_people'
const folder = createDataFolder()

async function migrateToEarlierVersion(database: Database): Promise<void> {
  const migrator = new Migrator({
    db: database.primary,
    provider: { getMigrations: async () => MIGRATIONS },
  })
  const { error } = await migrator.migrateTo(EARLIER_MIGRATION)
  if (error) throw error
}

let ids: string[]
beforeAll(async () => {
  const database = openSqliteDatabase(join(folder.path, DATABASE_FILE_NAME))
  await migrateToEarlierVersion(database)
  ids = await importMovies(database, [1, 2, 3])
  createSearchTables(database.searchDatabase)
  await upsertSearchDocs(database.searchDatabase, [
    ...(await loadTitleDocs(database.primary, ids.map(Number))),
    // A rebuild would remove this document, because the catalogue does not contain it.
    createDoc('Quibbleton', { id: 99_998 }),
  ])
  await sql`delete from search_pending`.execute(database.primary)
  await renameMovie(database, ids[0] ?? '', 'Zorbulax')
  await database.close()
})
afterAll(() => folder.remove())

it('an upgrade keeps the index and applies the documents that were pending', async () => {
  const upgraded = await startProcess(folder)
  try {
    expect(await upgraded.index.isBuilding()).toBe(false)
    expect(await upgraded.search('zorbulax')).toEqual([ids[0]])
    expect((await upgraded.search('lantern')).toSorted()).toEqual(ids.slice(1).toSorted())
    await upgraded.settle()
    expect(await upgraded.search('quibbleton')).toEqual(['Quibbleton'])
    await renameMovie(upgraded.database, ids[1] ?? '', 'Fernwick')
    expect(await upgraded.search('fernwick')).toEqual([ids[1]])
  } finally {
    await upgraded.close()
  }
})
