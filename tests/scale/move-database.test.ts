/** Tests that a move of an installation from SQLite to a real PostgreSQL copies all data or changes nothing. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, openPostgresDatabase, openSqliteDatabase } from '../../server/db/database.ts'
import { seedDemoCatalogue } from '../../server/first-run.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { insertTestAccount, startTestServer, type TestServer } from '../support/server.ts'
import { TestClient } from '../support/test-client.ts'

let postgres: TestPostgres
let folder: string
let sourceServer: TestServer
let sourceDatabase: Database | undefined
let device: TestClient
const databaseNames = ['one', 'two', 'three']

beforeAll(async () => {
  postgres = await startPostgres()
  const maintenanceDatabase = openPostgresDatabase({ searchFolder: ':memory:', url: postgres.getUrl() })
  for (const name of databaseNames)
    await sql.raw(`create database ${name}`).execute(maintenanceDatabase.primary)
  await maintenanceDatabase.close()
  folder = mkdtempSync(join(tmpdir(), 'marquee-move-'))
  sourceServer = await startTestServer({
    database: openSqliteDatabase(join(folder, 'marquee.db')),
    env: { DEMO: '1', DATA_DIR: folder },
  })
  await seedDemoCatalogue(sourceServer.deps)
  await insertTestAccount(sourceServer, 'alice@example.com', 'admin')
  device = new TestClient(sourceServer)
  await device.login('alice@example.com')
  device.profileId = (await device.post('/api/profile', { name: 'أليس 👩‍🚀 "q"' })).body.profile_id
  const [firstMovie] = (await device.get('/api/movies?limit=1')).body.results
  await device.put(`/api/profile/${device.profileId}/watchlist/movie/${firstMovie.id}`, {
    in_watchlist: true,
  })
  await device.post('/api/blocklist', { type: 'keyword', value: 'heist' })
}, 180_000)
afterAll(async () => {
  await sourceDatabase?.close()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
})

const runMove = (targetUrl: string) =>
  spawnSync(process.execPath, ['scripts/move-database.ts', '--from', 'sqlite', '--to', targetUrl], {
    encoding: 'utf8',
    env: { ...process.env, DATA_DIR: folder },
  })

it('the move is refused while a server has the database open, because later writes would be lost', () => {
  const { status, stderr } = runMove(postgres.getUrl('one'))
  expect([status, stderr]).toEqual([1, expect.stringMatching(/running server.*nothing was copied/)])
})

it('the move copies all data, so that a signed-in device gets the same responses from PostgreSQL', async () => {
  const paths = [
    '/api/movies?limit=50',
    '/api/series?limit=50',
    '/api/profile',
    '/api/auth/me',
    '/api/blocklist',
  ]
  const sourceResponses = await Promise.all(paths.map(async (path) => (await device.get(path)).body))
  await sourceServer.close()
  const { status, stdout, stderr } = runMove(postgres.getUrl('one'))
  expect([status, stderr]).toEqual([0, expect.stringContaining('title: ')])
  expect(stdout).toMatch(/^\d{4,} rows of \d{2} tables copied and compared\.$/m)
  const database = openPostgresDatabase({ searchFolder: ':memory:', url: postgres.getUrl('one') })
  const targetServer = await startTestServer({
    database,
    env: { DATA_DIR: folder },
    keys: sourceServer.deps.keys,
  })
  try {
    const movedDevice = new TestClient(targetServer)
    movedDevice.accessToken = device.accessToken
    movedDevice.profileId = device.profileId
    for (const [index, path] of paths.entries())
      expect([path, (await movedDevice.get(path)).body]).toEqual([path, sourceResponses[index]])
    const creationResponse = await movedDevice.post('/api/profile', { name: 'Bob' })
    expect(creationResponse.status).toBe(201)
    expect((await movedDevice.post('/api/blocklist', { type: 'keyword', value: 'robot' })).status).toBe(201)
  } finally {
    await targetServer.close()
  }
}, 120_000)

it('the move rejects a target database that is not empty, and reports that nothing was changed', async () => {
  const { status, stderr } = runMove(postgres.getUrl('one'))
  expect([status, stderr]).toEqual([1, expect.stringMatching(/not empty.*Nothing was changed/)])
})

/** Opens the source database in the process of the test, for moves that also run in this process. */
function openSource(): Database {
  sourceDatabase ??= openSqliteDatabase(join(folder, 'marquee.db'))
  return sourceDatabase
}

it('a failed move is rolled back, and a second move succeeds', async () => {
  const targetDatabase = openPostgresDatabase({ searchFolder: ':memory:', url: postgres.getUrl('two') })
  const { migrateDatabase } = await import('../../server/db/migrate.ts')
  const { moveDatabase } = await import('../../server/db/move-database.ts')
  await migrateDatabase(targetDatabase)
  const failAtTitleNames = ({ table }: { table: string }) => {
    if (table === 'title_name') throw new Error('simulated failure')
  }
  await expect(moveDatabase(openSource(), targetDatabase, failAtTitleNames)).rejects.toThrow(
    'simulated failure',
  )
  expect(await targetDatabase.primary.selectFrom('title').select('title_id').execute()).toEqual([])
  expect(await targetDatabase.primary.selectFrom('account').select('account_id').execute()).toEqual([])
  const movedTables = await moveDatabase(openSource(), targetDatabase)
  expect(movedTables.find(({ table }) => table === 'title')?.rowCount).toBeGreaterThan(200)
  await targetDatabase.close()
}, 60_000)

it('the move is rolled back if a row in the target differs from the source', async () => {
  const targetDatabase = openPostgresDatabase({ searchFolder: ':memory:', url: postgres.getUrl('three') })
  const { migrateDatabase } = await import('../../server/db/migrate.ts')
  const { moveDatabase } = await import('../../server/db/move-database.ts')
  await migrateDatabase(targetDatabase)
  await sql`create function alter_title() returns trigger language plpgsql as
    $$ begin if new.original_title < 'B' then new.original_title := new.original_title || ' '; end if; return new; end $$`.execute(
    targetDatabase.primary,
  )
  await sql`create trigger alter_title before insert on title for each row execute function alter_title()`.execute(
    targetDatabase.primary,
  )
  await expect(moveDatabase(openSource(), targetDatabase)).rejects.toThrow(
    /title differ.*Nothing was changed/,
  )
  expect(await targetDatabase.primary.selectFrom('title').select('title_id').execute()).toEqual([])
  await targetDatabase.close()
}, 60_000)
