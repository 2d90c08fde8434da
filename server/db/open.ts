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
  /** Everything that writes, and every read that decides about rights. One writer on SQLite. */
  primary: Db
  /** Catalogue reads only: a connection of its own on SQLite, a replica on PostgreSQL where there is one. */
  reader: Db
  /** PostgreSQL without time limits, for migrations; whoever opens it closes it. */
  unhurried?: () => Db
  /** The SQLite writer itself, for FTS5, backup and pragmas; absent on PostgreSQL. */
  sqlite?: DatabaseSync
  /** Where the search index lies: a file of its own on SQLite (it can be built anew), the same database on PostgreSQL. */
  search: DatabaseSync | PlainPostgres
  /** Where the SQLite file lies. */
  file?: string
  /** Who hears of slow queries, and from how many ms on. */
  watch?: QueryWatch
  close(): Promise<void>
}

export interface QueryWatch {
  slowMs: number
  tell: (sql: string, ms: number) => void
}

/** Kysely over a dialect, with its queries timed. */
function watched(dialect: Dialect, watch: QueryWatch): Db {
  const log = ({ level, query, queryDurationMillis: ms }: LogEvent) => {
    if (level === 'query' && ms > watch.slowMs) watch.tell(query.sql, ms)
  }
  return new Kysely<Schema>({ dialect, log })
}

const nobody = (): QueryWatch => ({ slowMs: Number.POSITIVE_INFINITY, tell: () => {} })

/** PostgreSQL without Kysely: a transaction's queries all run on one connection. */
export interface PlainPostgres {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
  transaction<T>(work: (tx: Pick<PlainPostgres, 'query'>) => Promise<T>): Promise<T>
}

export const DATABASE_FILE = 'marquee.db'
/** Beside the database; the number changes when the index is written differently, and older files are taken away. */
export const SEARCH_FILE = 'search-2.db'
const OLDER_SEARCH_FILES = ['search-1.db']

interface Place {
  dataDir: string
  url?: string | undefined
  /** A PostgreSQL that follows the one at `url`; it is asked for the catalogue alone. */
  replicaUrl?: string | undefined
  /** Hears of connections that broke while nobody used them. */
  onError?: ((error: Error) => void) | undefined
}

/** Opens SQLite in `dataDir`, or PostgreSQL at `url`. Does not migrate. */
export function openDatabase({ dataDir, url, replicaUrl, onError = () => {} }: Place): Database {
  return url ? openPostgres(url, replicaUrl, onError) : openSqliteDatabase(join(dataDir, DATABASE_FILE))
}

function openPostgres(
  url: string,
  replicaUrl: string | undefined,
  onError: (error: Error) => void,
): Database {
  const pool = new Pool({ url, onError })
  const copies = replicaUrl ? new Pool({ url: replicaUrl, onError }) : pool
  const replica = replicaUrl ? watchReplica(pool, copies) : null
  const choose = () => (replica?.fresh() ? copies : pool)
  const watch = nobody()
  const primary = watched(postgresDialect(pool), watch)
  return {
    kind: 'postgres',
    primary,
    reader: watched(postgresDialect(readingPool(choose, pool)), watch),
    watch,
    search: plainPostgres(pool),
    unhurried: () =>
      new Kysely<Schema>({ dialect: postgresDialect(new Pool({ url, size: 2, hurried: false, onError })) }),
    close: async () => {
      replica?.stop()
      if (copies !== pool) await copies.end()
      await primary.destroy()
      if (!pool.ended) await pool.end()
    },
  }
}

/** A file, or `:memory:` (one connection then, for tests). */
export function openSqliteDatabase(file: string): Database {
  const sqlite = openSqlite(file)
  const watch = nobody()
  const primary = watched(sqliteDialect(sqlite), watch)
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
        await destroy(primary, sqlite)
      },
    }
  }
  for (const old of OLDER_SEARCH_FILES)
    for (const rest of ['', '-wal', '-shm']) rmSync(join(dirname(file), `${old}${rest}`), { force: true })
  const search = openSqlite(join(dirname(file), SEARCH_FILE))
  search.exec('pragma synchronous = normal; pragma cache_size = -131072')
  const sqliteReader = openSqlite(file, { readOnly: true })
  const reader = watched(sqliteDialect(sqliteReader), watch)
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
      await destroy(reader, sqliteReader)
      await destroy(primary, sqlite)
    },
  }
}

/** Kysely closes its database only after a first query; a connection that never asked one is closed here. */
async function destroy(db: Db, sqlite: DatabaseSync): Promise<void> {
  await db.destroy()
  if (sqlite.isOpen) sqlite.close()
}
