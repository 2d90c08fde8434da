import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { type Dialect, Kysely, type LogEvent, type Transaction } from 'kysely'
import { isDatabaseDamaged } from '../core/database-unavailable.ts'
import { createPostgresDialect, openSqliteConnection } from './dialects.ts'
import { createFileLock, type FileLock } from './file-lock.ts'
import { ConnectionPool, createReadPool } from './postgres.ts'
import { monitorReplica } from './replica-monitor.ts'
import type { DatabaseSchema } from './schema.ts'
import { createSqliteDialect } from './sqlite-dialect.ts'
import { createStorageMonitor, type StorageMonitor } from './storage-monitor.ts'

export type Db = Kysely<DatabaseSchema>
/** For functions that write several rows, of which either all or none must be stored. */
export type DbTransaction = Transaction<DatabaseSchema>

export interface Database {
  kind: 'sqlite' | 'postgres'
  /** For all writes, and for reads on which permissions depend. On SQLite, the only connection that writes. */
  primary: Db
  /** For catalogue reads only. On SQLite, a separate connection; on PostgreSQL, the read replica, if there is one. */
  reader: Db
  /**
   * Opens a PostgreSQL connection without timeouts, for migrations and the copy from SQLite. The caller must close it.
   */
  openWithoutTimeouts?: () => Db
  /** The SQLite connection of `primary`, for backups and pragmas. Undefined on PostgreSQL. */
  sqlite?: DatabaseSync
  /**
   * Database of the search index of this machine. Also with PostgreSQL, it is a SQLite file in the data folder, because
   * the index can be rebuilt.
   */
  searchDatabase: DatabaseSync
  /** The process of this machine that updates the search index, or that has started a rebuild, holds this lock. */
  searchLock: FileLock
  /**
   * The process that rebuilds the search index holds this lock until the process ends. This process can outlive its
   * parent process, which holds `searchLock`.
   */
  searchRebuildLock: FileLock
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

/** Creates the connection for writes, and the monitor of its storage. */
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

const createInactiveMonitor = (): SlowQueryMonitor => ({
  thresholdMs: Number.POSITIVE_INFINITY,
  report: () => {},
})

export const DATABASE_FILE_NAME = 'marquee.db'
/**
 * Name of the search index file in the data folder. The number is the version of the index format. Files of older
 * formats are deleted.
 */
export const SEARCH_FILE_NAME = 'search-5.db'
/** Files of `searchLock` and `searchRebuildLock`. */
const SEARCH_LOCK_NAME = 'search.lock'
const SEARCH_REBUILD_LOCK_NAME = 'search-rebuild.lock'
const OLDER_SEARCH_FILES = ['search-1.db', 'search-2.db', 'search-3.db', 'search-4.db']

/** Location at which a worker thread or a child process opens its own connections to the database. */
export interface DatabaseLocation {
  dataDir: string
  /** URL of PostgreSQL. When undefined, the SQLite file in `dataDir` is opened. */
  url?: string | undefined
}

interface OpenOptions extends DatabaseLocation {
  /** True in a thread or process that answers no requests, so that it may wait for locks. */
  isBackground?: boolean | undefined
  /** URL of a read replica, used for catalogue reads only. */
  replicaUrl?: string | undefined
  /** Called when an idle connection fails. */
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
}

/** Opens PostgreSQL and the search index of this machine. */
export function openPostgresDatabase({
  url,
  searchFolder,
  replicaUrl,
  isBackground = false,
  onError = () => {},
}: PostgresOptions): Database {
  const search = openSearch(searchFolder, isBackground)
  const pool = new ConnectionPool({ url, onError })
  const replicaPool = replicaUrl ? new ConnectionPool({ url: replicaUrl, onError }) : pool
  const replicaMonitor = replicaUrl ? monitorReplica(pool, replicaPool) : null
  const choosePool = () => (replicaMonitor?.isFresh() ? replicaPool : pool)
  const slowQueryMonitor = createInactiveMonitor()
  const { primary, storage } = createPrimary(createPostgresDialect(pool), slowQueryMonitor)
  return {
    kind: 'postgres',
    primary,
    storage,
    reader: createObservedDb(createPostgresDialect(createReadPool(choosePool, pool)), slowQueryMonitor),
    slowQueries: slowQueryMonitor,
    ...search.fields,
    openWithoutTimeouts: () =>
      new Kysely<DatabaseSchema>({
        dialect: createPostgresDialect(
          new ConnectionPool({ url, maxConnections: 2, usesTimeouts: false, onError }),
        ),
      }),
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
  const slowQueryMonitor = createInactiveMonitor()
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

interface SearchHandle {
  fields: Pick<Database, 'searchDatabase' | 'searchLock' | 'searchRebuildLock'>
  close: () => void
}

/** Opens the search index in a folder, or in memory for tests. Deletes the files of older formats. */
function openSearch(folder: string, isBackground: boolean): SearchHandle {
  const isInMemory = folder === ':memory:'
  if (!isInMemory) for (const oldFile of OLDER_SEARCH_FILES) deleteSqliteFiles(join(folder, oldFile))
  const searchDatabase = isInMemory
    ? openSqliteConnection(folder)
    : openSearchFile(join(folder, SEARCH_FILE_NAME), isBackground)
  const createLock = (fileName: string) => createFileLock(isInMemory ? folder : join(folder, fileName))
  const [searchLock, searchRebuildLock] = [createLock(SEARCH_LOCK_NAME), createLock(SEARCH_REBUILD_LOCK_NAME)]
  const close = () => {
    if (searchDatabase.isOpen) searchDatabase.close()
    searchLock.close()
    searchRebuildLock.close()
  }
  return { fields: { searchDatabase, searchLock, searchRebuildLock }, close }
}

/** Opens the file of the search index. A damaged file is deleted, because the index can be rebuilt. */
function openSearchFile(file: string, isBackground: boolean): DatabaseSync {
  try {
    return openSearchConnection(file, isBackground)
  } catch (error) {
    if (!isDatabaseDamaged(error)) throw error
    deleteSqliteFiles(file)
    return openSearchConnection(file, isBackground)
  }
}

/**
 * Page cache of a connection to the search index in MB. 32, 64 and 128 MB are equally fast while the operating system
 * has the file in memory. A rebuild writes its tables in order, so a small cache is enough.
 */
const SEARCH_CACHE_MB = { requests: 64, background: 32 }

function openSearchConnection(file: string, isBackground: boolean): DatabaseSync {
  const searchConnection = openSqliteConnection(file)
  const cacheMb = isBackground ? SEARCH_CACHE_MB.background : SEARCH_CACHE_MB.requests
  searchConnection.exec(`pragma cache_size = ${-1024 * cacheMb}`)
  // Waiting for a lock of another thread or process blocks the event loop, so the timeout is short. The index catches
  // up later.
  if (!isBackground) searchConnection.exec('pragma busy_timeout = 50')
  // A power failure may undo the last commits, but in WAL mode it undoes later commits first. The position of the index
  // is in the same file and is committed after the documents, so the lost changes are applied again.
  searchConnection.exec('pragma synchronous = normal')
  // The index contains no personal data, so deleted content need not be overwritten.
  searchConnection.exec('pragma secure_delete = off')
  return searchConnection
}

function deleteSqliteFiles(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
}

/** Kysely closes the database only if it has run a query, so an unused connection must be closed explicitly. */
async function closeDb(db: Db, sqlite: DatabaseSync): Promise<void> {
  await db.destroy()
  if (sqlite.isOpen) sqlite.close()
}
