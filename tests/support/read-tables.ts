/** Reads the whole database, for tests that compare it before and after a request. */
import { sql } from 'kysely'
import type { Db } from '../../server/db/database.ts'

/** The names of the tables of a database, which do not change during a test. */
const tableNames = new WeakMap<Db, string[]>()

async function listTableNames(db: Db): Promise<string[]> {
  const names =
    tableNames.get(db) ??
    (await db.introspection.getTables()).filter(({ isView }) => !isView).map(({ name }) => name)
  tableNames.set(db, names)
  return names
}

/** Returns the rows of every table as JSON, by table name. The rows are sorted, because their order is not defined. */
export async function readTables(
  db: Db,
  excludedTables: readonly string[] = [],
): Promise<Map<string, string>> {
  const contents = new Map<string, string>()
  for (const name of await listTableNames(db)) {
    if (excludedTables.includes(name)) continue
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(name)}`.execute(db)
    contents.set(
      name,
      rows
        .map((row) => JSON.stringify(row))
        .sort()
        .join('\n'),
    )
  }
  return contents
}

/** Returns the names of the tables whose rows differ. */
export function listChangedTables(before: Map<string, string>, after: Map<string, string>): string[] {
  return [...after.keys()].filter((name) => before.get(name) !== after.get(name))
}
