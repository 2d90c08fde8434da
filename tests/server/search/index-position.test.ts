/** The search index of a machine reads the change log from its stored position. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Database, openDatabase } from '../../../server/db/database.ts'
import { createFileLock } from '../../../server/db/file-lock.ts'
import { selectCatalogueLogState, updateCatalogueLogId } from '../../../server/queries/search-index.ts'
import {
  countReplacedSearchDocs,
  readSearchIndexState,
  upsertSearchDocs,
} from '../../../server/search/engine.ts'
import { readPosition } from '../../../server/services/search/index-position.ts'
import { openSearchIndex } from '../../../server/services/search/search-index.ts'
import { usesPostgres } from '../../support/databases.ts'
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
  skipRetryInterval,
} from './index-of-machine.ts'

let folder: DataFolder
let postgres: Awaited<ReturnType<typeof acquirePostgresDatabase>> | undefined
let processes: SimulatedProcess[]

beforeEach(async () => {
  folder = createDataFolder()
  postgres = usesPostgres ? await acquirePostgresDatabase() : undefined
  processes = []
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const machineProcess of processes) await machineProcess.close()
  await postgres?.release()
  folder.remove()
})

/** Simulates the start of a server process in the data folder of this test. */
async function startProcess(): Promise<SimulatedProcess> {
  const machineProcess = await openSimulatedProcess(folder, postgres?.url)
  processes.push(machineProcess)
  return machineProcess
}
async function stopProcess(machineProcess: SimulatedProcess): Promise<void> {
  processes = processes.filter((otherProcess) => otherProcess !== machineProcess)
  await machineProcess.close()
}

/** Simulates the start of a server process, imports three movies and waits until its index contains them. */
async function startWithMovies(): Promise<{ machineProcess: SimulatedProcess; ids: string[] }> {
  const machineProcess = await startProcess()
  const ids = await importMovies(machineProcess.database, [1, 2, 3])
  await machineProcess.waitUntilSettled()
  return { machineProcess, ids }
}

describe('two processes with one data folder', () => {
  it('the next search of one process reflects each title that the other process has added, renamed, hidden or deleted', async () => {
    const writer = await startProcess()
    const reader = await startProcess()
    const [id = ''] = await importMovies(writer.database, [1])
    expect(await reader.search('lantern')).toEqual([id])
    await renameMovie(writer.database, id, 'Zorbulax')
    expect(await reader.search('lantern')).toEqual([])
    expect(await reader.search('zorbulax')).toEqual([id])
    await setMoviePublished(writer.database, id, false)
    expect(await reader.search('zorbulax')).toEqual([])
    await setMoviePublished(writer.database, id, true)
    expect(await reader.search('zorbulax')).toEqual([id])
    await deleteMovie(writer.database, id)
    expect(await reader.search('zorbulax')).toEqual([])
    expect(await writer.search('zorbulax')).toEqual([])
  })

  it('a search of one process waits until the other process releases the lock, and finds the title that the other process has added', async () => {
    const [firstProcess, secondProcess] = [await startProcess(), await startProcess()]
    const [id = ''] = await importMovies(firstProcess.database, [1])
    const releaseLock = firstProcess.database.searchLock.tryAcquire()
    const searchPromise = secondProcess.search('lantern')
    setTimeout(() => releaseLock?.(), 50)
    expect(await searchPromise).toEqual([id])
  })

  it('while one process has the lock, 20 parallel searches of the other process return results of the existing index within 1 s', async () => {
    const { machineProcess, ids } = await startWithMovies()
    const otherProcess = await startProcess()
    const releaseLock = machineProcess.database.searchLock.tryAcquire()
    await importMovies(machineProcess.database, [4])
    const startedAtMs = performance.now()
    const searches = await Promise.all(Array.from({ length: 20 }, () => otherProcess.search('lantern')))
    // Each search waits for the lock for up to 200 ms. Searches that wait one after the other would take 4 s.
    expect(performance.now() - startedAtMs).toBeLessThan(1_000)
    for (const foundIds of searches) expect(foundIds.toSorted()).toEqual(ids.toSorted())
    releaseLock?.()
    expect(await otherProcess.search('lantern')).toHaveLength(4)
  })
})

describe('the lock of the index', () => {
  it('the lock of the index is held by one process until that process is killed, even after a garbage collection in that process', async () => {
    const lockPath = join(folder.path, 'search.lock')
    const moduleUrl = JSON.stringify(resolve('server/db/file-lock.ts'))
    const lockHolderSource = `
      const { createFileLock } = await import(${moduleUrl})
      createFileLock(${JSON.stringify(lockPath)}).tryAcquire()
      await new Promise(setImmediate)
      globalThis.gc()
      await new Promise(setImmediate)
      process.stdout.write('locked')
      setInterval(() => {}, 1000)`
    const lockHolder = spawn(
      process.execPath,
      ['--expose-gc', '--input-type=module', '-e', lockHolderSource],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    onTestFinished(() => {
      lockHolder.kill('SIGKILL')
    })
    await once(lockHolder.stdout, 'data')
    const lock = createFileLock(lockPath)
    expect(lock.tryAcquire()).toBeNull()
    lockHolder.kill('SIGKILL')
    await once(lockHolder, 'exit')
    const releaseLock = lock.tryAcquire()
    expect(releaseLock).not.toBeNull()
    expect(lock.tryAcquire()).toBeNull()
    releaseLock?.()
    expect(lock.tryAcquire()).not.toBeNull()
    lock.close()
  })

  it('writes nothing to the disk, so that it can be acquired while the disk is full', () => {
    const lock = createFileLock(join(folder.path, 'search.lock'))
    expect(lock.tryAcquire()).not.toBeNull()
    expect(readdirSync(folder.path).map((name) => [name, statSync(join(folder.path, name)).size])).toEqual([
      ['search.lock', 0],
    ])
    lock.close()
  })

  it('the lock of the index cannot be acquired after it was closed', () => {
    const lock = createFileLock(join(folder.path, 'search.lock'))
    lock.close()
    expect(() => lock.tryAcquire()).toThrow('The lock is closed.')
  })
})

describe('a process with an outdated or missing index', () => {
  it('catches up on missed changes without a rebuild', async () => {
    const { machineProcess, ids } = await startWithMovies()
    await renameMovie(machineProcess.database, ids[0] ?? '', 'Zorbulax')
    await deleteMovie(machineProcess.database, ids[1] ?? '')
    await stopProcess(machineProcess)
    const restartedProcess = await startProcess()
    const builtVersion = await restartedProcess.readBuiltVersion()
    expect(await restartedProcess.search('zorbulax')).toEqual([ids[0]])
    expect(await restartedProcess.search('lantern')).toEqual([ids[2]])
    expect(await restartedProcess.readBuiltVersion()).toBe(builtVersion)
  })

  it('rebuilds the index when at least 1,000 changes, and at least a quarter of the catalogue, were missed', async () => {
    const { machineProcess } = await startWithMovies()
    await importMovies(
      machineProcess.database,
      Array.from({ length: 1_100 }, (_, index) => 10 + index),
    )
    await stopProcess(machineProcess)
    const restartedProcess = await startProcess()
    const builtVersion = await restartedProcess.readBuiltVersion()
    await restartedProcess.waitUntilSettled()
    expect(await restartedProcess.readBuiltVersion()).toBeGreaterThan(builtVersion)
    expect(await restartedProcess.search('lantern 1099')).toHaveLength(1)
  })

  it('builds a missing index in the background, while searches report that it is being built', async () => {
    const { machineProcess, ids } = await startWithMovies()
    await stopProcess(machineProcess)
    for (const suffix of ['', '-wal', '-shm'])
      rmSync(join(folder.path, `search-5.db${suffix}`), { force: true })
    expect(existsSync(join(folder.path, 'search-5.db'))).toBe(false)
    const restartedProcess = await startProcess()
    expect(await restartedProcess.index.isBuilding()).toBe(true)
    expect(await restartedProcess.search('lantern')).toEqual([])
    await restartedProcess.waitUntilSettled()
    expect(await restartedProcess.index.isBuilding()).toBe(false)
    expect((await restartedProcess.search('lantern')).toSorted()).toEqual(ids.toSorted())
  })

  const markRebuildUnfinished = async ({ searchDatabase }: Database) => {
    const state = await readSearchIndexState(searchDatabase)
    searchDatabase
      .prepare("update search_meta set value = ? where key = 'state'")
      .run(JSON.stringify({ ...state, building: true }))
  }

  it('repeats, without a restart, a rebuild that another process did not finish', async () => {
    const { machineProcess, ids } = await startWithMovies()
    await markRebuildUnfinished(machineProcess.database)
    expect((await machineProcess.search('lantern')).toSorted()).toEqual(ids.toSorted())
    await machineProcess.waitUntilSettled()
    expect(await machineProcess.index.isBuilding()).toBe(false)
    expect((await machineProcess.search('lantern')).toSorted()).toEqual(ids.toSorted())
  })

  it('repeats an interrupted rebuild when the process starts', async () => {
    const { machineProcess, ids } = await startWithMovies()
    await markRebuildUnfinished(machineProcess.database)
    await stopProcess(machineProcess)
    const restartedProcess = await startProcess()
    await restartedProcess.waitUntilSettled()
    expect(await restartedProcess.index.isBuilding()).toBe(false)
    expect((await restartedProcess.search('lantern')).toSorted()).toEqual(ids.toSorted())
  })
})

it('an index is rebuilt when at least 1,000 documents, and at least a quarter of all documents, were replaced', async () => {
  const { machineProcess } = await startWithMovies()
  const { database, index } = machineProcess
  await index.rebuild()
  const builtVersion = await machineProcess.readBuiltVersion()
  const docs = Array.from({ length: 250 }, (_, number) => createDoc('Zorbulax', { id: 10_000 + number * 2 }))
  for (let round = 0; round < 5; round += 1) await upsertSearchDocs(database.searchDatabase, docs)
  expect((await countReplacedSearchDocs(database.searchDatabase)).replacedCount).toBe(1_000)
  await importMovies(database, [4])
  await machineProcess.waitUntilSettled()
  expect(await machineProcess.readBuiltVersion()).toBeGreaterThan(builtVersion)
  expect((await countReplacedSearchDocs(database.searchDatabase)).replacedCount).toBe(0)
})

describe('a rebuild that is requested', () => {
  it('a requested rebuild that has failed is retried after a minute', async () => {
    const { machineProcess, ids } = await startWithMovies()
    const { index } = machineProcess
    const rejectReport = () => Promise.reject(new Error('cancelled'))
    await expect(index.rebuild(rejectReport)).rejects.toThrow('cancelled')
    await index.catchUp()
    expect(await index.isBuilding()).toBe(true)
    skipRetryInterval()
    await index.catchUp()
    await index.whenIdle()
    expect(await index.isBuilding()).toBe(false)
    expect((await machineProcess.search('lantern')).toSorted()).toEqual(ids.toSorted())
  })

  it('after a requested rebuild has failed, another process of the machine retries the rebuild, but only after a minute', async () => {
    const { machineProcess, ids } = await startWithMovies()
    const otherProcess = await startProcess()
    await updateCatalogueLogId(otherProcess.database.primary, 'another')
    const failingRebuildPromise = machineProcess.index.rebuild(() => Promise.reject(new Error('cancelled')))
    const rejection = expect(failingRebuildPromise).rejects.toThrow('cancelled')
    // The other process finds that a rebuild is needed, and waits for the lock.
    await otherProcess.index.catchUp()
    await rejection
    const builtVersion = await otherProcess.readBuiltVersion()
    await otherProcess.waitUntilSettled()
    expect(await otherProcess.readBuiltVersion()).toBe(builtVersion)
    expect(await otherProcess.index.isBuilding()).toBe(true)
    skipRetryInterval()
    await otherProcess.waitUntilSettled()
    expect(await otherProcess.readBuiltVersion()).toBeGreaterThan(builtVersion)
    expect(await otherProcess.index.isBuilding()).toBe(false)
    expect((await otherProcess.search('lantern')).toSorted()).toEqual(ids.toSorted())
  })

  it('ends immediately if it is cancelled while it waits, and causes no rebuild on any machine', async () => {
    const { machineProcess } = await startWithMovies()
    const { database, index } = machineProcess
    const { logId } = await selectCatalogueLogState(database.primary)
    const releaseLock = database.searchLock.tryAcquire()
    const runningRebuildPromise = index.rebuild()
    const abortController = new AbortController()
    const { signal } = abortController
    // The first request waits for the rebuild of its own process. The second request waits for the lock, which is held
    // by the first process.
    const rebuildPromises = [
      index.rebuildOnAllMachines({ signal }),
      (await startProcess()).index.rebuildOnAllMachines({ signal }),
    ]
    const outcomesPromise = Promise.allSettled(rebuildPromises)
    abortController.abort('cancelled')
    expect((await outcomesPromise).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    releaseLock?.()
    await runningRebuildPromise
    expect((await selectCatalogueLogState(database.primary)).logId).toBe(logId)
    const builtVersion = await machineProcess.readBuiltVersion()
    await machineProcess.waitUntilSettled()
    expect(await machineProcess.readBuiltVersion()).toBe(builtVersion)
  })

  it('makes the other processes of the machine load the vocabulary again', async () => {
    const { machineProcess } = await startWithMovies()
    const otherProcess = await startProcess()
    await otherProcess.index.warm()
    const prepareSpy = vi.spyOn(otherProcess.database.searchDatabase, 'prepare')
    await updateCatalogueLogId(otherProcess.database.primary, 'another')
    const rebuildPromise = machineProcess.index.rebuild()
    await otherProcess.index.catchUp()
    await rebuildPromise
    await otherProcess.index.whenIdle()
    const { live } = await readSearchIndexState(otherProcess.database.searchDatabase)
    expect(prepareSpy.mock.calls.map(([text]) => text)).toContainEqual(
      expect.stringMatching(new RegExp(`select word, docs from search_word_${live}`, 'i')),
    )
  })

  it('fails and does not rebuild the index when the change log cannot get a new ID', async () => {
    const { machineProcess } = await startWithMovies()
    const { database, index } = machineProcess
    const builtVersion = await machineProcess.readBuiltVersion()
    const updateTableSpy = vi.spyOn(database.primary, 'updateTable').mockImplementation(() => {
      throw new Error('statement timeout')
    })
    await expect(index.rebuildOnAllMachines()).rejects.toThrow('statement timeout')
    updateTableSpy.mockRestore()
    expect(await machineProcess.readBuiltVersion()).toBe(builtVersion)
    const { logId } = await selectCatalogueLogState(database.primary)
    expect(readPosition(database)?.logId).toBe(logId)
  })

  it('runs even if the automatic rebuild ahead of it in the queue is no longer needed', async () => {
    const { machineProcess } = await startWithMovies()
    const { database, index } = machineProcess
    const { logId } = await selectCatalogueLogState(database.primary)
    const releaseLock = database.searchLock.tryAcquire()
    await updateCatalogueLogId(database.primary, 'another')
    // Starts a rebuild, which waits for the lock.
    await index.catchUp()
    const rebuildPromise = index.rebuild()
    await updateCatalogueLogId(database.primary, logId)
    releaseLock?.()
    expect(await rebuildPromise).toBeGreaterThan(0)
  })
})

it('opening a missing index executes no statement that counts titles', async () => {
  const { machineProcess } = await startWithMovies()
  await stopProcess(machineProcess)
  for (const suffix of ['', '-wal', '-shm'])
    rmSync(join(folder.path, `search-5.db${suffix}`), { force: true })
  const statements: string[] = []
  const location = { dataDir: folder.path, url: postgres?.url }
  const database = openDatabase(location)
  Object.assign(database.slowQueries ?? {}, {
    thresholdMs: -1,
    report: (statement: string) => statements.push(statement),
  })
  const index = await openSearchIndex(database, location, { isServing: false })
  expect(statements.length).toBeGreaterThan(0)
  expect(statements.filter((statement) => statement.includes('count('))).toEqual([])
  await index.stop()
  await database.close()
})

describe('a database that was restored from an older backup', () => {
  /** Deletes a title and its entry in the change log, and sets the catalogue version to `version`. */
  async function restoreEarlierState(
    { database }: SimulatedProcess,
    id: string,
    version: number,
  ): Promise<void> {
    await deleteMovie(database, id)
    await database.primary
      .deleteFrom('catalogue_change')
      .where('doc_id', '=', Number(id) * 2)
      .execute()
    await database.primary.updateTable('catalogue_version').set({ version }).execute()
  }
  const readCatalogueVersion = async ({ database }: SimulatedProcess) =>
    (await database.primary.selectFrom('catalogue_version').select('version').executeTakeFirstOrThrow())
      .version

  it('the next search starts a rebuild when the catalogue version of the restored database is lower than the version of the index', async () => {
    const { machineProcess, ids } = await startWithMovies()
    const version = await readCatalogueVersion(machineProcess)
    const [newId = ''] = await importMovies(machineProcess.database, [4])
    expect(await machineProcess.search('lantern 4')).toContain(newId)
    await restoreEarlierState(machineProcess, newId, version)
    await machineProcess.waitUntilSettled()
    expect((await machineProcess.search('lantern')).toSorted()).toEqual(ids.toSorted())
  })

  it('a rebuild starts even if changes after the restore have raised the catalogue version to the version of the index again', async () => {
    const { machineProcess, ids } = await startWithMovies()
    const [newId = ''] = await importMovies(machineProcess.database, [4])
    expect(await machineProcess.search('lantern 4')).toContain(newId)
    const version = await readCatalogueVersion(machineProcess)
    await restoreEarlierState(machineProcess, newId, version)
    await renameMovie(machineProcess.database, ids[0] ?? '', 'Zorbulax')
    await machineProcess.search('zorbulax')
    await machineProcess.waitUntilSettled()
    expect(await machineProcess.search('zorbulax')).toEqual([ids[0]])
    expect((await machineProcess.search('lantern')).toSorted()).toEqual(ids.slice(1).toSorted())
  })

  it('a process that is started with the restored database rebuilds the index', async () => {
    const { machineProcess, ids } = await startWithMovies()
    const [newId = ''] = await importMovies(machineProcess.database, [4])
    expect(await machineProcess.search('lantern 4')).toContain(newId)
    await restoreEarlierState(machineProcess, newId, await readCatalogueVersion(machineProcess))
    await stopProcess(machineProcess)
    const restartedProcess = await startProcess()
    await restartedProcess.waitUntilSettled()
    expect((await restartedProcess.search('lantern')).toSorted()).toEqual(ids.toSorted())
  })
})

describe('an index that cannot be written', () => {
  it.each([
    ['the disk is full', 'pragma max_page_count = 1', 'pragma max_page_count = 1073741823'],
    ['the disk is read-only', 'pragma query_only = on', 'pragma query_only = off'],
  ])(
    'while %s, a search finds the titles that the index already contains, and also the new titles after the fault has ended',
    async (_name, startFault, endFault) => {
      const { machineProcess, ids } = await startWithMovies()
      const { database } = machineProcess
      database.searchDatabase.exec(startFault)
      const newIds = await importMovies(
        database,
        Array.from({ length: 20 }, (_, index) => 10 + index),
      )
      const foundIds = await machineProcess.search('lantern 1')
      expect(foundIds).toContain(ids[0])
      database.searchDatabase.exec(endFault)
      expect(await machineProcess.search('lantern 29')).toContain(newIds.at(-1))
    },
  )

  it('keeps the index and reports the error when a rebuild fails', async () => {
    const { machineProcess, ids } = await startWithMovies()
    const { database } = machineProcess
    await database.primary.updateTable('catalogue_version').set({ log_id: 'another' }).execute()
    // The rebuild process cannot write, because this connection holds the write lock of the index file.
    database.searchDatabase.exec('begin immediate')
    await machineProcess.index.catchUp()
    expect(await machineProcess.search('lantern')).toHaveLength(ids.length)
    await waitFor(() => expect(machineProcess.errors).toHaveLength(1))
    database.searchDatabase.exec('rollback')
    expect(await machineProcess.search('lantern')).toHaveLength(ids.length)
  })
})

it('the check whether the index is up to date reads only the catalogue version if the catalogue has not changed', async () => {
  const { machineProcess } = await startWithMovies()
  const { slowQueries } = machineProcess.database
  const statements: string[] = []
  if (slowQueries)
    Object.assign(slowQueries, { thresholdMs: -1, report: (statement: string) => statements.push(statement) })
  await machineProcess.index.catchUp()
  await machineProcess.index.isBuilding()
  expect(statements).toHaveLength(1)
  expect(statements[0]).toMatch(/from "catalogue_version"/)
})
