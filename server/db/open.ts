import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { openSqlite, postgresDialect, postgresPool, sqliteDialect } from './dialects.ts'
import type { Schema } from './schema.ts'

export type Db = Kysely<Schema>

export interface Database {
  kind: 'sqlite' | 'postgres'
  /** Everything that writes, and every read that decides about rights. One writer on SQLite. */
  primary: Db
  /** Catalogue reads only: a connection of its own on SQLite, a replica on PostgreSQL where there is one. */
  reader: Db
  /** The SQLite writer itself, for FTS5, backup and pragmas; absent on PostgreSQL. */
  sqlite?: DatabaseSync
  /** The SQLite reader itself, for the search engine. */
  sqliteReader?: DatabaseSync
  /** Where the SQLite file lies. */
  file?: string
  close(): Promise<void>
}

export const DATABASE_FILE = 'marquee.db'

/** Opens SQLite in `dataDir`, or PostgreSQL at `url`. Does not migrate. */
export function openDatabase({ dataDir, url }: { dataDir: string; url?: string | undefined }): Database {
  return url ? openPostgres(url) : openSqliteDatabase(join(dataDir, DATABASE_FILE))
}

function openPostgres(url: string): Database {
  const primary = new Kysely<Schema>({ dialect: postgresDialect(postgresPool(url)) })
  return { kind: 'postgres', primary, reader: primary, close: () => primary.destroy() }
}

/** A file, or `:memory:` (one connection then, for tests). */
export function openSqliteDatabase(file: string): Database {
  const sqlite = openSqlite(file)
  const primary = new Kysely<Schema>({ dialect: sqliteDialect(sqlite) })
  if (file === ':memory:') {
    return {
      kind: 'sqlite',
      primary,
      reader: primary,
      sqlite,
      sqliteReader: sqlite,
      close: () => destroy(primary, sqlite),
    }
  }
  const sqliteReader = openSqlite(file, { readOnly: true })
  const reader = new Kysely<Schema>({ dialect: sqliteDialect(sqliteReader) })
  return {
    kind: 'sqlite',
    primary,
    reader,
    sqlite,
    sqliteReader,
    file,
    close: async () => {
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
