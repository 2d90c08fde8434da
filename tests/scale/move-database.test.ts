/** A household that moves from SQLite to a real PostgreSQL: nothing is lost, nothing half done. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase, openSqliteDatabase } from '../../server/db/database.ts'
import { seedDemoCatalogue } from '../../server/first-run.ts'
import { Device } from '../support/client.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'
import { addAccount, startServer, type TestServer } from '../support/server.ts'

let postgres: Postgres
let folder: string
let before: TestServer
let device: Device
const databases = ['one', 'two', 'three']

beforeAll(async () => {
  postgres = await startPostgres()
  const server = openDatabase({ dataDir: '.', url: postgres.url() })
  if (!('transaction' in server.searchDatabase)) throw new Error('no PostgreSQL')
  for (const name of databases) await server.searchDatabase.query(`create database ${name}`)
  await server.close()
  folder = mkdtempSync(join(tmpdir(), 'marquee-move-'))
  before = await startServer({
    database: openSqliteDatabase(join(folder, 'marquee.db')),
    env: { DEMO: '1', DATA_DIR: folder },
  })
  await seedDemoCatalogue(before.deps)
  await addAccount(before, 'alice@example.com', 'admin')
  device = new Device(before)
  await device.login('alice@example.com')
  device.profileId = (await device.post('/api/profile', { name: 'أليس 👩‍🚀 "q"' })).body.profile_id
  const [first] = (await device.get('/api/movies?limit=1')).body.results
  await device.put(`/api/profile/${device.profileId}/watchlist/movie/${first.id}`, { in_watchlist: true })
  await device.post('/api/blocklist', { type: 'keyword', value: 'heist' })
}, 180_000)
afterAll(async () => {
  await before.close()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
})

const move = (to: string) =>
  spawnSync(process.execPath, ['scripts/move-database.ts', '--from', 'sqlite', '--to', to], {
    encoding: 'utf8',
    env: { ...process.env, DATA_DIR: folder },
  })

it('moves everything: the same device goes on with the same answers', async () => {
  const asked = [
    '/api/movies?limit=50',
    '/api/series?limit=50',
    '/api/profile',
    '/api/auth/me',
    '/api/blocklist',
  ]
  const answers = await Promise.all(asked.map(async (path) => (await device.get(path)).body))
  const { status, stdout, stderr } = move(postgres.url('one'))
  expect([status, stderr]).toEqual([0, expect.stringContaining('title: ')])
  expect(stdout).toMatch(/^\d{4,} rows of \d{2} tables moved and compared\.$/m)
  const database = openDatabase({ dataDir: folder, url: postgres.url('one') })
  const after = await startServer({ database, env: { DATA_DIR: folder }, keys: before.deps.keys })
  try {
    const moved = new Device(after)
    moved.accessToken = device.accessToken
    moved.profileId = device.profileId
    for (const [at, path] of asked.entries())
      expect([path, (await moved.get(path)).body]).toEqual([path, answers[at]])
    const made = await moved.post('/api/profile', { name: 'Bob' })
    expect(made.status).toBe(201)
    expect((await moved.post('/api/blocklist', { type: 'keyword', value: 'robot' })).status).toBe(201)
  } finally {
    await after.close()
  }
}, 120_000)

it('refuses a target that holds anything, and changes nothing there', async () => {
  const { status, stderr } = move(postgres.url('one'))
  expect([status, stderr]).toEqual([1, expect.stringMatching(/not empty.*Nothing was changed/)])
})

it('leaves nothing behind when it fails on the way, and can be run again', async () => {
  const target = openDatabase({ dataDir: folder, url: postgres.url('two') })
  const { migrateDatabase: migrate } = await import('../../server/db/migrate.ts')
  const { moveDatabase } = await import('../../server/db/move-database.ts')
  await migrate(target)
  const tell = ({ table }: { table: string }) => {
    if (table === 'title_name') throw new Error('the power goes')
  }
  await expect(moveDatabase(before.database, target, tell)).rejects.toThrow('the power goes')
  expect(await target.primary.selectFrom('title').select('title_id').execute()).toEqual([])
  expect(await target.primary.selectFrom('account').select('account_id').execute()).toEqual([])
  const moved = await moveDatabase(before.database, target)
  expect(moved.find((one) => one.table === 'title')?.rows).toBeGreaterThan(200)
  await target.close()
}, 60_000)

it('notices a row that did not arrive as it was', async () => {
  const target = openDatabase({ dataDir: folder, url: postgres.url('three') })
  const { migrateDatabase: migrate } = await import('../../server/db/migrate.ts')
  const { moveDatabase } = await import('../../server/db/move-database.ts')
  await migrate(target)
  if (!('transaction' in target.searchDatabase)) throw new Error('no PostgreSQL')
  await target.searchDatabase.query(`create function spoil() returns trigger language plpgsql as
    $$ begin if new.original_title < 'B' then new.original_title := new.original_title || ' '; end if; return new; end $$`)
  await target.searchDatabase.query(
    'create trigger spoil before insert on title for each row execute function spoil()',
  )
  await expect(moveDatabase(before.database, target)).rejects.toThrow(/title differ.*Nothing was changed/)
  expect(await target.primary.selectFrom('title').select('title_id').execute()).toEqual([])
  await target.close()
}, 60_000)
