import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../server/db/database.ts'

const TABLES_QUERIES_BY_KIND: Record<Database['kind'], string> = {
  sqlite: "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name",
  postgres: "select tablename as name from pg_tables where schemaname = 'public' order by tablename",
}

/** Returns one hash per table over every row and column. Equal hashes mean that no row changed. */
export async function computeTableHashes({ kind, primary }: Database): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string }>`${sql.raw(TABLES_QUERIES_BY_KIND[kind])}`.execute(primary)
  const hashesByTable: Record<string, string> = {}
  for (const { name: table } of rows) {
    const tableResult = await sql<object>`select * from ${sql.table(table)}`.execute(primary)
    const rowLines = tableResult.rows.map((row) => JSON.stringify(row)).sort()
    hashesByTable[table] = createHash('sha256').update(rowLines.join('\n')).digest('hex')
  }
  return hashesByTable
}
