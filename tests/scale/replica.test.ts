/** A real PostgreSQL replica that lags, stops and recovers: it serves reads only while it is up to date. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../server/db/database.ts'
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
  database = openDatabase({ dataDir: '.', url: primaryPostgres.url() })
  await migrateDatabase(database)
  await database.close()
  replicaPostgres = await startPostgres({ replicaOf: primaryPostgres })
  database = openDatabase({ dataDir: '.', url: primaryPostgres.url(), replicaUrl: replicaPostgres.url() })
  replicaDatabase = openDatabase({ dataDir: '.', url: replicaPostgres.url() })
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

/**
 * Returns true if a read now reaches the replica, which means that pg_stat_activity of the replica lists the statement.
 */
async function isReadingFromReplica(): Promise<boolean> {
  if (!('transaction' in replicaDatabase.searchDatabase)) throw new Error('no PostgreSQL')
  const countStatements = async () => {
    const { rows } = await (
      replicaDatabase.searchDatabase as { query: (text: string) => Promise<{ rows: unknown[] }> }
    ).query(
      `select count(*)::int as n from pg_stat_activity where application_name = 'marquee' and pid <> pg_backend_pid() and query like '%from "setting"%'
       and state_change > clock_timestamp() - interval '1 second'`,
    )
    return (rows[0] as { n: number }).n
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
  if (!('transaction' in replicaDatabase.searchDatabase)) throw new Error('no PostgreSQL')
  await replicaDatabase.searchDatabase.query('select pg_wal_replay_pause()')
  await writeSetting('two')
  const startedMs = performance.now()
  await waitUntilReady(async () => (await readSetting()) === 'two')
  expect(performance.now() - startedMs).toBeLessThan(2_000)
  expect(await readSetting(replicaDatabase.reader)).toBe('one')
  await pause(600)
  for (let attempt = 0; attempt < 5; attempt += 1) expect(await readSetting()).toBe('two')
  await replicaDatabase.searchDatabase.query('select pg_wal_replay_resume()')
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
