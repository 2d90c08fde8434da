/**
 * Sends every write call of the API contract. After the call was authorized, the profile or the account of the caller
 * is deleted: before the handler starts, or before the first transaction of the handler. The call must not return
 * 500 and must not leave orphaned rows.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROUTES } from '../../../server/app.ts'
import { mountRoutes } from '../../../server/http/mount.ts'
import { deleteAccount } from '../../../server/queries/account.ts'
import { deleteProfile } from '../../../server/queries/profile.ts'
import type { Deps } from '../../../server/services/deps.ts'
import { waitForIdleQueue } from '../../../server/services/history-import/import-queue.ts'
import { findJobWorker } from '../../../server/services/jobs/job-queue.ts'
import type { Endpoint } from '../../../src/lib/contract/endpoint.ts'
import { interceptTransactions } from '../../support/intercept-transactions.ts'
import { startTestServer, type TestServer } from '../../support/server.ts'
import {
  buildWriteRequest,
  createWriteCaller,
  WRITE_CALLS,
  type WriteCaller,
} from '../../support/write-calls.ts'
import { addMovies, createMovieRecord } from '../admin/admin-test-server.ts'

let server: TestServer
/** Id of the movie in the requests of profiles. */
let mediaId = ''
/** Id of the movie that the requests of administrators change and delete. */
let adminMovieId = ''
let profileTables: string[] = []
/** Deletes the profile or account of the caller during the next request. `runDeletion` calls this function once. */
let deletePlannedTarget: () => Promise<void> = async () => {}
let shouldWaitForTransaction = false
let app: ReturnType<typeof mountRoutes>

const runDeletion = async () => {
  const deleteTarget = deletePlannedTarget
  deletePlannedTarget = async () => {}
  await deleteTarget()
}

beforeAll(async () => {
  server = await startTestServer()
  ;[mediaId = '', adminMovieId = ''] = await addMovies({ server }, [
    createMovieRecord(1),
    createMovieRecord(2),
  ])
  await findJobWorker(server.deps)?.stop()
  profileTables = (await server.database.primary.introspection.getTables())
    .filter(({ columns }) => columns.some((column) => column.name === 'profile_id'))
    .map(({ name }) => name)
  const routes = ROUTES.map((route) => ({
    ...route,
    handle: async (call: Parameters<typeof route.handle>[0]) => {
      if (!shouldWaitForTransaction) await runDeletion()
      const { database } = call.deps
      const deps: Deps = shouldWaitForTransaction
        ? {
            ...call.deps,
            database: { ...database, primary: interceptTransactions(database.primary, runDeletion) },
          }
        : call.deps
      lastCallDatabase = deps.database
      return route.handle({ ...call, deps })
    },
  }))
  app = mountRoutes(routes, server.deps)
}, 60_000)
afterAll(() => server.close())

/**
 * Returns the tables that still have rows of a deleted profile. Only tables with a column `profile_id` are searched,
 * so events in the audit log do not count.
 */
async function findTablesWithOrphans({ profileId }: WriteCaller): Promise<string[]> {
  const db = server.database.primary
  const profile = await db
    .selectFrom('profile')
    .select('profile_id')
    .where('profile_id', '=', profileId)
    .executeTakeFirst()
  const orphanTables: string[] = profile ? ['profile'] : []
  // Searches all tables with one statement, because this function runs hundreds of times.
  const selectStatements = profileTables.map(
    (table) => sql`select ${sql.lit(table)} as name from ${sql.table(table)} where profile_id = ${profileId}`,
  )
  const { rows } = await sql<{ name: string }>`${sql.join(selectStatements, sql` union `)}`.execute(db)
  orphanTables.push(...rows.map(({ name }) => name))
  return orphanTables
}

/** The database object of the last call. `waitForIdleQueue` finds the import queue of the call by this object. */
let lastCallDatabase: Deps['database'] | undefined
/** The caller of an earlier request that failed and deleted nothing. The next request uses this caller again. */
let reusableCaller: WriteCaller | undefined

async function sendWithDeletion(endpoint: Endpoint, target: 'profile' | 'account') {
  const caller = reusableCaller ?? (await createWriteCaller(server))
  let isDeleted = false
  deletePlannedTarget = async () => {
    isDeleted = true
    if (target === 'profile') await deleteProfile(server.database.primary, caller.profileId)
    else await deleteAccount(server.database.primary, caller.accountId)
  }
  const { path, init } = buildWriteRequest(
    endpoint,
    caller,
    endpoint.access === 'admin' ? adminMovieId : mediaId,
  )
  const response = await app.request(path, init)
  // The call may have started a history import. Waits until the import has finished, because the import could deadlock
  // with the deletion of the next call. PostgreSQL would then abort one of the two transactions, and the request could
  // return 503.
  if (lastCallDatabase) await waitForIdleQueue(lastCallDatabase)
  reusableCaller = isDeleted || response.ok ? undefined : caller
  const orphanTables = isDeleted ? await findTablesWithOrphans(caller) : []
  return { status: response.status, text: await response.text(), orphans: orphanTables }
}

describe.each(WRITE_CALLS)('%s', (_name, endpoint) => {
  it.each(['handler', 'transaction'])(
    'returns no 500 and leaves no orphaned rows when the profile or account is deleted before the %s starts',
    async (deletionPoint) => {
      shouldWaitForTransaction = deletionPoint === 'transaction'
      for (const target of ['profile', 'account'] as const) {
        const { status, text: responseText, orphans: orphanTables } = await sendWithDeletion(endpoint, target)
        const description = `${target} deleted: ${status} ${responseText}`
        expect(status, description).not.toBe(422)
        expect(status, `${description} ${server.logLines.slice(-2)}`).toBeLessThan(500)
        expect([description, orphanTables]).toEqual([description, []])
      }
    },
  )
})

it('a progress report is answered with 404 if the profile is deleted during the request, and with 401 if the account is deleted', async () => {
  const endpoint = WRITE_CALLS.find(([name]) => name === 'POST /api/profile/{id}/history')?.[1] as Endpoint
  shouldWaitForTransaction = true
  expect((await sendWithDeletion(endpoint, 'profile')).status).toBe(404)
  expect((await sendWithDeletion(endpoint, 'account')).status).toBe(401)
})
