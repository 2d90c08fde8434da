/** Backups of a real PostgreSQL, by pg_dump: made, checked, restored; a damaged one changes nothing. */
import { execFile } from 'node:child_process'
import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '../../../server/db/database.ts'
import { hasPostgresTool } from '../../../server/providers/pg-dump.ts'
import { verifyAuditChain } from '../../../server/services/operations/audit.ts'
import { type Postgres, startPostgres } from '../../support/postgres.ts'
import { addMovies, movie, type Service, startService } from './service.ts'

const run = promisify(execFile)
const tools = hasPostgresTool('pg_dump') && hasPostgresTool('pg_restore')
let postgres: Postgres
let service: Service
beforeAll(async () => {
  postgres = await startPostgres()
  const url = postgres.url('postgres')
  service = await startService({
    database: openDatabase({ dataDir: 'data/local/test', url }),
    env: { DATABASE_URL: url },
  })
}, 60_000)
afterAll(async () => {
  await service.stop()
  await postgres.stop()
})

it('makes one and puts it back, or says what is missing', async () => {
  const { admin, server, folder } = service
  const made = await admin.post('/api/admin/backups')
  if (!tools) {
    expect([made.status, made.body.errors]).toEqual([409, { backup: ['no_tool'] }])
    expect((await admin.get('/api/admin/backups')).body.method).toBeNull()
    return
  }
  const job = await service.ended(made)
  expect(job).toMatchObject({ status: 'done' })
  const { body } = await admin.get('/api/admin/backups')
  expect(body).toMatchObject({ method: 'pg_dump', results: [{ id: job.message, counts: null }] })
  const file = join(folder, 'backups', body.results[0].file)

  await addMovies(service, [movie(1)])
  const env = { ...process.env, DATABASE_URL: server.deps.config.databaseUrl, DATA_DIR: folder }
  const restore = (path: string) => run(process.execPath, ['scripts/restore.ts', path], { env })
  const titles = async () =>
    (await server.database.primary.selectFrom('title').select('title_id').execute()).length
  for (const spoil of [
    (path: string) => truncateSync(path, 3_000),
    /* The table of contents is whole, what it lists is not: found out half-way, and taken back. */
    (path: string) => truncateSync(path, statSync(path).size - 300),
    (path: string) => writeFileSync(path, 'no archive'),
  ]) {
    const bad = join(folder, 'bad.dump')
    writeFileSync(bad, readFileSync(file))
    spoil(bad)
    await expect(restore(bad)).rejects.toMatchObject({ code: 1 })
    expect(await titles()).toBe(1)
  }
  expect((await restore(file)).stdout).toBe('Restored.\n')
  expect(await titles()).toBe(0)
  expect((await verifyAuditChain(server.deps, { whole: true })).verified).toBe(true)
}, 60_000)
