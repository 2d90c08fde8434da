/** Compares the schema of a SQLite file with the schema that its migrations create. */
import { DatabaseSync } from 'node:sqlite'
import { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { MIGRATIONS } from './migrations/index.ts'
import { openSqliteConnection } from './sqlite-connection.ts'
import { createSqliteDialect } from './sqlite-dialect.ts'

/**
 * Compares the schema of a file with the schema that the given migrations create. Returns the first difference: a gap
 * in the migrations, a missing column, or a missing, additional or changed trigger or view. Returns null if there is no
 * difference. Additional tables and columns are accepted, and indexes are not compared. Additional triggers and views
 * are not accepted, because they run as part of the server's statements.
 */
export async function findSchemaDifference(
  file: string,
  migrationNames: readonly string[],
): Promise<string | null> {
  const missingMigration = Object.keys(MIGRATIONS)
    .sort()
    .slice(0, migrationNames.length)
    .find((migrationName) => !migrationNames.includes(migrationName))
  if (missingMigration !== undefined) return `it lacks the migration ${missingMigration}`
  const expectedDatabase = openSqliteConnection(':memory:')
  const actualDatabase = new DatabaseSync(file, { readOnly: true })
  try {
    await migrateTo(expectedDatabase, migrationNames)
    for (const table of listTables(expectedDatabase)) {
      const columns = new Set(listColumns(actualDatabase, table))
      const missingColumn = listColumns(expectedDatabase, table).find((column) => !columns.has(column))
      if (missingColumn !== undefined) return `it has no column ${table}.${missingColumn}`
    }
    const expectedSqlByName = new Map(listTriggersAndViews(expectedDatabase))
    for (const [name, sql] of listTriggersAndViews(actualDatabase)) {
      if (expectedSqlByName.get(name) !== sql) return `it has an unknown trigger or view ${name}`
      expectedSqlByName.delete(name)
    }
    const [missingName] = expectedSqlByName.keys()
    return missingName === undefined ? null : `it has no trigger or view ${missingName}`
  } finally {
    actualDatabase.close()
    if (expectedDatabase.isOpen) expectedDatabase.close()
  }
}

async function migrateTo(sqlite: DatabaseSync, migrationNames: readonly string[]): Promise<void> {
  const db = new Kysely<never>({ dialect: createSqliteDialect(sqlite) })
  const migrations = Object.fromEntries(
    Object.entries(MIGRATIONS).filter(([name]) => migrationNames.includes(name)),
  )
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
  }).migrateToLatest()
  if (error) throw error
}

const listTables = (sqlite: DatabaseSync): string[] =>
  sqlite
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'")
    .all()
    .map(({ name }) => String(name))

const listColumns = (sqlite: DatabaseSync, table: string): string[] =>
  sqlite
    .prepare('select name from pragma_table_info(?)')
    .all(table)
    .map(({ name }) => String(name))

/** Returns the names and definitions of triggers and views. */
const listTriggersAndViews = (sqlite: DatabaseSync): [string, string][] =>
  sqlite
    .prepare("select name, sql from sqlite_schema where type in ('trigger', 'view')")
    .all()
    .map(({ name, sql }) => [String(name), String(sql)])
