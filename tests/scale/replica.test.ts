/** A real PostgreSQL replica that lags, stops and recovers: it serves reads only while it is up to date. */
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, openPostgresDatabase } from '../../server/db/database.ts'
import { migrateDatabase } from '../../server/db/migrate.ts'
import { selectSettings, upsertSetting } from '../../server/queries/setting.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { waitUntilReady } from '../support/test-service.ts'

let primaryPostgres: TestPostgres
let replicaPostgres: TestPostgres
let database: Database
let replicaDatabase: Database

beforeAll(async () => {
  primaryPostgres = await startPostgres()
  database = openPostgresDatabase({ searchFolder: ':memory:', url: primaryPostgres.getUrl() })
  await migrateDatabase(database)
  await database.close()
  replicaPostgres = await startPostgres({ replicaOf: primaryPostgres })
  database = openPostgresDatabase({
    searchFolder: ':memory:',
    url: primaryPostgres.getUrl(),
    replicaUrl: replicaPostgres.getUrl(),
  })
  replicaDatabase = openPostgresDatabase({ searchFolder: ':memory:', url: replicaPostgres.getUrl() })
}, 300_000)
afterAll(async () => {
  await database.close()
  await replicaDatabase.close()
  await replicaPostgres.stop()
  await primaryPostgres.stop()
})

const writeSetting = (settingValue: string) =>
  upsertSetting(database.primary, { key: 'k', value: settingValue, updated_at: 1, updated_by: null })
const readSetting = async (connection: Database['reader'] = database.reader) =>
  (await selectSettings(connection)).find((row) => row.key === 'k')?.value

/** Returns true if a read now reaches the replica, that is, if pg_stat_activity of the replica lists the statement. */
async function isReadingFromReplica(): Promise<boolean> {
  const countStatements = async () => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from pg_stat_activity where application_name = 'marquee' and pid <> pg_backend_pid() and query like '%from "setting"%'
       and state_change > clock_timestamp() - interval '1 second'`.execute(replicaDatabase.primary)
    return rows[0]?.n ?? 0
  }
  await pause(1_100)
  await readSetting()
  return (await countStatements()) > 0
}

it('reads go to the replica as soon as the replica is up to date', async () => {
  await writeSetting('one')
  await waitUntilReady(isReadingFromReplica)
  await waitUntilReady(async () => (await readSetting()) === 'one')
}, 60_000)

it('reads switch to the primary within two seconds when the replica lags', async () => {
  await sql`select pg_wal_replay_pause()`.execute(replicaDatabase.primary)
  await writeSetting('two')
  const startedAtMs = performance.now()
  await waitUntilReady(async () => (await readSetting()) === 'two')
  expect(performance.now() - startedAtMs).toBeLessThan(2_000)
  expect(await readSetting(replicaDatabase.reader)).toBe('one')
  await pause(600)
  for (let attempt = 0; attempt < 5; attempt += 1) expect(await readSetting()).toBe('two')
  await sql`select pg_wal_replay_resume()`.execute(replicaDatabase.primary)
  await waitUntilReady(isReadingFromReplica)
}, 60_000)

it('reads continue on the primary without errors when the replica stops', async () => {
  await waitUntilReady(isReadingFromReplica)
  await replicaPostgres.crash()
  for (let attempt = 0; attempt < 20; attempt += 1) expect(await readSetting()).toBe('two')
  await replicaPostgres.start()
  await waitUntilReady(isReadingFromReplica)
}, 60_000)

it('a write goes to the primary', async () => {
  await writeSetting('three')
  expect(await readSetting(database.primary)).toBe('three')
})
