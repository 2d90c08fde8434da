import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../server/db/database.ts'

const TABLES_QUERY: Record<Database['kind'], string> = {
  sqlite: "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name",
  postgres: "select tablename as name from pg_tables where schemaname = 'public' order by tablename",
}

/** Returns one hash per table over every row and column. Equal hashes mean that no row changed. */
export async function hashTables({ kind, primary }: Database): Promise<Record<string, string>> {
  const { rows } = await sql<{ name: string }>`${sql.raw(TABLES_QUERY[kind])}`.execute(primary)
  const hashes: Record<string, string> = {}
  for (const { name } of rows) {
    const result = await sql<object>`select * from ${sql.table(name)}`.execute(primary)
    const lines = result.rows.map((row) => JSON.stringify(row)).sort()
    hashes[name] = createHash('sha256').update(lines.join('\n')).digest('hex')
  }
  return hashes
}
