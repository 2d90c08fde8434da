/** How Kysely reaches each database. Only this folder and server/queries/ know Kysely. */
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
import type { KyselyPool, Pool } from './postgres.ts'

/** Below it, two connections that write and checkpoint can corrupt a WAL database. */
const SQLITE_FLOOR = [3, 51, 3] as const
const STATEMENTS_KEPT = 500

/** Pragmas live on the connection, not in the file (`synchronous` reads NORMAL after reopening): set all on each. */
const PRAGMAS = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma foreign_keys = on;
  pragma busy_timeout = 5000;
  pragma trusted_schema = off;
  pragma cell_size_check = on;
  pragma temp_store = memory;
`
/** MB of pages kept by a connection: the writer touches little, lists and details are read by the reader. */
const CACHE_MB = { writer: 16, reader: 64 }

/** Opens a SQLite file with every pragma set. Throws when SQLite itself is too old to be trusted with a WAL. */
export function openSqlite(file: string, { readOnly = false } = {}): DatabaseSync {
  const sqlite = new DatabaseSync(file, { readOnly, enableForeignKeyConstraints: true })
  const version = sqlite.prepare('select sqlite_version() as v').get() as { v: string }
  if (compareVersions(version.v, SQLITE_FLOOR) < 0) {
    sqlite.close()
    throw new Error(`SQLite ${version.v} is too old: ${SQLITE_FLOOR.join('.')} or newer is needed`)
  }
  sqlite.exec(`pragma cache_size = ${-1024 * (readOnly ? CACHE_MB.reader : CACHE_MB.writer)}`)
  sqlite.exec(readOnly ? PRAGMAS.replace(/pragma journal_mode.*;/, 'pragma query_only = on;') : PRAGMAS)
  return sqlite
}

function compareVersions(version: string, floor: readonly number[]): number {
  const parts = version.split('.').map(Number)
  for (const [index, least] of floor.entries()) {
    const difference = (parts[index] ?? 0) - least
    if (difference !== 0) return difference
  }
  return 0
}

/** node:sqlite in the shape that Kysely's SQLite driver expects, with prepared statements kept. */
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
    const kept = this.#statements.get(sql)
    if (kept) return kept
    const statement = new KyselyStatement(this.#sqlite.prepare(sql))
    if (this.#statements.size >= STATEMENTS_KEPT) {
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

/** Transactions take the write lock at once: a read that later writes would otherwise fail with SQLITE_BUSY. */
class ImmediateSqliteDialect extends SqliteDialect {
  /** SQLite does roll back table definitions; Kysely assumes that it cannot. */
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

export function sqliteDialect(sqlite: DatabaseSync): SqliteDialect {
  return new ImmediateSqliteDialect({ database: new KyselySqlite(sqlite) })
}

export function postgresDialect(pool: KyselyPool): PostgresDialect {
  return new PostgresDialect({ pool: pool as unknown as PostgresPool })
}

/** The pool without Kysely, for the search index, whose tables only its engine knows. */
export function plainPostgres(pool: Pool) {
  return {
    async query(text: string, values: unknown[] = []) {
      const client: pg.PoolClient = await pool.connect()
      try {
        return await client.query(text, values)
      } finally {
        client.release()
      }
    },
    async transaction<T>(work: (tx: Pick<pg.PoolClient, 'query'>) => Promise<T>): Promise<T> {
      const client: pg.PoolClient = await pool.connect()
      try {
        await client.query('begin')
        const answer = await work(client)
        await client.query('commit')
        client.release()
        return answer
      } catch (error) {
        const rolledBack = await client.query('rollback').then(
          () => true,
          () => false,
        )
        client.release(!rolledBack)
        throw error
      }
    },
  }
}
