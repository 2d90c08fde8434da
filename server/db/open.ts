import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { type Dialect, Kysely, type LogEvent } from 'kysely'
import { openSqlite, plainPostgres, postgresDialect, sqliteDialect } from './dialects.ts'
import { Pool, readingPool } from './postgres.ts'
import { watchReplica } from './replica.ts'
import type { Schema } from './schema.ts'

export type Db = Kysely<Schema>

export interface Database {
  kind: 'sqlite' | 'postgres'
  /** For all writes and for reads that decide about permissions. On SQLite, the single writer. */
  primary: Db
  /** For catalogue reads only. On SQLite a separate connection; on PostgreSQL the read replica, if there is one. */
  reader: Db
  /** Opens a PostgreSQL connection without timeouts, for migrations. The caller must close it. */
  unhurried?: () => Db
  /** The SQLite connection of `primary`, for backups and pragmas. Undefined on PostgreSQL. */
  sqlite?: DatabaseSync
  /**
   * Database of the search index: a separate file on SQLite, because it can be rebuilt; the same database on
   * PostgreSQL.
   */
  search: DatabaseSync | PlainPostgres
  /** Path of the SQLite file. Undefined on PostgreSQL and for databases in memory. */
  file?: string
  /** Reports slow queries. */
  watch?: QueryWatch
  close(): Promise<void>
}

export interface QueryWatch {
  slowMs: number
  tell: (sql: string, ms: number) => void
}

/** Creates a Kysely instance that reports slow queries. */
function createTimedDb(dialect: Dialect, watch: QueryWatch): Db {
  const log = ({ level, query, queryDurationMillis: ms }: LogEvent) => {
    if (level === 'query' && ms > watch.slowMs) watch.tell(query.sql, ms)
  }
  return new Kysely<Schema>({ dialect, log })
}

const createInactiveWatch = (): QueryWatch => ({ slowMs: Number.POSITIVE_INFINITY, tell: () => {} })

/** PostgreSQL without Kysely. All queries of a transaction run on one connection. */
export interface PlainPostgres {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
  transaction<T>(work: (tx: Pick<PlainPostgres, 'query'>) => Promise<T>): Promise<T>
}

export const DATABASE_FILE = 'marquee.db'
/**
 * File of the search index, next to the database file. The number changes with the index format, and files of older
 * formats are deleted.
 */
export const SEARCH_FILE = 'search-2.db'
const OLDER_SEARCH_FILES = ['search-1.db']

interface OpenOptions {
  dataDir: string
  url?: string | undefined
  /** URL of a read replica, used for catalogue reads only. */
  replicaUrl?: string | undefined
  /** Called when an idle connection fails. */
  onError?: ((error: Error) => void) | undefined
}

/** Opens PostgreSQL when there is a `url`, otherwise the SQLite file in `dataDir`. Does not migrate. */
export function openDatabase({ dataDir, url, replicaUrl, onError = () => {} }: OpenOptions): Database {
  return url ? openPostgres(url, replicaUrl, onError) : openSqliteDatabase(join(dataDir, DATABASE_FILE))
}

function openPostgres(
  url: string,
  replicaUrl: string | undefined,
  onError: (error: Error) => void,
): Database {
  const pool = new Pool({ url, onError })
  const replicaPool = replicaUrl ? new Pool({ url: replicaUrl, onError }) : pool
  const replica = replicaUrl ? watchReplica(pool, replicaPool) : null
  const choosePool = () => (replica?.fresh() ? replicaPool : pool)
  const watch = createInactiveWatch()
  const primary = createTimedDb(postgresDialect(pool), watch)
  return {
    kind: 'postgres',
    primary,
    reader: createTimedDb(postgresDialect(readingPool(choosePool, pool)), watch),
    watch,
    search: plainPostgres(pool),
    unhurried: () =>
      new Kysely<Schema>({ dialect: postgresDialect(new Pool({ url, size: 2, hurried: false, onError })) }),
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
  const sqlite = openSqlite(file)
  const watch = createInactiveWatch()
  const primary = createTimedDb(sqliteDialect(sqlite), watch)
  if (file === ':memory:') {
    const search = openSqlite(file)
    return {
      kind: 'sqlite',
      primary,
      reader: primary,
      sqlite,
      search,
      watch,
      close: async () => {
        search.close()
        await closeDb(primary, sqlite)
      },
    }
  }
  for (const oldFile of OLDER_SEARCH_FILES)
    for (const suffix of ['', '-wal', '-shm'])
      rmSync(join(dirname(file), `${oldFile}${suffix}`), { force: true })
  const search = openSqlite(join(dirname(file), SEARCH_FILE))
  search.exec('pragma synchronous = normal; pragma cache_size = -131072')
  const sqliteReader = openSqlite(file, { readOnly: true })
  const reader = createTimedDb(sqliteDialect(sqliteReader), watch)
  return {
    kind: 'sqlite',
    primary,
    reader,
    sqlite,
    search,
    watch,
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
