/**
 * Kysely dialect of SQLite. All statements and transactions use the same connection, one after the other. Waiting for
 * the lock of another process does not block the event loop.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteStatement,
} from 'kysely'
import { DatabaseUnavailableError, isSqliteLocked } from '../core/database-unavailable.ts'
import { createMoveCheck } from './moved-file.ts'

const MAX_CACHED_STATEMENTS = 500
/** Maximum wait for the lock of another process. After that, the statement fails with SQLITE_BUSY. */
const LOCK_TIMEOUT_MS = 5_000
const LOCK_RETRY_DELAYS_MS = [1, 2, 5, 10, 20]
/** Statements that write, or that begin a transaction. */
const WRITE_PATTERN = /^\s*(?:insert|update|delete|replace|begin)\b/i

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
    const cachedStatement = this.#statements.get(sql)
    if (cachedStatement) return cachedStatement
    const statement = new KyselyStatement(this.#sqlite.prepare(sql))
    if (this.#statements.size >= MAX_CACHED_STATEMENTS) {
      const [oldestSql] = this.#statements.keys()
      if (oldestSql !== undefined) this.#statements.delete(oldestSql)
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
 * Gives the connection to one statement or transaction at a time, in the order of their requests. Kysely's own mutex is
 * not used, because it cannot be released while a statement waits for the lock of another process.
 */
class ConnectionQueue {
  #lastRelease = Promise.resolve()
  #release: () => void = () => {}

  async acquire(): Promise<void> {
    const previousRelease = this.#lastRelease
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#lastRelease = promise
    await previousRelease
    this.#release = resolve
  }

  release(): void {
    this.#release()
  }
}

/**
 * Extends Kysely's SQLite driver. Transactions start with the write lock, because a transaction that reads first and
 * writes later can fail with SQLITE_BUSY. While a statement waits for the lock of another process, other statements can
 * use the connection. When the disk is full or fails, SQLite itself ends the transaction. All further statements of the
 * transaction and its commit then fail too, so that a transaction is never stored partially. Writes also fail after the
 * file of the database was deleted, moved or replaced (moved-file.ts).
 */
function createDriver(driver: Driver, sqlite: DatabaseSync): Driver {
  const queue = new ConnectionQueue()
  const extendedConnections = new WeakSet<DatabaseConnection>()
  const assertUnmoved = createMoveCheck(sqlite)
  let isTransactionOpen = false
  const extendConnection = (connection: DatabaseConnection) => {
    const executeQuery = connection.executeQuery.bind(connection)
    connection.executeQuery = async <R>(query: CompiledQuery) => {
      // For a transaction, the file is checked only at `begin` and at `commit`.
      if (isTransactionOpen ? query.sql === 'commit' : WRITE_PATTERN.test(query.sql)) assertUnmoved()
      if (isTransactionOpen) {
        if (!sqlite.isTransaction) throw new DatabaseUnavailableError('SQLite has ended the transaction')
        return executeQuery<R>(query)
      }
      const endMs = performance.now() + LOCK_TIMEOUT_MS
      for (let attempt = 0; ; attempt += 1) {
        try {
          return await executeQuery<R>(query)
        } catch (error) {
          if (!isSqliteLocked(error) || performance.now() > endMs) throw error
        }
        queue.release()
        await pause(LOCK_RETRY_DELAYS_MS[attempt] ?? LOCK_RETRY_DELAYS_MS.at(-1))
        await queue.acquire()
      }
    }
    extendedConnections.add(connection)
  }
  const acquireConnection = driver.acquireConnection.bind(driver)
  return Object.assign(driver, {
    async acquireConnection() {
      await queue.acquire()
      try {
        const connection = await acquireConnection()
        if (!extendedConnections.has(connection)) extendConnection(connection)
        return connection
      } catch (error) {
        queue.release()
        throw error
      }
    },
    async releaseConnection() {
      queue.release()
    },
    async beginTransaction(connection: DatabaseConnection) {
      await connection.executeQuery(CompiledQuery.raw('begin immediate'))
      isTransactionOpen = true
    },
    async commitTransaction(connection: DatabaseConnection) {
      await connection.executeQuery(CompiledQuery.raw('commit'))
      isTransactionOpen = false
    },
    async rollbackTransaction(connection: DatabaseConnection) {
      try {
        if (sqlite.isTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'))
      } finally {
        isTransactionOpen = false
      }
    },
  })
}

class QueuedSqliteDialect extends SqliteDialect {
  readonly #sqlite: DatabaseSync
  constructor(sqlite: DatabaseSync) {
    super({ database: new KyselySqlite(sqlite) })
    this.#sqlite = sqlite
  }

  /**
   * Returns Kysely's adapter with two changes. Kysely assumes that SQLite cannot roll back DDL, but SQLite can.
   * `supportsMultipleConnections` turns off Kysely's mutex, which `ConnectionQueue` replaces.
   */
  override createAdapter(): SqliteAdapter {
    return Object.defineProperties(super.createAdapter(), {
      supportsTransactionalDdl: { value: true },
      supportsMultipleConnections: { value: true },
    }) as SqliteAdapter
  }

  override createDriver(): Driver {
    return createDriver(super.createDriver(), this.#sqlite)
  }
}

/**
 * Returns the dialect for a connection. Disables the busy timeout of the connection, because SQLite would block the
 * event loop while it waits for a lock.
 */
export function createSqliteDialect(sqlite: DatabaseSync): SqliteDialect {
  sqlite.exec('pragma busy_timeout = 0')
  return new QueuedSqliteDialect(sqlite)
}
