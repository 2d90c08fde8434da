import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect } from 'kysely'
import type { Database, PlainPostgres } from '../../server/db/open.ts'
import type { Schema } from '../../server/db/schema.ts'

/** PostgreSQL in the process, with numbers read as the product's pool reads them. */
export async function openPglite(): Promise<Database> {
  const INT8 = 20
  const NUMERIC = 1700
  const pglite = await PGlite.create({ parsers: { [INT8]: Number, [NUMERIC]: Number } })
  const primary = new Kysely<Schema>({ dialect: new PGliteDialect({ pglite }) })
  return {
    kind: 'postgres',
    primary,
    reader: primary,
    search: pglite as unknown as PlainPostgres,
    close: () => primary.destroy(),
  }
}
