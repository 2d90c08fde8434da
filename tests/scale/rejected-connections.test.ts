/** PostgreSQL rejects new connections of the server: the password, a right of the role or the database name changed. */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toProblem } from '../../server/core/problem.ts'
import { type Database, openPostgresDatabase } from '../../server/db/database.ts'
import { startPostgres, type TestPostgres } from '../support/postgres.ts'
import { waitUntilReady } from '../support/test-service.ts'

const DATABASE_NAME = 'household'
/** This role administers the server while the role of the product is rejected. */
const ADMINISTRATOR_ROLE = 'marquee'
let postgres: TestPostgres
let database: Database

const executeAsAdministrator = async (statement: string) => {
  const client = new pg.Client({ connectionString: postgres.getUrl() })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
/** Closes the open connections, so that the next statement opens a new one. */
const closeConnections = () =>
  executeAsAdministrator(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${DATABASE_NAME}'`,
  )
const selectOne = () => sql<{ one: number }>`select 1 as one`.execute(database.primary)
const isSelectSuccessful = () =>
  selectOne().then(
    () => true,
    () => false,
  )

beforeAll(async () => {
  postgres = await startPostgres()
  await executeAsAdministrator(`create role viewer login password 'first'`)
  await executeAsAdministrator(`create database ${DATABASE_NAME} owner viewer`)
  const [folder] = await executeAsAdministrator('show data_directory')
  // PostgreSQL uses the first matching line of `hba_file`. The lines that initdb has written to pg_hba.conf would match
  // before the lines of the test, so the test uses another file.
  await executeAsAdministrator(
    `alter system set hba_file = '${join(folder.data_directory, 'passwords.conf')}'`,
  )
  appendFileSync(
    join(folder.data_directory, 'passwords.conf'),
    `host all ${ADMINISTRATOR_ROLE} all trust\nhost all viewer all scram-sha-256\n`,
  )
  await postgres.crash()
  await postgres.start()
  const url = new URL(postgres.getUrl(DATABASE_NAME))
  url.username = 'viewer'
  url.password = 'first'
  database = openPostgresDatabase({ searchFolder: ':memory:', url: url.href })
}, 120_000)
afterAll(async () => {
  await database.close()
  await postgres.stop()
})

describe('during a fault, the error of a statement counts as an unavailable database (503), and after the fault, a statement succeeds', () => {
  it.each([
    [
      'the password of the role was changed',
      `alter role viewer password 'second'`,
      `alter role viewer password 'first'`,
    ],
    ['the role may not log in', 'alter role viewer nologin', 'alter role viewer login'],
    [
      'the database was renamed',
      `alter database ${DATABASE_NAME} rename to away`,
      `alter database away rename to ${DATABASE_NAME}`,
    ],
  ])('%s', async (_name, faultStatement, endStatement) => {
    await selectOne()
    await waitUntilReady(async () => {
      await closeConnections()
      return executeAsAdministrator(faultStatement).then(
        () => true,
        () => false,
      )
    })
    try {
      await closeConnections()
      await waitUntilReady(async () => !(await isSelectSuccessful()))
      const error = await selectOne().catch((caughtError: unknown) => caughtError)
      const { status, retryAfterSeconds } = toProblem(error)
      expect({ status, retryAfterSeconds }).toEqual({ status: 503, retryAfterSeconds: 2 })
      expect(error).toMatchObject({ code: expect.stringMatching(/^(28P01|28000|3D000)$/) })
    } finally {
      await executeAsAdministrator(endStatement)
    }
    await selectOne()
  })
})
