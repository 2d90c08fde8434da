import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect } from 'kysely'
import type { Database, RawPostgres } from '../../server/db/database.ts'
import type { DatabaseSchema } from '../../server/db/schema.ts'

/** PostgreSQL in the process, with numbers read as the product's pool reads them. */
export async function openPglite(): Promise<Database> {
  const INT8 = 20
  const NUMERIC = 1700
  const pglite = await PGlite.create({ parsers: { [INT8]: Number, [NUMERIC]: Number } })
  const primary = new Kysely<DatabaseSchema>({ dialect: new PGliteDialect({ pglite }) })
  return {
    kind: 'postgres',
    primary,
    reader: primary,
    searchDatabase: pglite as unknown as RawPostgres,
    close: () => primary.destroy(),
  }
}
