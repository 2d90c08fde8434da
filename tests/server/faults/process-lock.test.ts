/**
 * The process lock of a server start or a database move holds a connection of its own, which may be lost while other
 * connections work.
 */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Database, openPostgresDatabase } from '../../../server/db/database.ts'
import { withProcessLock } from '../../../server/db/lock.ts'
import { startPostgres, type TestPostgres } from '../../support/postgres.ts'

let postgres: TestPostgres
let database: Database
beforeAll(async () => {
  postgres = await startPostgres()
}, 60_000)
afterAll(() => postgres.stop())

// Each test has connections of its own, because a pool may return a lost connection until the driver has noticed that
// the connection is lost.
beforeEach(() => {
  database = openPostgresDatabase({ url: postgres.getUrl(), searchFolder: ':memory:' })
})
afterEach(() => database.close())

/** Ends the connection that holds the lock, as a firewall does with an idle connection. */
const endLockConnection = () =>
  sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'`.execute(database.primary)

it('withProcessLock returns the result of the work even if the database connection that holds the lock is lost, and a later call gets the lock', async () => {
  const result = await withProcessLock(database, 'start', async () => {
    await endLockConnection()
    return 'complete'
  })
  expect(result).toBe('complete')
  const lockAgain = () => withProcessLock(database, 'start', async () => 'again').catch(() => null)
  await expect.poll(lockAgain).toBe('again')
})

it('withProcessLock throws the error of the work even if the database connection that holds the lock is lost', async () => {
  const failingWorkPromise = withProcessLock(database, 'start', async () => {
    await endLockConnection()
    throw new Error('the work has failed')
  })
  await expect(failingWorkPromise).rejects.toThrow('the work has failed')
})

it('withProcessLock reports once that it waits for another process, and then runs the work', async () => {
  const firstWork = Promise.withResolvers<void>()
  const firstStart = Promise.withResolvers<void>()
  const firstLockPromise = withProcessLock(database, 'start', () => {
    firstStart.resolve()
    return firstWork.promise
  })
  await firstStart.promise
  let reportCount = 0
  const onLongWait = () => {
    reportCount += 1
    // Delays the end of the first work, so that the second attempt to get the lock fails too. The second failure must
    // not be reported.
    setTimeout(firstWork.resolve, 300)
  }
  const secondLockPromise = withProcessLock(database, 'start', async () => 'second', {
    onLongWait,
    reportWaitAfterMs: 0,
  })
  expect([await firstLockPromise, await secondLockPromise, reportCount]).toEqual([undefined, 'second', 1])
})
