/**
 * Databases on the PostgreSQL server of the tests. After a test has closed its database, the database is emptied and
 * reused, because creating a database from the template takes much longer than most tests. The connections are also
 * reused, because the first statements of a new connection take several times as long as later ones.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { ConnectionPool } from '../../server/db/postgres.ts'

export const TEMPLATE_DATABASE = 'marquee_template'
/** Number of tests after which a database is replaced, because deleted rows stay in its files. */
const MAX_USES_PER_DATABASE = 25

const buildPostgresUrl = (database: string) =>
  Object.assign(new URL(process.env['MARQUEE_TEST_POSTGRES'] ?? ''), { pathname: `/${database}` }).href

/** Calls `runWithClient` with a connection to a database of the test server, and then closes the connection. */
export async function withClient<T>(
  database: string,
  runWithClient: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: buildPostgresUrl(database) })
  await client.connect()
  try {
    return await runWithClient(client)
  } finally {
    await client.end()
  }
}

/** Executes one statement on the test server, outside any test database. */
export const executeOnPostgresServer = (statement: string): Promise<unknown> =>
  withClient('postgres', (client) => client.query(statement))

/** Creates a migrated database on the test server, as a copy of `template`. `drop` deletes the database. */
export async function createPostgresDatabase(template = TEMPLATE_DATABASE): Promise<{
  name: string
  url: string
  drop: () => Promise<unknown>
}> {
  const name = `t_${randomBytes(8).toString('hex')}`
  await executeOnPostgresServer(`create database ${name} template ${template}`)
  return {
    name,
    url: buildPostgresUrl(name),
    drop: () => executeOnPostgresServer(`drop database if exists ${name} with (force)`),
  }
}

/** A pool that stays open when a database that uses it is closed. */
class ReusedPool extends ConnectionPool {
  override async end(): Promise<void> {}

  endPool(): Promise<void> {
    return super.end()
  }
}

interface ReusedDatabase extends Awaited<ReturnType<typeof createPostgresDatabase>> {
  pool: ReusedPool
  useCount: number
}
/** Empty databases that no test of this process uses. */
const idleDatabases: ReusedDatabase[] = []

async function createReusedDatabase(): Promise<ReusedDatabase> {
  const database = await createPostgresDatabase()
  return { ...database, pool: new ReusedPool({ url: database.url }), useCount: 0 }
}

export interface AcquiredDatabase {
  url: string
  /** Pool with connections to the database, for tests that need no pool of their own. */
  pool: ConnectionPool
  /** Releases the database for other tests. */
  release: () => Promise<void>
}

/** Returns a migrated database without data. */
export async function acquirePostgresDatabase(): Promise<AcquiredDatabase> {
  const database = idleDatabases.pop() ?? (await createReusedDatabase())
  const releaseDatabase = async () => {
    database.useCount += 1
    if (database.useCount < MAX_USES_PER_DATABASE && (await resetDatabase(database.pool))) {
      idleDatabases.push(database)
      return
    }
    await database.pool.endPool()
    await database.drop()
  }
  return { url: database.url, pool: database.pool, release: releaseDatabase }
}

/**
 * Selects a hash of the schema and the settings of a database: tables, columns, indexes, triggers, functions and
 * rights, but no rows.
 */
const SELECT_SCHEMA_HASH = `
  select md5(string_agg(part, '|' order by part)) as hash from (
    select concat('class ', oid, relname, relkind, relacl) as part from pg_class where relnamespace = 'public'::regnamespace
    union all
    select concat('column ', attrelid, attnum, attname, atttypid, attnotnull) from pg_attribute
      join pg_class on pg_class.oid = attrelid where relnamespace = 'public'::regnamespace
    union all
    select concat('trigger ', oid, tgenabled) from pg_trigger
    union all
    select concat('function ', oid) from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select concat('setting ', setconfig) from pg_db_role_setting
  ) as parts`
const SELECT_TABLES = `select quote_ident(relname) as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind = 'r'`
/** Selects the tables that have rows or had rows. The file of a table that never had a row is empty. */
const SELECT_USED_TABLES = `${SELECT_TABLES} and pg_relation_size(oid) > 0`
const SELECT_SEQUENCES = `select quote_ident(sequencename) as name, last_value::text as value from pg_sequences`

interface TemplateState {
  schemaHash: string
  /** Rows as JSON by the name of the table, without empty tables. */
  rowsJsonByTable: Map<string, string>
  /** SQL that resets all sequences. */
  resetSequencesSql: string
}
let templateState: Promise<TemplateState> | undefined

const selectNames = async (client: pg.ClientBase, selectSql: string): Promise<string[]> =>
  (await client.query<{ name: string }>(selectSql)).rows.map(({ name }) => name)

const readSchemaHash = async (client: pg.ClientBase): Promise<string> =>
  (await client.query(SELECT_SCHEMA_HASH)).rows[0].hash

/** Reads the template through a copy, because a database with a connection cannot be a template. */
async function readTemplate(): Promise<TemplateState> {
  const copiedDatabase = await createPostgresDatabase()
  const copiedState = await withClient(copiedDatabase.name, async (client) => {
    const rowsJsonByTable = new Map<string, string>()
    for (const table of await selectNames(client, SELECT_TABLES)) {
      const { json } = (await client.query(`select json_agg(t)::text as json from ${table} as t`)).rows[0]
      if (json) rowsJsonByTable.set(table, json)
    }
    const sequences = (await client.query(SELECT_SEQUENCES)).rows as { name: string; value: string | null }[]
    const resetSequencesSql = sequences
      .map(({ name, value }) => `select setval('${name}', ${value ?? 1}, ${value !== null})`)
      .join(';')
    return {
      schemaHash: await readSchemaHash(client),
      rowsJsonByTable,
      resetSequencesSql,
    }
  })
  await copiedDatabase.drop()
  return copiedState
}

const CHECK_INTERVAL_MS = 5

/** Returns all connections of a pool, after the last statements of the test are complete. */
async function takeAllClients(pool: ConnectionPool): Promise<pg.PoolClient[]> {
  while (pool.idleCount < pool.totalCount || pool.waitingCount > 0) await pause(CHECK_INTERVAL_MS)
  return Promise.all(Array.from({ length: Math.max(1, pool.totalCount) }, () => pool.connect()))
}

/** Makes a database equal to the template. Returns false if a test changed something other than rows. */
async function resetDatabase(pool: ConnectionPool): Promise<boolean> {
  templateState ??= readTemplate()
  const template = await templateState
  const clients = await takeAllClients(pool)
  try {
    const keptBackendIds = await Promise.all(clients.map(resetSession))
    return await resetRows(clients[0] as pg.PoolClient, keptBackendIds, template)
  } finally {
    for (const client of clients) client.release()
  }
}

/**
 * Removes what a test can leave in a session, except prepared statements. Returns the id of the process that serves the
 * session.
 */
async function resetSession(client: pg.PoolClient): Promise<number> {
  await client.query('discard temp; reset all; unlisten *')
  return (await client.query('select pg_advisory_unlock_all(), pg_backend_pid() as pid')).rows[0].pid
}

/**
 * Terminates the connections to the database that are not served by one of the processes `keptBackendIds`, and restores
 * the rows of the template. Returns false, and changes no rows, when the schema differs from the template.
 */
async function resetRows(
  client: pg.PoolClient,
  keptBackendIds: readonly number[],
  { schemaHash, rowsJsonByTable, resetSequencesSql }: TemplateState,
): Promise<boolean> {
  await client.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and pid <> all($1)`,
    [keptBackendIds],
  )
  if ((await readSchemaHash(client)) !== schemaHash) return false
  const tables = await selectNames(client, SELECT_USED_TABLES)
  // Disables all triggers, including those of foreign keys, so that the order of the tables does not matter.
  await client.query(
    `begin; set local session_replication_role = replica; ${tables.map((table) => `delete from ${table}`).join(';')}; ${resetSequencesSql}`,
  )
  for (const [table, json] of rowsJsonByTable)
    await client.query(
      `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, $1)`,
      [json],
    )
  await client.query('commit')
  return true
}
