/** Upgrade of the search index on SQLite from a version that recorded pending documents in a table. */
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DATABASE_FILE_NAME, openSqliteDatabase } from '../../../server/db/database.ts'
import { createSearchTables, readSearchIndexState, upsertSearchDocs } from '../../../server/search/engine.ts'
import { loadPersonDocs, loadTitleDocs } from '../../../server/services/search/search-docs.ts'
import { createDoc } from './index-fixture.ts'
import {
  createDataFolder,
  type DataFolder,
  deleteMovie,
  importMovies,
  migrateToEarlierVersion,
  openSimulatedProcess,
  renameMovie,
} from './index-of-machine.ts'

let folder: DataFolder
let [renamedId, deletedId, otherId, personId] = ['', '', '', '']

/**
 * Creates a database and an index of the earlier version. A renamed title, a renamed person and a deleted title are
 * pending. Another title was renamed after them, but its row in the table of pending documents is missing.
 */
async function createEarlierInstallation({ isBuilding = false } = {}): Promise<void> {
  const database = openSqliteDatabase(join(folder.path, DATABASE_FILE_NAME))
  const { primary, searchDatabase } = database
  await migrateToEarlierVersion(database)
  const cast = [{ person: { name: 'Wilhelmina Oakes' } }]
  const ids = await importMovies(database, [1, 2, 3], { cast })
  ;[renamedId = '', deletedId = '', otherId = ''] = ids
  const person = await primary.selectFrom('person').select('person_id').executeTakeFirstOrThrow()
  personId = String(person.person_id)
  createSearchTables(searchDatabase)
  await upsertSearchDocs(searchDatabase, [
    ...(await loadTitleDocs(primary, ids.map(Number))),
    ...(await loadPersonDocs(primary, [person.person_id])),
    // A rebuild would remove this document, because the catalogue does not contain it.
    createDoc('Quibbleton', { id: 99_998 }),
  ])
  await sql`delete from search_pending`.execute(primary)
  await renameMovie(database, renamedId, 'Zorbulax')
  await primary
    .updateTable('person')
    .set({ name: 'Peregrine Ashby' })
    .where('person_id', '=', person.person_id)
    .execute()
  await deleteMovie(database, deletedId)
  await renameMovie(database, otherId, 'Fernwick')
  await sql`delete from search_pending where doc_id = ${Number(otherId) * 2}`.execute(primary)
  if (isBuilding) {
    const state = await readSearchIndexState(searchDatabase)
    searchDatabase
      .prepare("update search_meta set value = ? where key = 'state'")
      .run(JSON.stringify({ ...state, building: true }))
  }
  await database.close()
}

beforeEach(() => {
  folder = createDataFolder()
})
afterEach(() => folder.remove())

it('an upgrade keeps the index and applies the pending changes of titles and people', async () => {
  await createEarlierInstallation()
  const upgradedProcess = await openSimulatedProcess(folder)
  try {
    expect(await upgradedProcess.index.isBuilding()).toBe(false)
    expect(await upgradedProcess.search('zorbulax')).toEqual([renamedId])
    expect(await upgradedProcess.search('peregrine ashby')).toContain(personId)
    // The index still contains the earlier name of the title that was not pending.
    expect(await upgradedProcess.search('lantern')).toEqual([otherId])
    await upgradedProcess.waitUntilSettled()
    expect(await upgradedProcess.search('quibbleton')).toEqual(['Quibbleton'])
    await renameMovie(upgradedProcess.database, otherId, 'Marrowby')
    expect(await upgradedProcess.search('marrowby')).toEqual([otherId])
  } finally {
    await upgradedProcess.close()
  }
})

it('an upgrade rebuilds an index whose rebuild was interrupted', async () => {
  await createEarlierInstallation({ isBuilding: true })
  const upgradedProcess = await openSimulatedProcess(folder)
  try {
    expect(await upgradedProcess.index.isBuilding()).toBe(true)
    await upgradedProcess.waitUntilSettled()
    expect(await upgradedProcess.index.isBuilding()).toBe(false)
    expect([await upgradedProcess.search('quibbleton'), await upgradedProcess.search('fernwick')]).toEqual([
      [],
      [otherId],
    ])
  } finally {
    await upgradedProcess.close()
  }
})

it('after an upgrade, `catchUp` compares only the version and not (version, doc_id), because SQLite would otherwise read all changes of the version that is already indexed', async () => {
  await createEarlierInstallation()
  const upgradedProcess = await openSimulatedProcess(folder)
  try {
    const statements: string[] = []
    Object.assign(upgradedProcess.database.slowQueries ?? {}, {
      thresholdMs: -1,
      report: (statement: string) => statements.push(statement),
    })
    await upgradedProcess.index.catchUp()
    const changeStatements = statements.filter((statement) => statement.includes('where version > ?'))
    expect(changeStatements.length).toBeGreaterThan(0)
    expect(statements.filter((statement) => statement.includes('(version, doc_id) >'))).toEqual([])
  } finally {
    await upgradedProcess.close()
  }
})
