import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import {
  type Dialect,
  Kysely,
  type LogEvent,
  PostgresDialect,
  type PostgresPool,
  type Transaction,
} from 'kysely'
import type { Client } from 'pg'
import { ConnectionPool, connectWithoutTimeouts, createReadPool, type KyselyPool } from './postgres.ts'
import { monitorReplica } from './replica-monitor.ts'
import type { DatabaseSchema } from './schema.ts'
import { openSearch, type SearchFields } from './search-file.ts'
import { openSqliteConnection } from './sqlite-connection.ts'
import { createSqliteDialect } from './sqlite-dialect.ts'
import { createStorageMonitor, type StorageMonitor } from './storage-monitor.ts'

export type Db = Kysely<DatabaseSchema>
/**
 * Parameter type of functions that must run in a transaction, because they write several rows of which either all or
 * none must be stored.
 */
export type DbTransaction = Transaction<DatabaseSchema>

export interface Database extends SearchFields {
  kind: 'sqlite' | 'postgres'
  /** For all writes, and for reads on which permissions depend. On SQLite, the only connection that writes. */
  primary: Db
  /** For catalogue reads only. On SQLite, a separate connection; on PostgreSQL, the read replica, if there is one. */
  reader: Db
  /** Opens a pool of PostgreSQL connections without timeouts, for migrations. The caller must close it. */
  openWithoutTimeouts?: () => Db
  /** Opens a PostgreSQL connection without timeouts, for the copy from SQLite. The caller must close it. */
  connectWithoutTimeouts?: () => Promise<Client>
  /** The SQLite connection of `primary`, for backups and pragmas. Undefined on PostgreSQL. */
  sqlite?: DatabaseSync
  /** Path of the SQLite file. Undefined on PostgreSQL and for databases in memory. */
  file?: string
  /** Tracks whether writes fail because of the disk. */
  storage: StorageMonitor
  slowQueries?: SlowQueryMonitor
  close(): Promise<void>
}

export interface SlowQueryMonitor {
  thresholdMs: number
  report: (sql: string, durationMs: number) => void
}

/** Creates a Kysely instance that reports slow queries and errors. */
function createObservedDb(
  dialect: Dialect,
  slowQueryMonitor: SlowQueryMonitor,
  observeError: (error: unknown) => void = () => {},
): Db {
  const log = (event: LogEvent) => {
    const { query, queryDurationMillis: durationMs } = event
    if (event.level === 'error') observeError(event.error)
    else if (durationMs > slowQueryMonitor.thresholdMs) slowQueryMonitor.report(query.sql, durationMs)
  }
  return new Kysely<DatabaseSchema>({ dialect, log })
}

/** Creates `Database.primary` and the monitor of its storage. */
function createPrimary(
  dialect: Dialect,
  slowQueryMonitor: SlowQueryMonitor,
): Pick<Database, 'primary' | 'storage'> {
  const storage = createStorageMonitor(() => probeStorage(primary))
  const primary = createObservedDb(dialect, slowQueryMonitor, (error) => storage.observe(error))
  return { primary, storage }
}

const PROBE_LEASE = 'storage-probe'
const PROBE_BYTES = 65_536

/** Inserts and deletes a row of several pages in one transaction. Throws when the storage cannot be written. */
async function probeStorage(db: Db): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.deleteFrom('lease').where('name', '=', PROBE_LEASE).execute()
    await trx
      .insertInto('lease')
      .values({ name: PROBE_LEASE, holder: 'x'.repeat(PROBE_BYTES), until: 0 })
      .execute()
    await trx.deleteFrom('lease').where('name', '=', PROBE_LEASE).execute()
  })
}

const createPostgresDialect = (pool: KyselyPool) =>
  new PostgresDialect({ pool: pool as unknown as PostgresPool })

const createInactiveQueryMonitor = (): SlowQueryMonitor => ({
  thresholdMs: Number.POSITIVE_INFINITY,
  report: () => {},
})

export const DATABASE_FILE_NAME = 'marquee.db'
/** Location of the database. Worker threads and child processes receive it, and open their own connections. */
export interface DatabaseLocation {
  dataDir: string
  /** URL of PostgreSQL. When undefined, the SQLite file in `dataDir` is opened. */
  url?: string | undefined
}

interface OpenOptions extends DatabaseLocation {
  /** True in a thread or process that handles no requests, and that may therefore wait for locks. */
  isBackground?: boolean | undefined
  /** URL of a read replica, used for catalogue reads only. */
  replicaUrl?: string | undefined
  /** Called when a connection to PostgreSQL fails, whether it is idle or in use. */
  onError?: ((error: Error) => void) | undefined
}

/** Opens PostgreSQL when `url` is set, otherwise the SQLite file in `dataDir`. Does not migrate. */
export function openDatabase({
  dataDir,
  url,
  replicaUrl,
  isBackground = false,
  onError = () => {},
}: OpenOptions): Database {
  return url
    ? openPostgresDatabase({ url, searchFolder: dataDir, replicaUrl, isBackground, onError })
    : openSqliteDatabase(join(dataDir, DATABASE_FILE_NAME), isBackground)
}

interface PostgresOptions extends Pick<OpenOptions, 'isBackground' | 'replicaUrl' | 'onError'> {
  url: string
  /** Folder of the search index. `:memory:` is for tests. */
  searchFolder: string
  /** Pool with connections to `url`. By default, a new pool. */
  pool?: ConnectionPool | undefined
}

/** Opens PostgreSQL and the search index of this machine. */
export function openPostgresDatabase({
  url,
  searchFolder,
  replicaUrl,
  isBackground = false,
  onError = () => {},
  pool = new ConnectionPool({ url, onError }),
}: PostgresOptions): Database {
  const search = openSearch(searchFolder, isBackground)
  const replicaPool = replicaUrl ? new ConnectionPool({ url: replicaUrl, onError }) : pool
  const replicaMonitor = replicaUrl ? monitorReplica(pool, replicaPool) : null
  const chooseReadPool = () => (replicaMonitor?.isFresh() ? replicaPool : pool)
  const slowQueryMonitor = createInactiveQueryMonitor()
  const { primary, storage } = createPrimary(createPostgresDialect(pool), slowQueryMonitor)
  return {
    kind: 'postgres',
    primary,
    storage,
    reader: createObservedDb(createPostgresDialect(createReadPool(chooseReadPool, pool)), slowQueryMonitor),
    slowQueries: slowQueryMonitor,
    ...search.fields,
    openWithoutTimeouts: () =>
      new Kysely<DatabaseSchema>({
        dialect: createPostgresDialect(
          new ConnectionPool({ url, maxConnections: 2, usesTimeouts: false, onError }),
        ),
      }),
    connectWithoutTimeouts: () => connectWithoutTimeouts(url, onError),
    close: async () => {
      replicaMonitor?.stop()
      storage.stop()
      search.close()
      if (replicaPool !== pool) await replicaPool.end()
      await primary.destroy()
      if (!pool.ended) await pool.end()
    },
  }
}

/** Opens a SQLite file. `:memory:` is for tests and uses one connection for reads and writes. */
export function openSqliteDatabase(file: string, isBackground = false): Database {
  const sqlite = openSqliteConnection(file)
  const slowQueryMonitor = createInactiveQueryMonitor()
  const { primary, storage } = createPrimary(createSqliteDialect(sqlite), slowQueryMonitor)
  if (file === ':memory:') {
    const search = openSearch(file, isBackground)
    return {
      kind: 'sqlite',
      primary,
      storage,
      reader: primary,
      sqlite,
      ...search.fields,
      slowQueries: slowQueryMonitor,
      close: async () => {
        storage.stop()
        search.close()
        await closeDb(primary, sqlite)
      },
    }
  }
  const search = openSearch(dirname(file), isBackground)
  const sqliteReader = openSqliteConnection(file, { readOnly: true })
  const reader = createObservedDb(createSqliteDialect(sqliteReader), slowQueryMonitor)
  return {
    kind: 'sqlite',
    primary,
    storage,
    reader,
    sqlite,
    ...search.fields,
    slowQueries: slowQueryMonitor,
    file,
    close: async () => {
      storage.stop()
      search.close()
      await closeDb(reader, sqliteReader)
      await closeDb(primary, sqlite)
    },
  }
}

/**
 * Closes a Kysely instance and its SQLite connection. Kysely closes the connection only if it has run a query, so an
 * unused connection must be closed explicitly.
 */
async function closeDb(db: Db, sqlite: DatabaseSync): Promise<void> {
  await db.destroy()
  if (sqlite.isOpen) sqlite.close()
}
