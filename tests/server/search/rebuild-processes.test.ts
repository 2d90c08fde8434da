/** Two rebuilds never write the same search index at the same time, even if processes of the machine are killed. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startProcessJob } from '../../../server/core/process-job.ts'
import { createFileLock, type FileLock } from '../../../server/db/file-lock.ts'
import { loadLogEnd } from '../../../server/services/search/index-position.ts'
import { usesPostgres } from '../../support/databases.ts'
import { acquirePostgresDatabase } from '../../support/postgres-databases.ts'
import { waitFor } from '../../support/wait-for.ts'
import {
  createDataFolder,
  type DataFolder,
  importMovies,
  openSimulatedProcess,
  type SimulatedProcess,
  skipRetryInterval,
} from './index-of-machine.ts'

let folder: DataFolder
let postgres: Awaited<ReturnType<typeof acquirePostgresDatabase>> | undefined
let ids: string[]
let otherProcesses: ChildProcess[]
let frozenProcessId: number | undefined
let startedProcess: SimulatedProcess | undefined
let locks: FileLock[]

/** Each test starts with a catalogue of some movies, and without an index. */
beforeEach(async () => {
  folder = createDataFolder()
  postgres = usesPostgres ? await acquirePostgresDatabase() : undefined
  otherProcesses = []
  locks = []
  const machineProcess = await openSimulatedProcess(folder, postgres?.url)
  ids = (await importMovies(machineProcess.database, [1, 2, 3])).toSorted()
  await machineProcess.close()
  for (const name of readdirSync(folder.path)) if (name.startsWith('search')) rmSync(join(folder.path, name))
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const childProcess of otherProcesses) childProcess.kill('SIGKILL')
  signalFrozenProcess('SIGKILL')
  for (const lock of locks) lock.close()
  await startedProcess?.close()
  startedProcess = undefined
  await postgres?.release()
  folder.remove()
})

async function startProcess(): Promise<SimulatedProcess> {
  startedProcess = await openSimulatedProcess(folder, postgres?.url)
  return startedProcess
}

/** Runs `source` in another process. Modules of the project are imported with `load(path)`. */
function runInProcess(source: string): ChildProcess {
  const loadFunctionSource = `const load = (path) => import(${JSON.stringify(`${resolve('.')}/`)} + path)`
  // Runs a file instead of `--eval`: `--eval` needs the option `--input-type`, which the rebuild process would inherit
  // and reject.
  const modulePath = join(folder.path, `process-${otherProcesses.length}.mjs`)
  writeFileSync(modulePath, `${loadFunctionSource}\n${source}`)
  const childProcess = spawn(process.execPath, [modulePath], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DATA_DIR: folder.path, DATABASE_URL: postgres?.url ?? '', DEMO: '0' },
  })
  otherProcesses.push(childProcess)
  return childProcess
}

/**
 * Runs `source` in another process, in the same way as the commands in `scripts/`. `source` is the body of the function
 * `run` of the command, with the parameter `deps`.
 */
const runCommand = (source: string): ChildProcess =>
  runInProcess(`const { runCommand } = await load('scripts/run-command.ts')
    const { readSearchIndexState } = await load('server/search/engine.ts')
    await runCommand({ help: '', run: async (deps) => { ${source} } })`)

/**
 * Starts a process that opens and rebuilds the index, as a server does. If the rebuild fails, the process prints the
 * error message.
 */
const runServer = (): ChildProcess =>
  runInProcess(`const { openDatabase } = await load('server/db/database.ts')
    const { openSearchIndex } = await load('server/services/search/search-index.ts')
    const location = { dataDir: process.env.DATA_DIR, url: process.env.DATABASE_URL || undefined }
    const onError = (error) => process.stdout.write(error.message)
    await openSearchIndex(openDatabase(location), location, { onError })
    setInterval(() => {}, 1_000)`)

function createLock(fileName: string): FileLock {
  const lock = createFileLock(join(folder.path, fileName))
  locks.push(lock)
  return lock
}

/** Returns the stored state of the index as a text, or undefined while there is none. */
function readStateText(): string | undefined {
  let searchDatabase: DatabaseSync | undefined
  try {
    searchDatabase = new DatabaseSync(join(folder.path, 'search-5.db'), { readOnly: true })
    const row = searchDatabase.prepare("select value from search_meta where key = 'state'").get()
    return row && String(row['value'])
  } catch {
    return undefined
  } finally {
    searchDatabase?.close()
  }
}

/**
 * Waits until the rebuild process that was started by `parent` is writing the index. Then suspends the rebuild process.
 */
async function freezeRebuildProcess(parent: ChildProcess): Promise<void> {
  await waitFor(() => expect(readStateText()).toContain('"building":true'), 5)
  const processList = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
  const rebuildLine = processList
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .find(
      ([, parentId, ...args]) =>
        Number(parentId) === parent.pid && args.join(' ').includes('rebuild-process'),
    )
  frozenProcessId = Number(rebuildLine?.[0])
  process.kill(frozenProcessId, 'SIGSTOP')
}

/** Continues or kills the process that `freezeRebuildProcess` has suspended. */
function signalFrozenProcess(signal: 'SIGCONT' | 'SIGKILL'): void {
  if (frozenProcessId !== undefined) process.kill(frozenProcessId, signal)
  frozenProcessId = undefined
}

async function expectCompleteIndex(machineProcess: SimulatedProcess): Promise<void> {
  await machineProcess.waitUntilSettled()
  expect(await machineProcess.index.isBuilding()).toBe(false)
  expect((await machineProcess.search('lantern')).toSorted()).toEqual(ids)
  expect(machineProcess.errors).toEqual([])
}

describe('a rebuild process', () => {
  it('a rebuild process does not write the index while another rebuild process is running', async () => {
    const { database, index } = await startProcess()
    await index.whenIdle()
    const state = readStateText()
    createLock('search-rebuild.lock').tryAcquire()
    const rebuildJob = startProcessJob(
      new URL('../../../server/services/search/rebuild-process.ts', import.meta.url),
      {
        location: { dataDir: folder.path, url: postgres?.url },
        position: await loadLogEnd(database.primary),
      },
    )
    await expect(rebuildJob.result).rejects.toThrow('Another process is still rebuilding the search index.')
    expect(readStateText()).toBe(state)
  })

  it('prevents updates of the index by other processes until it ends', async () => {
    const { database, index, search } = await startProcess()
    await index.whenIdle()
    const state = readStateText()
    const releaseLock = createLock('search-rebuild.lock').tryAcquire()
    const [newId = ''] = await importMovies(database, [4])
    expect((await search('lantern')).toSorted()).toEqual(ids)
    expect(readStateText()).toBe(state)
    releaseLock?.()
    expect(await search('lantern')).toContain(newId)
  })

  it('after a server was killed during a rebuild, the next server does not rebuild the index until the rebuild process of the killed server has ended', async () => {
    const server = runServer()
    await freezeRebuildProcess(server)
    server.kill('SIGKILL')
    await once(server, 'exit')
    const state = readStateText()
    const nextProcess = await startProcess()
    const [newId = ''] = await importMovies(nextProcess.database, [4])
    await nextProcess.index.catchUp()
    // Within this time, a second rebuild process would change the state.
    await pause(1_500)
    expect(readStateText()).toBe(state)
    expect(await nextProcess.index.isBuilding()).toBe(true)
    signalFrozenProcess('SIGCONT')
    ids = [...ids, newId].toSorted()
    await expectCompleteIndex(nextProcess)
  })

  it('after a rebuild process was killed, another process of the machine rebuilds the index, but only after a minute', async () => {
    const server = runServer()
    await freezeRebuildProcess(server)
    const otherServer = await startProcess()
    signalFrozenProcess('SIGKILL')
    const [errorText] = await once(server.stdout as NonNullable<ChildProcess['stdout']>, 'data')
    expect(String(errorText)).toContain('exited without a result')
    // The other server has been waiting for the lock since it started.
    await otherServer.waitUntilSettled()
    expect(await otherServer.index.isBuilding()).toBe(true)
    skipRetryInterval()
    await expectCompleteIndex(otherServer)
  })
})

describe('a command line script', () => {
  it('does not rebuild a missing index when it starts', async () => {
    const [exitCode] = await once(runCommand("return 'done'"), 'exit')
    expect(exitCode).toBe(0)
    expect(readStateText()).toBeUndefined()
    await expectCompleteIndex(await startProcess())
  })

  it('stops its rebuild before it exits', async () => {
    const command = runCommand(`
      deps.searchIndex.rebuild().catch(() => {})
      while (!(await readSearchIndexState(deps.database.searchDatabase)).building)
        await new Promise((resolve) => setTimeout(resolve, 5))
      return 'done'`)
    const [exitCode] = await once(command, 'exit')
    expect(exitCode).toBe(0)
    expect(readStateText()).toContain('"building":true')
    const releaseLock = createLock('search-rebuild.lock').tryAcquire()
    expect(releaseLock).not.toBeNull()
    releaseLock?.()
    await expectCompleteIndex(await startProcess())
  })

  it('exits although its rebuild waits for another process', async () => {
    createLock('search.lock').tryAcquire()
    const command = runCommand(`
      deps.searchIndex.rebuild().catch(() => {})
      return 'done'`)
    const [exitCode] = await once(command, 'exit')
    expect(exitCode).toBe(0)
  })
})
