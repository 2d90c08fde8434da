/** Upgrade of a PostgreSQL installation from a version that stored the search index in tables of the database. */
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openPostgresDatabase } from '../../../server/db/database.ts'
import { executeOnPostgresServer } from '../../support/postgres-databases.ts'
import {
  createDataFolder,
  type DataFolder,
  deleteMovie,
  importMovies,
  migrateToEarlierVersion,
  openSimulatedProcess,
  renameMovie,
} from './index-of-machine.ts'

const EARLIER_SEARCH_TABLES = [
  'search_meta',
  'search_doc_a',
  'search_doc_b',
  'search_key_a',
  'search_key_b',
  'search_word_a',
  'search_word_b',
]
let databaseName: string
let folder: DataFolder

beforeEach(async () => {
  databaseName = `t_${randomBytes(8).toString('hex')}`
  await executeOnPostgresServer(`create database ${databaseName}`)
  folder = createDataFolder()
})
afterEach(async () => {
  await executeOnPostgresServer(`drop database if exists ${databaseName} with (force)`)
  folder.remove()
})

it('an upgrade drops the search tables in PostgreSQL, builds the index of the machine and follows later changes', async () => {
  const url = Object.assign(new URL(process.env['MARQUEE_TEST_POSTGRES'] ?? ''), {
    pathname: `/${databaseName}`,
  }).href
  const earlierDatabase = openPostgresDatabase({ url, searchFolder: ':memory:' })
  await migrateToEarlierVersion(earlierDatabase)
  for (const table of EARLIER_SEARCH_TABLES)
    await sql`create table ${sql.table(table)} (key text primary key, value text)`.execute(
      earlierDatabase.primary,
    )
  const [renamedId = '', deletedId = '', otherId = ''] = await importMovies(earlierDatabase, [1, 2, 3])
  await earlierDatabase.close()

  const upgradedProcess = await openSimulatedProcess(folder, url)
  try {
    const { database } = upgradedProcess
    const tableNames = (await database.primary.introspection.getTables()).map(({ name }) => name)
    expect(tableNames.filter((name) => name.startsWith('search_'))).toEqual([])
    const { log_id: logId } = await database.primary
      .selectFrom('catalogue_version')
      .select('log_id')
      .executeTakeFirstOrThrow()
    expect(logId).not.toBe('')
    await upgradedProcess.waitUntilSettled()
    expect((await upgradedProcess.search('lantern')).toSorted()).toEqual(
      [renamedId, deletedId, otherId].toSorted(),
    )
    await renameMovie(database, renamedId, 'Zorbulax')
    await deleteMovie(database, deletedId)
    const [newId = ''] = await importMovies(database, [4])
    expect(await upgradedProcess.search('zorbulax')).toEqual([renamedId])
    expect((await upgradedProcess.search('lantern')).toSorted()).toEqual([otherId, newId].toSorted())
  } finally {
    await upgradedProcess.close()
  }
})
