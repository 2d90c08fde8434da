/**
 * Databases on the PostgreSQL server of the tests. After a test has closed its database, the database is emptied and
 * reused, because creating a database from the template takes much longer than most tests.
 */
import { randomBytes } from 'node:crypto'
import pg from 'pg'

export const TEMPLATE_DATABASE = 'marquee_template'
/** Number of tests after which a database is replaced, because deleted rows stay in its files. */
const MAX_USES = 25

const buildPostgresUrl = (database: string) =>
  Object.assign(new URL(process.env['MARQUEE_TEST_POSTGRES'] ?? ''), { pathname: `/${database}` }).href

async function withClient<T>(database: string, runWithClient: (client: pg.Client) => Promise<T>): Promise<T> {
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

interface ReusedDatabase extends Awaited<ReturnType<typeof createPostgresDatabase>> {
  useCount: number
}
/** Empty databases that no test of this process uses. */
const idleDatabases: ReusedDatabase[] = []

/** Returns the URL of a migrated database without data, and a function that releases the database for other tests. */
export async function acquirePostgresDatabase(): Promise<{ url: string; release: () => Promise<void> }> {
  const database = idleDatabases.pop() ?? { ...(await createPostgresDatabase()), useCount: 0 }
  const releaseDatabase = async () => {
    database.useCount += 1
    if (database.useCount < MAX_USES && (await resetDatabase(database.name))) idleDatabases.push(database)
    else await database.drop()
  }
  return { url: database.url, release: releaseDatabase }
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
const SELECT_SEQUENCES = `select quote_ident(sequencename) as name, last_value::text as value from pg_sequences`

interface TemplateState {
  schemaHash: string
  /** Rows as JSON by the name of the table, without empty tables. */
  rowsJsonByTable: Map<string, string>
  tables: string[]
  /** SQL that resets all sequences. */
  resetSequencesSql: string
}
let templateState: Promise<TemplateState> | undefined

const readSchemaHash = async (client: pg.Client): Promise<string> =>
  (await client.query(SELECT_SCHEMA_HASH)).rows[0].hash

/** Reads the template through a copy, because a database with a connection cannot be a template. */
async function readTemplate(): Promise<TemplateState> {
  const copiedDatabase = await createPostgresDatabase()
  const copiedState = await withClient(copiedDatabase.name, async (client) => {
    const tables = (await client.query(SELECT_TABLES)).rows.map(({ name }) => name as string)
    const rowsJsonByTable = new Map<string, string>()
    for (const table of tables) {
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
      tables,
      resetSequencesSql,
    }
  })
  await copiedDatabase.drop()
  return copiedState
}

/** Makes a database equal to the template. Returns false if a test changed something other than rows. */
async function resetDatabase(databaseName: string): Promise<boolean> {
  templateState ??= readTemplate()
  const { schemaHash, rowsJsonByTable, tables, resetSequencesSql } = await templateState
  await executeOnPostgresServer(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${databaseName}'`,
  )
  return withClient(databaseName, async (client) => {
    if ((await readSchemaHash(client)) !== schemaHash) return false
    // Disables all triggers, including those of foreign keys, so that the order of the tables does not matter.
    await client.query('set session_replication_role = replica')
    await client.query(
      `begin; ${tables.map((table) => `delete from ${table}`).join(';')}; ${resetSequencesSql}`,
    )
    for (const [table, json] of rowsJsonByTable)
      await client.query(
        `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, $1)`,
        [json],
      )
    await client.query('commit')
    return true
  })
}
