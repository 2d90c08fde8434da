/** Stop signals: several at once to a server or an import, and one to npm, which has started a server. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DATABASE_FILE_NAME, openSqliteDatabase } from '../../../server/db/database.ts'
import { migrateDatabase } from '../../../server/db/migrate.ts'
import { prepareServerProcess } from '../../support/server-processes.ts'
import { acceptsConnections, findFreePort, waitUntilReady } from '../../support/test-service.ts'

const SQLITE_ENV = { DATABASE_URL: '', REDIS_URL: '' }
let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'marquee-shutdown-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

it('when several SIGTERM and SIGINT signals arrive together, the server stops gracefully with exit code 0', async () => {
  const serverProcess = await prepareServerProcess(dataDir, SQLITE_ENV)
  try {
    await serverProcess.start()
    process.kill(serverProcess.getPid(), 'SIGINT')
    process.kill(serverProcess.getPid(), 'SIGTERM')
    expect(await serverProcess.terminate()).toBe(0)
  } finally {
    await serverProcess.kill()
  }
}, 120_000)

it('when only npm receives SIGTERM, the server that it has started stops as well', async () => {
  const port = await findFreePort()
  const npmProcess = spawn('npm', ['run', 'serve'], {
    env: {
      ...process.env,
      ...SQLITE_ENV,
      PORT: String(port),
      DATA_DIR: dataDir,
      DEMO: '0',
      LOG_LEVEL: 'error',
    },
    stdio: 'ignore',
    detached: true,
  })
  try {
    const exitPromise = once(npmProcess, 'exit')
    await waitUntilReady(() => acceptsConnections(port), 120_000)
    npmProcess.kill('SIGTERM')
    await exitPromise
    await waitUntilReady(async () => !(await acceptsConnections(port)), 20_000)
  } finally {
    killProcessGroup(npmProcess)
  }
}, 180_000)

it('two SIGINT signals within milliseconds stop an import after the current batch, and the import reports that it can be continued', async () => {
  const databaseFile = join(dataDir, DATABASE_FILE_NAME)
  const migratedDatabase = openSqliteDatabase(databaseFile)
  await migrateDatabase(migratedDatabase)
  await migratedDatabase.close()
  const database = new DatabaseSync(databaseFile, { timeout: 5_000 })
  const importProcess = spawn(process.execPath, ['scripts/import.ts', 'demo', '--batch-ms', '1'], {
    env: { ...process.env, ...SQLITE_ENV, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [importProcess.stdout, importProcess.stderr])
    stream.on('data', (chunk) => (output += chunk))
  const closePromise = once(importProcess, 'close')
  const listJobs = () => database.prepare('select status from job').all()
  await waitUntilReady(async () => listJobs().length > 0, 60_000)
  // The import waits for this lock in its first batches, so that it cannot end before the signals arrive.
  database.exec('begin immediate')
  importProcess.kill('SIGINT')
  await pause(5)
  importProcess.kill('SIGINT')
  await pause(50)
  database.exec('rollback')
  expect([await closePromise, output]).toEqual([
    [0, null],
    expect.stringContaining('stopped before the end: run it again to continue'),
  ])
  expect(listJobs()).toEqual([{ status: 'cancelled' }])
  database.close()
}, 120_000)

/** Kills all remaining processes in the group of a process that was started with `detached`. */
function killProcessGroup({ pid }: ChildProcess): void {
  try {
    process.kill(-(pid as number), 'SIGKILL')
  } catch {
    // No process is left.
  }
}
