import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { type Dialect, Kysely, type LogEvent } from 'kysely'
import {
  createPostgresDialect,
  createRawPostgres,
  createSqliteDialect,
  openSqliteConnection,
} from './dialects.ts'
import { ConnectionPool, createReadPool } from './postgres.ts'
import { monitorReplica } from './replica-monitor.ts'
import type { DatabaseSchema } from './schema.ts'

export type Db = Kysely<DatabaseSchema>

export interface Database {
  kind: 'sqlite' | 'postgres'
  /** For all writes and for reads that decide about permissions. On SQLite, the single writer. */
  primary: Db
  /** For catalogue reads only. On SQLite a separate connection; on PostgreSQL the read replica, if there is one. */
  reader: Db
  /** Opens a PostgreSQL connection without timeouts, for migrations. The caller must close it. */
  openWithoutTimeouts?: () => Db
  /** The SQLite connection of `primary`, for backups and pragmas. Undefined on PostgreSQL. */
  sqlite?: DatabaseSync
  /**
   * Database of the search index: a separate file on SQLite, because it can be rebuilt; the same database on
   * PostgreSQL.
   */
  searchDatabase: DatabaseSync | RawPostgres
  /** Path of the SQLite file. Undefined on PostgreSQL and for databases in memory. */
  file?: string
  /** Reports slow queries. */
  slowQueries?: SlowQueryMonitor
  close(): Promise<void>
}

export interface SlowQueryMonitor {
  thresholdMs: number
  report: (sql: string, ms: number) => void
}

/** Creates a Kysely instance that reports slow queries. */
function createTimedDb(dialect: Dialect, slowQueryMonitor: SlowQueryMonitor): Db {
  const reportIfSlow = ({ level, query, queryDurationMillis: ms }: LogEvent) => {
    if (level === 'query' && ms > slowQueryMonitor.thresholdMs) slowQueryMonitor.report(query.sql, ms)
  }
  return new Kysely<DatabaseSchema>({ dialect, log: reportIfSlow })
}

const createInactiveMonitor = (): SlowQueryMonitor => ({
  thresholdMs: Number.POSITIVE_INFINITY,
  report: () => {},
})

/** PostgreSQL without Kysely. All queries of a transaction run on one connection. */
export interface RawPostgres {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
  transaction<T>(work: (tx: Pick<RawPostgres, 'query'>) => Promise<T>): Promise<T>
}

export const DATABASE_FILE_NAME = 'marquee.db'
/**
 * File of the search index, next to the database file. The number changes with the index format, and files of older
 * formats are deleted.
 */
export const SEARCH_FILE_NAME = 'search-2.db'
const OLDER_SEARCH_FILES = ['search-1.db']

/** Where a worker thread opens the database with connections of its own. */
export interface DatabaseLocation {
  dataDir: string
  /** URL of PostgreSQL; without it, the SQLite file in `dataDir` is opened. */
  url?: string | undefined
}

interface OpenOptions extends DatabaseLocation {
  /** URL of a read replica, used for catalogue reads only. */
  replicaUrl?: string | undefined
  /** Called when an idle connection fails. */
  onError?: ((error: Error) => void) | undefined
}

/** Opens PostgreSQL when there is a `url`, otherwise the SQLite file in `dataDir`. Does not migrate. */
export function openDatabase({ dataDir, url, replicaUrl, onError = () => {} }: OpenOptions): Database {
  return url ? openPostgres(url, replicaUrl, onError) : openSqliteDatabase(join(dataDir, DATABASE_FILE_NAME))
}

function openPostgres(
  url: string,
  replicaUrl: string | undefined,
  onError: (error: Error) => void,
): Database {
  const pool = new ConnectionPool({ url, onError })
  const replicaPool = replicaUrl ? new ConnectionPool({ url: replicaUrl, onError }) : pool
  const replica = replicaUrl ? monitorReplica(pool, replicaPool) : null
  const choosePool = () => (replica?.isFresh() ? replicaPool : pool)
  const slowQueryMonitor = createInactiveMonitor()
  const primary = createTimedDb(createPostgresDialect(pool), slowQueryMonitor)
  return {
    kind: 'postgres',
    primary,
    reader: createTimedDb(createPostgresDialect(createReadPool(choosePool, pool)), slowQueryMonitor),
    slowQueries: slowQueryMonitor,
    searchDatabase: createRawPostgres(pool),
    openWithoutTimeouts: () =>
      new Kysely<DatabaseSchema>({
        dialect: createPostgresDialect(
          new ConnectionPool({ url, maxConnections: 2, useTimeouts: false, onError }),
        ),
      }),
    close: async () => {
      replica?.stop()
      if (replicaPool !== pool) await replicaPool.end()
      await primary.destroy()
      if (!pool.ended) await pool.end()
    },
  }
}

/** Opens a SQLite file, or `:memory:` for tests, which then uses one connection for reads and writes. */
export function openSqliteDatabase(file: string): Database {
  const sqlite = openSqliteConnection(file)
  const slowQueryMonitor = createInactiveMonitor()
  const primary = createTimedDb(createSqliteDialect(sqlite), slowQueryMonitor)
  if (file === ':memory:') {
    const search = openSqliteConnection(file)
    return {
      kind: 'sqlite',
      primary,
      reader: primary,
      sqlite,
      searchDatabase: search,
      slowQueries: slowQueryMonitor,
      close: async () => {
        search.close()
        await closeDb(primary, sqlite)
      },
    }
  }
  for (const oldFile of OLDER_SEARCH_FILES)
    for (const suffix of ['', '-wal', '-shm'])
      rmSync(join(dirname(file), `${oldFile}${suffix}`), { force: true })
  const search = openSqliteConnection(join(dirname(file), SEARCH_FILE_NAME))
  search.exec('pragma synchronous = normal; pragma cache_size = -131072')
  const sqliteReader = openSqliteConnection(file, { readOnly: true })
  const reader = createTimedDb(createSqliteDialect(sqliteReader), slowQueryMonitor)
  return {
    kind: 'sqlite',
    primary,
    reader,
    sqlite,
    searchDatabase: search,
    slowQueries: slowQueryMonitor,
    file,
    close: async () => {
      search.close()
      await closeDb(reader, sqliteReader)
      await closeDb(primary, sqlite)
    },
  }
}

/** Kysely closes the database only if it has run a query, so an unused connection is closed explicitly. */
async function closeDb(db: Db, sqlite: DatabaseSync): Promise<void> {
  await db.destroy()
  if (sqlite.isOpen) sqlite.close()
}
