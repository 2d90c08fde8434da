/** Connections to PostgreSQL: pooled, prepared, every wait bounded. */
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { isUnavailable, Unavailable } from './unavailable.ts'

/** PostgreSQL gives 64-bit integers as text; ours (milliseconds, counts) are all below 2^53. */
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number)

/** The server stops a statement after this; the client gives up a little later, in case the server is no more. */
const STATEMENT_MS = 10_000
const ANSWER_MS = 12_000
const LIMITS = {
  statement_timeout: STATEMENT_MS,
  query_timeout: ANSWER_MS,
  idle_in_transaction_session_timeout: STATEMENT_MS,
}
const CONNECT_MS = 3_000
/** Requests that may wait for a connection; more are told to come back. */
const WAITING = 200
/** Getting a connection changes nothing, so it may be tried again: while PostgreSQL restarts, say. */
const CONNECT_AGAIN_MS = [50, 200]
/** Statements seen a second time are prepared, up to so many on a connection (each costs the server memory). */
const PREPARED = 400

/**
 * After these a connection is of no use: the statement may still run, and whoever came next would wait behind it; or a
 * migration elsewhere changed a table that it has prepared statements on.
 */
const ENDS = /^(Query read timeout|cached plan must not change result type)/

/** Names of statements that come back; `in (…)` lists of every length are not worth keeping. */
class Names {
  readonly #seen = new Map<string, string | null>()

  of(text: string): string | undefined {
    if (!/^(select|insert|update|delete|with)\b/i.test(text)) return undefined
    const name = this.#seen.get(text)
    if (name) return name
    if (name === undefined) {
      if (this.#seen.size < PREPARED * 10) this.#seen.set(text, null)
      return undefined
    }
    if (this.#named >= PREPARED) return undefined
    this.#named += 1
    const made = `m_${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`
    this.#seen.set(text, made)
    return made
  }
  #named = 0
}

/** A client that prepares what it is asked often, and that is thrown away once an answer did not come. */
class PreparingClient extends pg.Client {
  static readonly names = new Names()

  // biome-ignore lint/suspicious/noExplicitAny: pg's own overloads; with values given we take over, else pg answers
  override query(...args: any[]): any {
    const [text, values] = args
    if (typeof text !== 'string' || !Array.isArray(values) || args.length !== 2)
      return super.query(...(args as [string]))
    const name = PreparingClient.names.of(text)
    return super.query({ text, values, ...(name && { name }) }).catch((error: unknown) => {
      if (error instanceof Error && ENDS.test(error.message)) this.#cut()
      throw error
    })
  }

  #cut(): void {
    ;(this as unknown as { connection: { stream: { destroy: () => void } } }).connection.stream.destroy()
  }
}

export interface PoolOptions {
  url: string
  /** Connections of this process. */
  size?: number
  /** False for migrations, which may take their time. */
  hurried?: boolean
  /** Hears what happens on connections that nobody uses at the moment. */
  onError?: (error: Error) => void
}

export class Pool extends pg.Pool {
  constructor({ url, size = 10, hurried = true, onError = () => {} }: PoolOptions) {
    super({
      connectionString: url,
      Client: PreparingClient,
      application_name: 'marquee',
      max: size,
      connectionTimeoutMillis: CONNECT_MS,
      idleTimeoutMillis: 30_000,
      ...(hurried && LIMITS),
      keepAlive: true,
    })
    // Without a listener, a restart of PostgreSQL would end this process.
    this.on('error', onError)
    this.on('connect', (client) => client.on('error', onError))
  }

  /** Throws `Unavailable` at once when too many wait already. With `done`, as `pg` itself asks for `query`. */
  // biome-ignore lint/suspicious/noExplicitAny: pg's own overloads
  override connect(done?: any): any {
    const connected = this.#connect()
    if (!done) return connected
    connected.then(
      (client) => done(undefined, client, client.release),
      (error) => done(error),
    )
  }

  async #connect(): Promise<pg.PoolClient> {
    for (const wait of [...CONNECT_AGAIN_MS, null]) {
      if (this.waitingCount >= WAITING) throw new Unavailable('too many wait for a connection')
      try {
        return await super.connect()
      } catch (error) {
        if (wait === null || !isUnavailable(error) || this.ending || /timeout/.test(String(error)))
          throw error
        await pause(wait)
      }
    }
    throw new Unavailable('no connection')
  }
}

/** What Kysely needs of a pool. */
export interface KyselyPool {
  connect(): Promise<PostgresPoolClient>
  end(): Promise<void>
}

/**
 * For statements that only read and stand alone: each may be asked again elsewhere when its connection fails.
 * `choose` names the pool for each connection; `otherwise` is asked when that one fails.
 */
export function readingPool(choose: () => Pool, otherwise: Pool): KyselyPool {
  const query = async (pool: Pool, text: string, values: readonly unknown[]) => {
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
        return await query(choose(), text, values)
      } catch (error) {
        if (!isUnavailable(error) || isOurs(error)) throw error
        return query(otherwise, text, values)
      }
    },
    release() {},
  }
  return { connect: async () => client as unknown as PostgresPoolClient, end: async () => {} }
}

/** The server is there and said no, or too many wait here: asking again would only add to the load. */
function isOurs(error: unknown): boolean {
  if (error instanceof Unavailable) return true
  const { code, message } = error as { code?: string; message: string }
  return code === '57014' || message === 'Query read timeout' || /trying to connect/.test(message)
}
