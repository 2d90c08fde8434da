/**
 * PostgreSQL connection pools with prepared statements. Every wait has a timeout, except statements when `usesTimeouts`
 * is false.
 */
import { createHash } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { APPLICATION_NAME } from '../core/application-name.ts'
import {
  DatabaseConnectionError,
  DatabaseUnavailableError,
  isDatabaseUnavailable,
} from '../core/database-unavailable.ts'

/**
 * By default, the driver returns 64-bit integers and numerics as text. These parsers return numbers, because all
 * integers of the database are below 2^53.
 */
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)

/**
 * The server cancels a statement after STATEMENT_TIMEOUT_MS. The client waits slightly longer, in case the server does
 * not respond.
 */
const STATEMENT_TIMEOUT_MS = 10_000
const QUERY_TIMEOUT_MS = 12_000
const CLIENT_TIMEOUTS_MS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  query_timeout: QUERY_TIMEOUT_MS,
  idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
}
const CONNECT_TIMEOUT_MS = 3_000
/** Maximum number of requests that wait for a connection. Further requests fail with `DatabaseUnavailableError`. */
const MAX_WAITING_REQUESTS = 200
/**
 * Delays before the retries of a failed connection attempt, for example while PostgreSQL restarts. A retry is safe,
 * because no statement has run yet.
 */
const CONNECT_RETRY_DELAYS_MS = [50, 200]
/**
 * Maximum number of prepared statements per connection, because each uses memory on the server. Further statements run
 * unprepared.
 */
const MAX_PREPARED_STATEMENTS = 400

/**
 * Errors after which a connection must be closed. Either the statement may still be running and would block the next
 * statement, or a migration changed a table that the prepared statements of the connection use.
 */
const UNUSABLE_CONNECTION_ERROR_PATTERN = /^(Query read timeout|cached plan must not change result type)/

/**
 * SQLSTATE of a write on a server that accepts no writes. After a failover, it means that the connection still leads to
 * the previous primary, while new connections reach the new one.
 */
const READ_ONLY_SQLSTATE = '25006'
/**
 * After an error with READ_ONLY_SQLSTATE, all connections are closed except those that were opened less than this time
 * before the error. The only server can be read-only, for example because its disk is full. Without this exception,
 * each failed write would then close all connections.
 */
const MIN_CONNECTION_AGE_MS = 2_000
/** Event of a client whose statement has failed with READ_ONLY_SQLSTATE. */
const READ_ONLY_EVENT = 'marquee-read-only'

/**
 * Assigns a name to each statement text when it occurs for the second time, so that only repeated statements are
 * prepared.
 */
class StatementNames {
  /** Name by statement text; null for a text that has occurred once. */
  readonly #names = new Map<string, string | null>()
  #nameCount = 0

  getStatementName(text: string): string | undefined {
    if (!/^(select|insert|update|delete|with)\b/i.test(text)) return undefined
    const statementName = this.#names.get(text)
    if (statementName) return statementName
    if (statementName === undefined) {
      if (this.#names.size < MAX_PREPARED_STATEMENTS * 10) this.#names.set(text, null)
      return undefined
    }
    if (this.#nameCount >= MAX_PREPARED_STATEMENTS) return undefined
    this.#nameCount += 1
    const newStatementName = `m_${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`
    this.#names.set(text, newStatementName)
    return newStatementName
  }
}

/**
 * A client that prepares repeated statements. It closes its connection after an error that matches
 * UNUSABLE_CONNECTION_ERROR_PATTERN, and emits READ_ONLY_EVENT when the server accepts no writes.
 */
class PreparingClient extends pg.Client {
  static readonly statementNames = new StatementNames()
  readonly openedAtMs = performance.now()

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg; only calls with text and values are handled here
  override query(...queryArguments: any[]): any {
    const [text, values] = queryArguments
    if (typeof text !== 'string' || !Array.isArray(values) || queryArguments.length !== 2)
      return super.query(...(queryArguments as [string]))
    const statementName = PreparingClient.statementNames.getStatementName(text)
    return super
      .query({ text, values, ...(statementName && { name: statementName }) })
      .catch((error: unknown) => {
        if (error instanceof Error && UNUSABLE_CONNECTION_ERROR_PATTERN.test(error.message))
          this.#closeConnection()
        if ((error as { code?: unknown }).code === READ_ONLY_SQLSTATE) this.emit(READ_ONLY_EVENT)
        throw error
      })
  }

  #closeConnection(): void {
    ;(this as unknown as { connection: { stream: { destroy: () => void } } }).connection.stream.destroy()
  }
}

export interface ConnectionPoolOptions {
  url: string
  /** Maximum number of connections of this pool. A process can have several pools. The default is 10. */
  maxConnections?: number
  /** False disables the statement timeouts, for migrations. The default is true. */
  usesTimeouts?: boolean
  /** Called when an established connection fails, whether it is idle or in use. */
  onError?: (error: Error) => void
}

/**
 * Removes `application_name` from the URL. The name in the URL would override APPLICATION_NAME, by which a restore
 * detects the running server.
 */
function removeApplicationName(databaseUrl: string): string {
  if (!databaseUrl.includes('application_name')) return databaseUrl
  const url = new URL(databaseUrl)
  url.searchParams.delete('application_name')
  return url.href
}

const buildClientOptions = (url: string) => ({
  connectionString: removeApplicationName(url),
  application_name: APPLICATION_NAME,
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  keepAlive: true,
})

/** Opens a connection without timeouts of statements. The caller must close it. */
export async function connectWithoutTimeouts(
  url: string,
  onError: (error: Error) => void,
): Promise<pg.Client> {
  const client = new pg.Client(buildClientOptions(url))
  client.on('error', onError)
  await client.connect()
  return client
}

export class ConnectionPool extends pg.Pool {
  /** Connections that were opened before this time are closed instead of being used again. */
  #outdatedBeforeMs = 0

  constructor({ url, maxConnections = 10, usesTimeouts = true, onError = () => {} }: ConnectionPoolOptions) {
    super({
      ...buildClientOptions(url),
      Client: PreparingClient,
      max: maxConnections,
      idleTimeoutMillis: 30_000,
      ...(usesTimeouts && CLIENT_TIMEOUTS_MS),
    })
    // Without a listener, the error event of a PostgreSQL restart would crash this process.
    this.on('error', onError)
    this.on('connect', (client) => {
      client.on('error', onError)
      // The driver's types do not list events of subclasses.
      ;(client as unknown as EventEmitter).on(READ_ONLY_EVENT, () => {
        this.#outdatedBeforeMs = performance.now() - MIN_CONNECTION_AGE_MS
      })
    })
  }

  /**
   * Returns a connection. Throws `DatabaseUnavailableError` when too many requests are waiting for a connection, and an
   * error for which `isDatabaseUnavailable` is true when no connection can be opened. The `pg` library itself calls
   * this method with a callback.
   */
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg
  override connect(callback?: any): any {
    const pendingConnection = this.#connect()
    if (!callback) return pendingConnection
    pendingConnection.then(
      (client) => callback(undefined, client, client.release),
      (error) => callback(error),
    )
  }

  async #connect(): Promise<pg.PoolClient> {
    for (const retryDelayMs of [...CONNECT_RETRY_DELAYS_MS, null]) {
      if (this.waitingCount >= MAX_WAITING_REQUESTS)
        throw new DatabaseUnavailableError('too many requests wait for a database connection')
      try {
        return await this.#connectCurrent()
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw new DatabaseConnectionError(error)
        if (retryDelayMs === null || this.ending || /timeout/.test(String(error))) throw error
        await pause(retryDelayMs)
      }
    }
    throw new DatabaseUnavailableError('no database connection')
  }

  /** Returns a connection that is not outdated. Closes the outdated connections that the pool returns before it. */
  async #connectCurrent(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await super.connect()
      if ((client as unknown as PreparingClient).openedAtMs >= this.#outdatedBeforeMs) return client
      client.release(true)
    }
  }
}

/** The methods of a pool that Kysely calls. */
export interface KyselyPool {
  connect(): Promise<PostgresPoolClient>
  end(): Promise<void>
}

/**
 * Returns a pool for single read statements. `chooseReadPool` selects the pool for each statement. A statement that
 * fails with a temporary error (`isDatabaseUnavailable`) is retried on `fallbackPool`, unless overload caused the
 * error. Transactions are not supported.
 */
export function createReadPool(
  chooseReadPool: () => ConnectionPool,
  fallbackPool: ConnectionPool,
): KyselyPool {
  const query = async (pool: ConnectionPool, text: string, values: readonly unknown[]) => {
    const client: pg.PoolClient = await pool.connect()
    try {
      return await client.query(text, values as unknown[])
    } finally {
      client.release()
    }
  }
  const client = {
    async query(text: string, values: readonly unknown[] = []) {
      try {
        return await query(chooseReadPool(), text, values)
      } catch (error) {
        if (!isDatabaseUnavailable(error) || isOverloadError(error)) throw error
        return query(fallbackPool, text, values)
      }
    },
    release() {},
  }
  return { connect: async () => client as unknown as PostgresPoolClient, end: async () => {} }
}

/**
 * True for errors that an overloaded server causes: timeouts, and a full queue for connections. A retry would add to
 * the load.
 */
function isOverloadError(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError) return !(error instanceof DatabaseConnectionError)
  const { code, message } = error as { code?: string; message: string }
  return code === '57014' || message === 'Query read timeout' || /trying to connect/.test(message)
}
