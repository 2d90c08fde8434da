/** Tests that a move of an installation from SQLite to a real PostgreSQL copies all data or changes nothing. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, openPostgresDatabase, openSqliteDatabase } from '../../server/db/database.ts'
import { migrateDatabase } from '../../server/db/migrate.ts'
import { moveDatabase } from '../../server/db/move-database.ts'
import { seedDemoCatalogue } from '../../server/first-run.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { insertTestAccount, startTestServer, type TestServer } from '../support/server.ts'
import { TestClient } from '../support/test-client.ts'

let postgres: TestPostgres
let folder: string
let sourceServer: TestServer
let sourceDatabase: Database | undefined
let device: TestClient
const databaseNames = ['one', 'two', 'three', 'four', 'five', 'six']

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

const runDatabaseMove = (targetUrl: string) =>
  spawnSync(process.execPath, ['scripts/move-database.ts', '--from', 'sqlite', '--to', targetUrl], {
    encoding: 'utf8',
    env: { ...process.env, DATA_DIR: folder },
  })

it('the move is rejected while a server has the database open, because later writes would be lost', () => {
  const { status, stderr } = runDatabaseMove(postgres.getUrl('one'))
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
  const { status, stdout, stderr } = runDatabaseMove(postgres.getUrl('one'))
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
  const { status, stderr } = runDatabaseMove(postgres.getUrl('one'))
  expect([status, stderr]).toEqual([1, expect.stringMatching(/not empty.*Nothing was changed/)])
})

/** Opens the source database in the process of the test, for moves that also run in this process. */
function openSource(): Database {
  sourceDatabase ??= openSqliteDatabase(join(folder, 'marquee.db'))
  return sourceDatabase
}

it('a failed move is rolled back, and a second move succeeds', async () => {
  const targetDatabase = openPostgresDatabase({ searchFolder: ':memory:', url: postgres.getUrl('two') })
  await migrateDatabase(targetDatabase)
  const failAtTitleNameTable = ({ table }: { table: string }) => {
    if (table === 'title_name') throw new Error('simulated failure')
  }
  await expect(moveDatabase(openSource(), targetDatabase, failAtTitleNameTable)).rejects.toThrow(
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
  await migrateDatabase(targetDatabase)
  // The move copies each title unchanged, but PostgreSQL pads the values of a `char(500)` column with spaces.
  await sql`alter table title alter column original_title type char(500)`.execute(targetDatabase.primary)
  await expect(moveDatabase(openSource(), targetDatabase)).rejects.toThrow(
    /rows of title differ.*Nothing was changed/,
  )
  expect(await targetDatabase.primary.selectFrom('title').select('title_id').execute()).toEqual([])
  await targetDatabase.close()
}, 60_000)

/** Selects the definitions of all indexes, constraints and triggers, and which triggers are enabled. */
async function selectSchemaDefinitions({ primary }: Database): Promise<unknown[]> {
  const { rows } = await sql`
    select indexdef as definition, '' as state from pg_indexes where schemaname = current_schema()
    union all
    select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid), convalidated::text from pg_constraint
      where connamespace = current_schema()::regnamespace
    union all
    select pg_get_triggerdef(oid), tgenabled::text from pg_trigger where not tgisinternal
    order by definition`.execute(primary)
  return rows
}

it('the move restores all indexes, constraints and triggers of the target', async () => {
  const targetDatabase = openPostgresDatabase({ searchFolder: ':memory:', url: postgres.getUrl('four') })
  await migrateDatabase(targetDatabase)
  const schemaDefinitions = await selectSchemaDefinitions(targetDatabase)
  expect(schemaDefinitions.length).toBeGreaterThan(200)
  await moveDatabase(openSource(), targetDatabase)
  expect(await selectSchemaDefinitions(targetDatabase)).toEqual(schemaDefinitions)
  await targetDatabase.close()
}, 60_000)

it('after a move, the next change of a title has a higher version in the change log than all earlier changes', async () => {
  const targetDatabase = openPostgresDatabase({ searchFolder: ':memory:', url: postgres.getUrl('four') })
  const { primary } = targetDatabase
  const selectLastChange = () =>
    primary
      .selectFrom('catalogue_change')
      .select(['doc_id', 'version'])
      .orderBy('version', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
  const { title_id } = await primary.selectFrom('title').select('title_id').limit(1).executeTakeFirstOrThrow()
  const changeBefore = await selectLastChange()
  await primary.updateTable('title').set({ year: 1999 }).where('title_id', '=', title_id).execute()
  const changeAfter = await selectLastChange()
  expect(changeAfter.doc_id).toBe(title_id * 2)
  expect(changeAfter.version).toBeGreaterThan(changeBefore.version)
  await targetDatabase.close()
})

const PROBE_TEXTS = [
  '',
  null,
  '\\',
  '\\N',
  '\\.',
  '\\x41 \\101 \\t',
  'tab\tline\nreturn\r\nend',
  '\b\f\v\u0001\u001f\u007f',
  '"quoted" {"key": "a\\nb"} \'single\'',
  'أليس 👩‍🚀 é e\u0301 \u2028 \ufeff \u{10ffff}',
  ' spaces ',
  'x'.repeat(200_000),
]
const PROBE_NUMBERS = [
  0,
  0.1,
  1 / 3,
  -1e-7,
  1e-5,
  123_456_789.125,
  1e16,
  1e21,
  5e-324,
  Number.MAX_VALUE,
  null,
]
const PROBE_INTEGERS = [Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER, 0, null]
const PROBE_BYTES = [Buffer.from([0, 9, 10, 92, 255]), Buffer.from('\\N'), Buffer.alloc(0), null]

const createProbeTable = (types: Record<'id' | 'integer' | 'number' | 'bytes', string>) =>
  `create table probe (probe_id ${types.id}, body text, whole_number ${types.integer}, number ${types.number}, bytes ${types.bytes})`

/** Creates an empty source in memory and a target. Both have an additional table with a column of each type. */
async function openProbeDatabases(targetName: string) {
  const probeSourceDatabase = openSqliteDatabase(':memory:')
  await migrateDatabase(probeSourceDatabase)
  probeSourceDatabase.sqlite?.exec(
    createProbeTable({ id: 'integer primary key', integer: 'integer', number: 'real', bytes: 'blob' }),
  )
  const targetDatabase = openPostgresDatabase({ searchFolder: ':memory:', url: postgres.getUrl(targetName) })
  await migrateDatabase(targetDatabase)
  await sql
    .raw(
      createProbeTable({
        id: 'bigint generated by default as identity primary key',
        integer: 'bigint',
        number: 'double precision',
        bytes: 'bytea',
      }),
    )
    .execute(targetDatabase.primary)
  const insertProbeRow = (id: number, values: readonly unknown[]) =>
    probeSourceDatabase.sqlite
      ?.prepare('insert into probe values (?, ?, ?, ?, ?)')
      .run(id, ...(values as string[]))
  return { probeSourceDatabase, targetDatabase, insertProbeRow }
}

it('the move copies control characters, Unicode, numbers, bytes and nulls without a change', async () => {
  const { probeSourceDatabase, targetDatabase, insertProbeRow } = await openProbeDatabases('five')
  const expectedRows = Array.from({ length: 24 }, (_, index) => ({
    probe_id: index + 1,
    body: PROBE_TEXTS[index % PROBE_TEXTS.length],
    whole_number: PROBE_INTEGERS[index % PROBE_INTEGERS.length],
    number: PROBE_NUMBERS[index % PROBE_NUMBERS.length],
    bytes: PROBE_BYTES[index % PROBE_BYTES.length],
  }))
  for (const { probe_id, body, whole_number, number, bytes } of expectedRows)
    insertProbeRow(probe_id, [body, whole_number, number, bytes])
  const movedTables = await moveDatabase(probeSourceDatabase, targetDatabase)
  expect(movedTables.find(({ table }) => table === 'probe')).toEqual({ table: 'probe', rowCount: 24 })
  const { rows } = await sql`select * from probe order by probe_id`.execute(targetDatabase.primary)
  expect(rows).toEqual(expectedRows)
  const { rows: insertedRows } = await sql`insert into probe default values returning probe_id`.execute(
    targetDatabase.primary,
  )
  expect(insertedRows).toEqual([{ probe_id: 25 }])
  await probeSourceDatabase.close()
  await targetDatabase.close()
}, 60_000)

it('the move names the table of a value that cannot be moved, and changes nothing', async () => {
  const { probeSourceDatabase, targetDatabase, insertProbeRow } = await openProbeDatabases('six')
  const cases: [string, unknown[], RegExp][] = [
    [
      'NUL in a text',
      ['a\u0000b', 1, 1, null],
      /rows of probe could not be copied.*0x00.*Nothing was changed/s,
    ],
    [
      'integer above 2^53',
      ['', 2n ** 60n, 1, null],
      /rows of probe could not be copied.*Nothing was changed/s,
    ],
    [
      'text in a column of numbers',
      ['', 'many', 1, null],
      /rows of probe could not.*"many".*Nothing was changed/s,
    ],
    [
      'bytes in a column of text',
      [Buffer.from('A'), 1, 1, null],
      /rows of probe differ.*Nothing was changed/,
    ],
  ]
  for (const [label, values, expectedError] of cases) {
    insertProbeRow(1, ['first', 1, 1, null])
    insertProbeRow(2, values)
    await expect(moveDatabase(probeSourceDatabase, targetDatabase), label).rejects.toThrow(expectedError)
    const { rows } = await sql`select 1 from probe`.execute(targetDatabase.primary)
    expect([label, rows]).toEqual([label, []])
    probeSourceDatabase.sqlite?.exec('delete from probe')
  }
  probeSourceDatabase.sqlite?.exec('alter table probe add column other text')
  await expect(moveDatabase(probeSourceDatabase, targetDatabase)).rejects.toThrow(
    /columns of probe differ.*Nothing was changed/,
  )
  await probeSourceDatabase.close()
  await targetDatabase.close()
}, 60_000)
