/** Backups of a PostgreSQL server with pg_dump: creating, checking and restoring backups, and refusing damaged backups. */
import { execFile } from 'node:child_process'
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openPostgresDatabase } from '../../../server/db/database.ts'
import { hasPostgresTool } from '../../../server/providers/pg-dump.ts'
import { selectCatalogueLog } from '../../../server/queries/search-index.ts'
import { verifyAuditChain } from '../../../server/services/operations/audit.ts'
import { startPostgres, type TestPostgres } from '../../support/postgres.ts'
import {
  type AdminTestServer,
  addMovies,
  createMovieRecord,
  startAdminTestServer,
} from './admin-test-server.ts'

const runCommand = promisify(execFile)
const hasPostgresTools = hasPostgresTool('pg_dump') && hasPostgresTool('pg_restore')
let postgres: TestPostgres
let service: AdminTestServer
beforeAll(async () => {
  postgres = await startPostgres()
  const databaseUrl = postgres.url('postgres')
  service = await startAdminTestServer({
    database: openPostgresDatabase({ url: databaseUrl, searchFolder: ':memory:' }),
    env: { DATABASE_URL: databaseUrl },
  })
}, 60_000)
afterAll(async () => {
  await service.stop()
  await postgres.stop()
})

it('creates and restores a PostgreSQL backup, or answers 409 when pg_dump or pg_restore is missing', async () => {
  const { admin, server, folder } = service
  const creationResponse = await admin.post('/api/admin/backups')
  if (!hasPostgresTools) {
    expect([creationResponse.status, creationResponse.body.errors]).toEqual([409, { backup: ['no_tool'] }])
    expect((await admin.get('/api/admin/backups')).body.method).toBeNull()
    return
  }
  const job = await service.waitForJob(creationResponse)
  expect(job).toMatchObject({ status: 'done' })
  const { body } = await admin.get('/api/admin/backups')
  expect(body).toMatchObject({ method: 'pg_dump', results: [{ id: job.message, counts: null }] })
  const backupPath = join(folder, 'backups', body.results[0].file)

  await addMovies(service, [createMovieRecord(1)])
  const env = { ...process.env, DATABASE_URL: server.deps.config.databaseUrl, DATA_DIR: folder }
  const restoreBackup = (dumpPath: string) =>
    runCommand(process.execPath, ['scripts/restore.ts', dumpPath], { env })
  const countTitles = async () =>
    (await server.database.primary.selectFrom('title').select('title_id').execute()).length
  for (const damageFile of [
    (path: string) => truncateSync(path, 3_000),
    /*
     * The table of contents of this backup is intact, but its data is truncated. pg_restore fails after it has
     * restored a part of the data. The transaction of pg_restore is then rolled back.
     */
    (path: string) => truncateSync(path, statSync(path).size - 300),
    (path: string) => writeFileSync(path, 'no archive'),
  ]) {
    const damagedPath = join(folder, 'bad.dump')
    writeFileSync(damagedPath, readFileSync(backupPath))
    damageFile(damagedPath)
    await expect(restoreBackup(damagedPath)).rejects.toMatchObject({ code: 1 })
    expect(await countTitles()).toBe(1)
  }
  const logBeforeRestore = await selectCatalogueLog(server.database.primary)
  expect((await restoreBackup(backupPath)).stdout).toBe('Restored.\n')
  expect(await countTitles()).toBe(0)
  // Every machine rebuilds an index of another log.
  expect((await selectCatalogueLog(server.database.primary)).logId).not.toBe(logBeforeRestore.logId)
  expect((await verifyAuditChain(server.deps, { fromStart: true })).verified).toBe(true)
}, 60_000)
