/**
 * The process lock of a server start or a database move holds a connection of its own, which may be lost while other
 * connections work.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, openPostgresDatabase } from '../../../server/db/database.ts'
import { withProcessLock } from '../../../server/db/lock.ts'
import { startPostgres, type TestPostgres } from '../../support/postgres.ts'

let postgres: TestPostgres
let database: Database
beforeAll(async () => {
  postgres = await startPostgres()
  database = openPostgresDatabase({ url: postgres.getUrl(), searchFolder: ':memory:' })
}, 60_000)
afterAll(async () => {
  await database.close()
  await postgres.stop()
})

/** Ends the connection that holds the lock, as a firewall does with an idle connection. */
const endLockConnection = () =>
  sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'`.execute(database.primary)

it('withProcessLock returns the result of the work when the connection of the lock was lost, and the lock is free afterwards', async () => {
  const result = await withProcessLock(database, 'start', async () => {
    await endLockConnection()
    return 'complete'
  })
  expect(result).toBe('complete')
  // The pool may return the lost connection once more, until the driver has noticed its end.
  const lockAgain = () => withProcessLock(database, 'start', async () => 'again').catch(() => null)
  await expect.poll(lockAgain).toBe('again')
})

it('withProcessLock throws the error of the work when the connection of the lock was lost', async () => {
  const failingWork = withProcessLock(database, 'start', async () => {
    await endLockConnection()
    throw new Error('the work has failed')
  })
  await expect(failingWork).rejects.toThrow('the work has failed')
})
