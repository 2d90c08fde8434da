/** Compares the whole database before and after a request. */
import { sql } from 'kysely'
import type { Database, Db } from '../../server/db/database.ts'

/** Cached names of the tables of a database, because they do not change during a test. */
const tableNamesByDatabase = new WeakMap<Db, string[]>()

async function listTableNames(db: Db): Promise<string[]> {
  const names =
    tableNamesByDatabase.get(db) ??
    (await db.introspection.getTables()).filter(({ isView }) => !isView).map(({ name }) => name)
  tableNamesByDatabase.set(db, names)
  return names
}

/** Returns the rows of every table as JSON, by table name. The rows are sorted, because their order is not defined. */
export async function readTables(
  db: Db,
  excludedTables: readonly string[] = [],
): Promise<Map<string, string>> {
  const contentsByTable = new Map<string, string>()
  for (const tableName of await listTableNames(db)) {
    if (excludedTables.includes(tableName)) continue
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(tableName)}`.execute(db)
    contentsByTable.set(
      tableName,
      rows
        .map((row) => JSON.stringify(row))
        .sort()
        .join('\n'),
    )
  }
  return contentsByTable
}

/** Returns the names of the tables whose rows differ. */
export function listChangedTables(
  tablesBefore: Map<string, string>,
  tablesAfter: Map<string, string>,
): string[] {
  return [...tablesAfter.keys()].filter(
    (tableName) => tablesBefore.get(tableName) !== tablesAfter.get(tableName),
  )
}

/**
 * Starts watching all tables except `excludedTables`. The returned function ends the watch and returns the names of the
 * tables whose rows have changed since the start.
 */
export async function watchTables(
  { primary, sqlite }: Database,
  excludedTables: readonly string[] = [],
): Promise<() => Promise<string[]>> {
  if (!sqlite) {
    const tablesBefore = await readTables(primary, excludedTables)
    return async () => listChangedTables(tablesBefore, await readTables(primary, excludedTables))
  }
  // Uses sessions of SQLite, which take a tenth of the time of reading all tables twice.
  const watchedTables = (await listTableNames(primary)).filter((name) => !excludedTables.includes(name))
  const sessions = watchedTables.map((table) => ({ table, session: sqlite.createSession({ table }) }))
  return async () => {
    const changedSessions = sessions.filter(({ session }) => session.changeset().length > 0)
    for (const { session } of sessions) session.close()
    return changedSessions.map(({ table }) => table)
  }
}
