/** Kysely dialects for both databases. Only this folder and server/queries/ import Kysely. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  type PostgresPool,
  type SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteStatement,
} from 'kysely'
import type pg from 'pg'
import type { ConnectionPool, KyselyPool } from './postgres.ts'

/** In older versions, two connections that write and checkpoint at once can corrupt a WAL database. */
const MIN_SQLITE_VERSION = [3, 51, 3] as const
const MAX_CACHED_STATEMENTS = 500

/** Most pragmas belong to the connection, not to the file, so every connection sets all of them. */
const PRAGMAS = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma foreign_keys = on;
  pragma busy_timeout = 5000;
  pragma trusted_schema = off;
  pragma cell_size_check = on;
  pragma temp_store = memory;
`
/** Page cache per connection. The reader needs more, because it serves lists and details. */
const CACHE_MB = { writer: 16, reader: 64 }

/** Opens a SQLite file and sets all pragmas. Throws when the SQLite version is too old to use WAL mode safely. */
export function openSqliteConnection(file: string, { readOnly = false } = {}): DatabaseSync {
  const sqlite = new DatabaseSync(file, { readOnly, enableForeignKeyConstraints: true })
  const version = sqlite.prepare('select sqlite_version() as v').get() as { v: string }
  if (compareVersions(version.v, MIN_SQLITE_VERSION) < 0) {
    sqlite.close()
    throw new Error(
      `SQLite ${version.v} is too old; version ${MIN_SQLITE_VERSION.join('.')} or newer is required`,
    )
  }
  sqlite.exec(`pragma cache_size = ${-1024 * (readOnly ? CACHE_MB.reader : CACHE_MB.writer)}`)
  sqlite.exec(readOnly ? PRAGMAS.replace(/pragma journal_mode.*;/, 'pragma query_only = on;') : PRAGMAS)
  return sqlite
}

function compareVersions(version: string, minimum: readonly number[]): number {
  const parts = version.split('.').map(Number)
  for (const [index, minimumPart] of minimum.entries()) {
    const difference = (parts[index] ?? 0) - minimumPart
    if (difference !== 0) return difference
  }
  return 0
}

/** Adapts node:sqlite to the interface of Kysely's SQLite driver and caches prepared statements. */
class KyselySqlite implements SqliteDatabase {
  readonly #sqlite: DatabaseSync
  readonly #statements = new Map<string, SqliteStatement>()
  constructor(sqlite: DatabaseSync) {
    this.#sqlite = sqlite
  }
  close() {
    this.#statements.clear()
    this.#sqlite.close()
  }
  prepare(sql: string): SqliteStatement {
    const cached = this.#statements.get(sql)
    if (cached) return cached
    const statement = new KyselyStatement(this.#sqlite.prepare(sql))
    if (this.#statements.size >= MAX_CACHED_STATEMENTS) {
      const [oldest] = this.#statements.keys()
      if (oldest !== undefined) this.#statements.delete(oldest)
    }
    this.#statements.set(sql, statement)
    return statement
  }
}

class KyselyStatement implements SqliteStatement {
  readonly reader: boolean
  readonly #statement: StatementSync
  constructor(statement: StatementSync) {
    this.#statement = statement
    this.reader = statement.columns().length > 0
  }
  all(parameters: readonly unknown[]) {
    return this.#statement.all(...(parameters as SQLInputValue[]))
  }
  run(parameters: readonly unknown[]) {
    return this.#statement.run(...(parameters as SQLInputValue[]))
  }
  iterate(parameters: readonly unknown[]) {
    return this.#statement.iterate(...(parameters as SQLInputValue[]))
  }
}

/**
 * Begins transactions with the write lock. Otherwise, a transaction that reads first and writes later fails with
 * SQLITE_BUSY.
 */
class ImmediateSqliteDialect extends SqliteDialect {
  /** SQLite can roll back DDL, although Kysely assumes that it cannot. */
  override createAdapter(): SqliteAdapter {
    return Object.defineProperty(super.createAdapter(), 'supportsTransactionalDdl', {
      value: true,
    }) as SqliteAdapter
  }

  override createDriver(): Driver {
    const driver = super.createDriver()
    driver.beginTransaction = async (connection: DatabaseConnection) => {
      await connection.executeQuery(CompiledQuery.raw('begin immediate'))
    }
    return driver
  }
}

export function createSqliteDialect(sqlite: DatabaseSync): SqliteDialect {
  return new ImmediateSqliteDialect({ database: new KyselySqlite(sqlite) })
}

export function createPostgresDialect(pool: KyselyPool): PostgresDialect {
  return new PostgresDialect({ pool: pool as unknown as PostgresPool })
}

/** Returns PostgreSQL access without Kysely, for the search index, whose tables are not part of the schema types. */
export function createRawPostgres(pool: ConnectionPool) {
  return {
    async query(text: string, values: unknown[] = []) {
      const client: pg.PoolClient = await pool.connect()
      try {
        return await client.query(text, values)
      } finally {
        client.release()
      }
    },
    async transaction<T>(run: (tx: Pick<pg.PoolClient, 'query'>) => Promise<T>): Promise<T> {
      const client: pg.PoolClient = await pool.connect()
      try {
        await client.query('begin')
        const result = await run(client)
        await client.query('commit')
        client.release()
        return result
      } catch (error) {
        const isRolledBack = await client.query('rollback').then(
          () => true,
          () => false,
        )
        client.release(!isRolledBack)
        throw error
      }
    },
  }
}
