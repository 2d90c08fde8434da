/** A real replica that falls behind, falls silent and comes back: it is asked only while it is up to date. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, openDatabase } from '../../server/db/database.ts'
import { migrateDatabase } from '../../server/db/migrate.ts'
import { selectSettings, upsertSetting } from '../../server/queries/setting.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'
import { untilOpen } from '../support/running.ts'

let primary: Postgres
let replica: Postgres
let database: Database
let observer: Database

beforeAll(async () => {
  primary = await startPostgres()
  database = openDatabase({ dataDir: '.', url: primary.url() })
  await migrateDatabase(database)
  await database.close()
  replica = await startPostgres({ replicaOf: primary })
  database = openDatabase({ dataDir: '.', url: primary.url(), replicaUrl: replica.url() })
  observer = openDatabase({ dataDir: '.', url: replica.url() })
}, 300_000)
afterAll(async () => {
  await database.close()
  await observer.close()
  await replica.stop()
  await primary.stop()
})

const write = (value: string) =>
  upsertSetting(database.primary, { key: 'k', value, updated_at: 1, updated_by: null })
const read = async (from: Database['reader'] = database.reader) =>
  (await selectSettings(from)).find((row) => row.key === 'k')?.value

/** Whether the reader's statements reach the replica at this moment. */
async function readsThere(): Promise<boolean> {
  if (!('transaction' in observer.searchDatabase)) throw new Error('no PostgreSQL')
  const count = async () => {
    const { rows } = await (
      observer.searchDatabase as { query: (text: string) => Promise<{ rows: unknown[] }> }
    ).query(
      `select count(*)::int as n from pg_stat_activity where application_name = 'marquee' and pid <> pg_backend_pid() and query like '%from "setting"%'
       and state_change > clock_timestamp() - interval '1 second'`,
    )
    return (rows[0] as { n: number }).n
  }
  await pause(1_100)
  await read()
  return (await count()) > 0
}

it('reads from the replica once that is up to date', async () => {
  await write('one')
  await untilOpen(readsThere)
  await untilOpen(async () => (await read()) === 'one')
}, 60_000)

it('reads from the primary while the replica is behind, within two seconds', async () => {
  if (!('transaction' in observer.searchDatabase)) throw new Error('no PostgreSQL')
  await observer.searchDatabase.query('select pg_wal_replay_pause()')
  await write('two')
  const started = performance.now()
  await untilOpen(async () => (await read()) === 'two')
  expect(performance.now() - started).toBeLessThan(2_000)
  expect(await read(observer.reader)).toBe('one')
  await pause(600)
  for (let turn = 0; turn < 5; turn += 1) expect(await read()).toBe('two')
  await observer.searchDatabase.query('select pg_wal_replay_resume()')
  await untilOpen(readsThere)
}, 60_000)

it('asks the primary in its place when it breaks off, and no reader notices', async () => {
  await untilOpen(readsThere)
  await replica.down()
  for (let turn = 0; turn < 20; turn += 1) expect(await read()).toBe('two')
  await replica.up()
  await untilOpen(readsThere)
}, 60_000)

it('writes nowhere but on the primary', async () => {
  await write('three')
  expect(await read(database.primary)).toBe('three')
})
