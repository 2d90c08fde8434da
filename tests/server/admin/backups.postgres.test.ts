/** Backups of a PostgreSQL server with pg_dump: creating, checking and restoring them, and rejecting damaged ones. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { isDatabaseUnavailable } from '../../../server/core/database-unavailable.ts'
import { openPostgresDatabase } from '../../../server/db/database.ts'
import { dumpPostgres, dumpPostgresIfPossible, hasPostgresTool } from '../../../server/providers/pg-dump.ts'
import { verifyAuditChain } from '../../../server/services/operations/audit.ts'
import { listChildProcessIds } from '../../support/child-processes.ts'
import { startPostgres, type TestPostgres } from '../../support/postgres.ts'
import { findFreePort, waitUntilReady } from '../../support/test-service.ts'
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
  const databaseUrl = postgres.getUrl('postgres')
  service = await startAdminTestServer({
    database: openPostgresDatabase({ url: databaseUrl, searchFolder: ':memory:' }),
    env: { DATABASE_URL: databaseUrl },
  })
}, 60_000)
afterAll(async () => {
  await service.stop()
  await postgres.stop()
})

/** Returns the names of the programs that this process has started and that still run. */
const listChildCommands = async () =>
  listChildProcessIds(process.pid).map((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim())

it('dumpPostgresIfPossible returns false and writes no file when pg_dump is not on the PATH', async () => {
  const dumpPath = join(service.folder, 'backups', 'marquee-20260101T000000000Z-migration.dump')
  vi.stubEnv('PATH', service.folder)
  try {
    expect(await dumpPostgresIfPossible(postgres.getUrl('postgres'), dumpPath)).toBe(false)
  } finally {
    vi.unstubAllEnvs()
  }
  expect(existsSync(dumpPath)).toBe(false)
})

it('if the database server cannot be reached, a dump fails with an error that counts as an unavailable database, so that the backup job runs again', async () => {
  if (!hasPostgresTools) return
  const url = `postgres://marquee@127.0.0.1:${await findFreePort()}/marquee`
  const dumpPath = join(service.folder, 'unreachable.dump')
  const error = await dumpPostgres(url, dumpPath).catch((reason: unknown) => reason)
  expect(isDatabaseUnavailable(error)).toBe(true)
  expect(existsSync(dumpPath)).toBe(false)
})

it('if the database server stops responding, a dump fails with an error that counts as an unavailable database, and leaves neither a file nor a process', async () => {
  if (!hasPostgresTools) return
  const client = new pg.Client({ connectionString: postgres.getUrl('postgres') })
  await client.connect()
  await client.query('begin; lock table account in access exclusive mode')
  const dumpPath = join(service.folder, 'frozen.dump')
  const dumpPromise = dumpPostgres(postgres.getUrl('postgres'), dumpPath, { stallTimeoutMs: 2_000 })
  const errorPromise = dumpPromise.catch((reason: unknown) => reason)
  try {
    await waitUntilReady(async () => {
      // Within a transaction, PostgreSQL would otherwise return the statistics that the first query has read.
      await client.query('select pg_stat_clear_snapshot()')
      const { rows } = await client.query(
        "select 1 from pg_stat_activity where application_name = 'pg_dump' and wait_event_type = 'Lock'",
      )
      return rows.length === 1
    })
    postgres.pause()
    expect(isDatabaseUnavailable(await errorPromise)).toBe(true)
    await waitUntilReady(async () => !(await listChildCommands()).includes('pg_dump'))
  } finally {
    postgres.resume()
    await client.end()
  }
  expect(readdirSync(service.folder).filter((name) => name.startsWith('frozen'))).toEqual([])
}, 60_000)

it('a PostgreSQL backup can be created and restored, or the request returns 409 when pg_dump or pg_restore is missing', async () => {
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
  const databaseUrl = postgres.getUrl('postgres')
  const env = { ...process.env, DATABASE_URL: databaseUrl, DATA_DIR: folder }
  const restoreBackup = (dumpPath: string, url = databaseUrl) =>
    runCommand(process.execPath, ['scripts/restore.ts', dumpPath], { env: { ...env, DATABASE_URL: url } })
  const expectRestoreRejected = (dumpPath: string, message: string) =>
    expect(restoreBackup(dumpPath)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(message),
    })
  const runSql = async (text: string): Promise<Record<string, unknown>[]> => {
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end()
    }
  }
  const countTitles = async () => (await runSql('select title_id from title')).length
  expect(statSync(backupPath).mode & 0o777).toBe(0o600)
  await expectRestoreRejected(backupPath, 'A running server uses the database')

  await server.database.close()
  const damagedPath = join(folder, 'bad.dump')
  for (const damageFile of [
    (path: string) => truncateSync(path, 3_000),
    /*
     * The table of contents of this backup is intact, but its data is truncated. pg_restore fails after psql has
     * restored a part of the data. The transaction is then rolled back.
     */
    (path: string) => truncateSync(path, statSync(path).size - 300),
    (path: string) => writeFileSync(path, 'no archive'),
  ]) {
    writeFileSync(damagedPath, readFileSync(backupPath))
    damageFile(damagedPath)
    await expectRestoreRejected(damagedPath, 'nothing was changed')
    expect(await countTitles()).toBe(1)
  }

  const unreachableUrl = `postgres://marquee@127.0.0.1:${await findFreePort()}/marquee`
  await expect(restoreBackup(backupPath, unreachableUrl)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/cannot be used .* nothing was changed/s),
  })

  // The restore rejects a backup of a newer version, and a backup of a database without accounts.
  await runSql("insert into kysely_migration (name, timestamp) values ('9999_future', now())")
  const futureDumpPath = join(folder, 'future.dump')
  await dumpPostgres(databaseUrl, futureDumpPath)
  await expect(dumpPostgres(databaseUrl, futureDumpPath)).rejects.toThrow('exists already')
  await expectRestoreRejected(futureDumpPath, 'newer Marquee')
  await runSql("delete from kysely_migration where name = '9999_future'")
  const emptyDumpPath = join(folder, 'empty', 'empty.dump')
  await runSql('create database empty template postgres')
  const emptyUrl = postgres.getUrl('empty')
  await runCommand('psql', ['--quiet', `--dbname=${emptyUrl}`, '--command=truncate account cascade'])
  await dumpPostgres(emptyUrl, emptyDumpPath)
  await expectRestoreRejected(emptyDumpPath, 'it holds no account')

  // A later version may have added a table that refers to a table of the backup. The restore must remove the added
  // table.
  await runSql('create table later_table (account_id text references account)')
  const selectCatalogueVersion = async () => (await runSql('select log_id, writer from catalogue_version'))[0]
  const versionBeforeRestore = await selectCatalogueVersion()
  const { stdout } = await restoreBackup(backupPath)
  const previousSchema = /schema (before_restore_\d{17})\.\n$/.exec(stdout)?.[1]
  expect(await countTitles()).toBe(0)
  expect(await runSql(`select title_id from ${previousSchema}.title`)).toHaveLength(1)
  expect(await runSql("select to_regclass('public.later_table') as later_table")).toEqual([
    { later_table: null },
  ])
  // The new id of the change log makes every machine rebuild its search index.
  const versionAfterRestore = await selectCatalogueVersion()
  expect(versionAfterRestore?.['log_id']).not.toBe(versionBeforeRestore?.['log_id'])
  expect(Number(versionAfterRestore?.['writer'])).toBe(0)
  const restoredDatabase = openPostgresDatabase({ url: databaseUrl, searchFolder: ':memory:' })
  const restoredDeps = { ...server.deps, database: restoredDatabase }
  expect((await verifyAuditChain(restoredDeps, { fromStart: true })).verified).toBe(true)
  await restoredDatabase.close()

  // The next backup excludes the schema with the previous tables, and can be restored.
  const secondDumpPath = join(folder, 'second.dump')
  await dumpPostgres(databaseUrl, secondDumpPath)
  expect((await runCommand('pg_restore', ['--list', secondDumpPath])).stdout).not.toContain('before_restore')
  expect((await restoreBackup(secondDumpPath)).stdout).toContain('Restored.')
  expect(await countTitles()).toBe(0)

  // A backup of an earlier version of the server, whose tables have no column `log_id`, can be restored. If the new id
  // cannot be stored for a reason other than the missing column, the restore is rolled back.
  await runSql('alter table catalogue_version drop column log_id')
  const earlierDumpPath = join(folder, 'earlier.dump')
  await dumpPostgres(databaseUrl, earlierDumpPath)
  expect((await restoreBackup(earlierDumpPath)).stdout).toContain('Restored.')
  await runSql("alter table catalogue_version add column log_id text not null default '' check (log_id = '')")
  const fixedIdDumpPath = join(folder, 'constant.dump')
  await dumpPostgres(databaseUrl, fixedIdDumpPath)
  const selectPreviousSchemas = () =>
    runSql("select nspname from pg_namespace where nspname like 'before_restore%' order by nspname")
  const previousSchemas = await selectPreviousSchemas()
  await expectRestoreRejected(fixedIdDumpPath, 'violates check constraint')
  expect(await selectPreviousSchemas()).toEqual(previousSchemas)
}, 120_000)
