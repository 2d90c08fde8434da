/** A failover to a replica: the previous primary stays reachable, but accepts no more writes. */
import { connect, createServer, type Server } from 'node:net'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, openPostgresDatabase } from '../../server/db/database.ts'
import { migrateDatabase } from '../../server/db/migrate.ts'
import { selectSettings, upsertSetting } from '../../server/queries/setting.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { findFreePort, waitUntilReady } from '../support/test-service.ts'

let primaryPostgres: TestPostgres
let replicaPostgres: TestPostgres
/**
 * Forwards each new connection to `targetPort`, as the virtual address or the DNS name of an installation leads to the
 * current primary.
 */
let forwarder: Server
let targetPort = 0
/** Number of connections that the forwarder has accepted. */
let connectionCount = 0
let database: Database

beforeAll(async () => {
  primaryPostgres = await startPostgres()
  targetPort = primaryPostgres.port
  forwarder = createServer((socket) => {
    connectionCount += 1
    const targetSocket = connect(targetPort, '127.0.0.1')
    socket.on('error', () => targetSocket.destroy())
    targetSocket.on('error', () => socket.destroy())
    socket.pipe(targetSocket).pipe(socket)
  })
  const port = await findFreePort()
  await new Promise<void>((resolve) => forwarder.listen(port, '127.0.0.1', resolve))
  database = openPostgresDatabase({
    searchFolder: ':memory:',
    url: `postgres://marquee@127.0.0.1:${port}/postgres`,
  })
  await migrateDatabase(database)
  replicaPostgres = await startPostgres({ replicaOf: primaryPostgres })
}, 300_000)
afterAll(async () => {
  await database.close()
  forwarder.close()
  await replicaPostgres.stop()
  await primaryPostgres.stop()
})

const writeSetting = (settingValue: string) =>
  upsertSetting(database.primary, { key: 'k', value: settingValue, updated_at: 1, updated_by: null })
const tryToWriteSetting = (settingValue: string) =>
  writeSetting(settingValue).then(
    () => true,
    () => false,
  )
/** Runs so many statements at once that the pool opens all its connections. */
const openAllConnections = () =>
  Promise.all(Array.from({ length: 10 }, () => sql`select pg_sleep(0.2)`.execute(database.primary)))
const executeOnPrimary = async (statement: string) => {
  const client = new pg.Client({ connectionString: primaryPostgres.getUrl() })
  await client.connect()
  await client.query(statement)
  await client.query('select pg_reload_conf()')
  await client.end()
}

it('twenty failed writes on a read-only server open fewer than ten new connections', async () => {
  await executeOnPrimary('alter system set default_transaction_read_only = on')
  await waitUntilReady(async () => (await writeSetting('rejected').catch((error) => error.code)) === '25006')
  const earlierConnectionCount = connectionCount
  for (let attempt = 0; attempt < 20; attempt += 1)
    await expect(writeSetting('rejected')).rejects.toMatchObject({ code: '25006' })
  expect(connectionCount - earlierConnectionCount).toBeLessThan(10)
  await executeOnPrimary('alter system reset default_transaction_read_only')
  await waitUntilReady(() => tryToWriteSetting('accepted'))
}, 60_000)

it('after a failover, writes and reads reach the new primary although the old one still accepts connections', async () => {
  await writeSetting('before')
  await openAllConnections()
  const promotedDatabase = openPostgresDatabase({ searchFolder: ':memory:', url: replicaPostgres.getUrl() })
  await waitUntilReady(async () =>
    (await selectSettings(promotedDatabase.reader)).some(({ value }) => value === 'before'),
  )
  await executeOnPrimary('alter system set default_transaction_read_only = on')
  await sql`select pg_promote()`.execute(promotedDatabase.primary)
  targetPort = replicaPostgres.port
  await waitUntilReady(() => tryToWriteSetting('after'))
  const settingValues = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const settings = await selectSettings(database.primary)
      return settings.find(({ key }) => key === 'k')?.value
    }),
  )
  expect(new Set(settingValues)).toEqual(new Set(['after']))
  await promotedDatabase.close()
}, 60_000)
