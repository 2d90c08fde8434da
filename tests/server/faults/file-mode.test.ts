/** Only the owner of the data folder's files can read them, even in a folder that other users may enter. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { DATABASE_FILE_NAME, openSqliteDatabase } from '../../../server/db/database.ts'
import { migrateDatabase } from '../../../server/db/migrate.ts'
import { findFreePort, waitUntilReady } from '../../support/test-service.ts'

it('database files are created with mode 0600, and existing database files are restricted to 0600', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'marquee-mode-'))
  const listFileModes = () =>
    readdirSync(dataFolder).map((fileName) => [
      fileName,
      (statSync(join(dataFolder, fileName)).mode & 0o777).toString(8),
    ])
  try {
    chmodSync(dataFolder, 0o755)
    for (const fileState of ['new', 'existing']) {
      const database = openSqliteDatabase(join(dataFolder, DATABASE_FILE_NAME))
      await migrateDatabase(database)
      expect(listFileModes().length).toBeGreaterThan(3)
      for (const [file, mode] of listFileModes())
        expect([fileState, file, mode]).toEqual([fileState, file, '600'])
      await database.close()
      for (const [file = ''] of listFileModes()) chmodSync(join(dataFolder, file), 0o644)
    }
  } finally {
    rmSync(dataFolder, { recursive: true, force: true })
  }
})

it('only the user of the server may access the files and folders of the server, even with umask 000 in a folder that other users may enter', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'marquee-umask-'))
  chmodSync(dataFolder, 0o755)
  const env = {
    ...process.env,
    DATA_DIR: dataFolder,
    DATABASE_URL: '',
    REDIS_URL: '',
    DEMO: '0',
    LOG_LEVEL: 'error',
    PORT: String(await findFreePort()),
  }
  const command = ['-c', 'umask 000; exec "$0" server/main.ts', process.execPath]
  const serverProcess = spawn('sh', command, { env, stdio: 'ignore' })
  const listPaths = () => readdirSync(dataFolder, { recursive: true }).map(String)
  try {
    await waitUntilReady(async () => listPaths().includes('recommendations.bin'), 60_000)
    const publicPaths = listPaths().filter((path) => {
      const stats = statSync(join(dataFolder, path), { throwIfNoEntry: false })
      return stats !== undefined && (stats.mode & 0o077) !== 0
    })
    expect(listPaths()).toContain('training')
    expect(publicPaths).toEqual([])
  } finally {
    const exitPromise = new Promise((resolve) => serverProcess.once('exit', resolve))
    serverProcess.kill('SIGKILL')
    await exitPromise
    rmSync(dataFolder, { recursive: true, force: true })
  }
}, 90_000)
