/** Machines with their own data folders and search indexes share one PostgreSQL database. */
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSqliteConnection } from '../../../server/db/sqlite-connection.ts'
import {
  createSearchTables,
  saveSearchIndexPosition,
  upsertSearchDocs,
} from '../../../server/search/engine.ts'
import { acquirePostgresDatabase } from '../../support/postgres-databases.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createDoc } from './index-fixture.ts'
import {
  createDataFolder,
  type DataFolder,
  deleteMovie,
  importMovies,
  openSimulatedProcess,
  renameMovie,
  type SimulatedProcess,
  setMoviePublished,
} from './index-of-machine.ts'

let postgres: Awaited<ReturnType<typeof acquirePostgresDatabase>>
let folders: DataFolder[]
let machines: SimulatedProcess[]

beforeEach(async () => {
  postgres = await acquirePostgresDatabase()
  folders = []
  machines = []
})
afterEach(async () => {
  for (const machine of machines) await machine.close()
  await postgres.release()
  for (const folder of folders) folder.remove()
})

/** Simulates a server process on a machine with the data folder `folder`, which is empty by default. */
async function openSimulatedMachine(
  folder = createDataFolder(),
  wrapDatabase?: Parameters<typeof openSimulatedProcess>[2],
): Promise<SimulatedProcess> {
  folders.push(folder)
  const machine = await openSimulatedProcess(folder, postgres.url, wrapDatabase)
  machines.push(machine)
  return machine
}

it('after one machine has added, renamed, hidden or deleted a title, the next search on the other machine reflects the change', async () => {
  const [firstMachine, secondMachine] = [await openSimulatedMachine(), await openSimulatedMachine()]
  const [id = ''] = await importMovies(firstMachine.database, [1])
  expect(await secondMachine.search('lantern')).toEqual([id])
  await renameMovie(firstMachine.database, id, 'Zorbulax')
  expect([await secondMachine.search('lantern'), await secondMachine.search('zorbulax')]).toEqual([[], [id]])
  await setMoviePublished(secondMachine.database, id, false)
  expect([await firstMachine.search('zorbulax'), await secondMachine.search('zorbulax')]).toEqual([[], []])
  await setMoviePublished(secondMachine.database, id, true)
  expect([await firstMachine.search('zorbulax'), await secondMachine.search('zorbulax')]).toEqual([
    [id],
    [id],
  ])
  await deleteMovie(firstMachine.database, id)
  expect([await firstMachine.search('zorbulax'), await secondMachine.search('zorbulax')]).toEqual([[], []])
})

it('a machine with an empty data folder builds its index, and its searches return no results until the index is built', async () => {
  const firstMachine = await openSimulatedMachine()
  const ids = await importMovies(firstMachine.database, [1, 2, 3])
  const secondMachine = await openSimulatedMachine()
  expect(await secondMachine.index.isBuilding()).toBe(true)
  expect(await secondMachine.search('lantern')).toEqual([])
  await secondMachine.waitUntilSettled()
  expect(await secondMachine.index.isBuilding()).toBe(false)
  expect((await secondMachine.search('lantern')).toSorted()).toEqual(ids.toSorted())
})

it('if one machine renames a title while a second machine builds its first index, the second machine finds the title by the new name', async () => {
  const firstMachine = await openSimulatedMachine()
  const [id = ''] = await importMovies(firstMachine.database, [1, 2])
  const secondMachine = await openSimulatedMachine()
  await renameMovie(firstMachine.database, id, 'Zorbulax')
  await secondMachine.waitUntilSettled()
  expect(await secondMachine.search('zorbulax')).toEqual([id])
})

it('the changes of concurrent transactions on two machines reach both indexes', async () => {
  const [firstMachine, secondMachine] = [await openSimulatedMachine(), await openSimulatedMachine()]
  const ids = await importMovies(firstMachine.database, [1, 2])
  await Promise.all([firstMachine.waitUntilSettled(), secondMachine.waitUntilSettled()])
  const { promise: updatePromise, resolve: reportUpdate } = Promise.withResolvers<void>()
  const slowTransactionPromise = firstMachine.database.primary.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('title_name')
      .set({ text: 'Zorbulax' })
      .where('title_id', '=', Number(ids[0]))
      .execute()
    await transaction
      .updateTable('title')
      .set({ original_title: 'Zorbulax' })
      .where('title_id', '=', Number(ids[0]))
      .execute()
    reportUpdate()
    await sql`select pg_sleep(0.5)`.execute(transaction)
  })
  await updatePromise
  const fastTransactionPromise = renameMovie(secondMachine.database, ids[1] ?? '', 'Quibbleton')
  await waitFor(async () => expect(await secondMachine.search('quibbleton')).toHaveLength(1))
  await Promise.all([slowTransactionPromise, fastTransactionPromise])
  for (const machine of [firstMachine, secondMachine]) {
    expect(await machine.search('zorbulax')).toEqual([ids[0]])
    expect(await machine.search('quibbleton')).toEqual([ids[1]])
  }
})

it('when an administrator requests a rebuild on one machine, the index of every machine is rebuilt', async () => {
  const [firstMachine, secondMachine] = [await openSimulatedMachine(), await openSimulatedMachine()]
  await importMovies(firstMachine.database, [1])
  for (const machine of [firstMachine, secondMachine]) {
    await machine.waitUntilSettled()
    // The catalogue does not contain this document, so only a rebuild of the index removes it.
    await upsertSearchDocs(machine.database.searchDatabase, [createDoc('Zorbulax', { id: 999 })])
    expect(await machine.search('zorbulax')).toHaveLength(1)
  }
  expect(await firstMachine.index.rebuildOnAllMachines()).toBeGreaterThan(0)
  expect(await firstMachine.search('zorbulax')).toEqual([])
  await waitFor(async () => expect(await secondMachine.search('zorbulax')).toEqual([]))
  await secondMachine.waitUntilSettled()
  const [firstVersion, secondVersion] = [
    await firstMachine.readBuiltVersion(),
    await secondMachine.readBuiltVersion(),
  ]
  for (const machine of [firstMachine, secondMachine]) await machine.waitUntilSettled()
  expect([await firstMachine.readBuiltVersion(), await secondMachine.readBuiltVersion()]).toEqual([
    firstVersion,
    secondVersion,
  ])
})

it('when a rebuild is requested on a machine that is already rebuilding its own index, the indexes of the other machines are rebuilt too', async () => {
  const [firstMachine, secondMachine] = [await openSimulatedMachine(), await openSimulatedMachine()]
  await importMovies(firstMachine.database, [1])
  await Promise.all([firstMachine.waitUntilSettled(), secondMachine.waitUntilSettled()])
  const builtVersion = await secondMachine.readBuiltVersion()
  const runningRebuild = firstMachine.index.rebuild()
  await firstMachine.index.rebuildOnAllMachines()
  await runningRebuild
  await waitFor(async () => {
    await secondMachine.index.catchUp()
    expect(await secondMachine.readBuiltVersion()).toBeGreaterThan(builtVersion)
  })
})

it('updating and searching the index never reads from a replica, which may lag behind the primary database', async () => {
  const machine = await openSimulatedMachine(createDataFolder(), (database) =>
    Object.defineProperty({ ...database }, 'reader', {
      get: () => {
        throw new Error('the index reads from the replica')
      },
    }),
  )
  const [id = ''] = await importMovies(machine.database, [1])
  expect(await machine.search('lantern')).toEqual([id])
})

it('when the data folder contains an index that was built from a SQLite database, the index is rebuilt', async () => {
  const folder = createDataFolder()
  const oldIndexDatabase = openSqliteConnection(`${folder.path}/search-5.db`)
  createSearchTables(oldIndexDatabase)
  await upsertSearchDocs(oldIndexDatabase, [createDoc('Zorbulax', { id: 999 })])
  const position = { logId: 'of SQLite', version: 1, docId: Number.MAX_SAFE_INTEGER, lastChanges: [] }
  saveSearchIndexPosition(oldIndexDatabase, JSON.stringify(position))
  oldIndexDatabase.close()
  const firstMachine = await openSimulatedMachine()
  const [id] = await importMovies(firstMachine.database, [1])
  const secondMachine = await openSimulatedMachine(folder)
  await secondMachine.waitUntilSettled()
  expect([await secondMachine.search('zorbulax'), await secondMachine.search('lantern')]).toEqual([[], [id]])
})
