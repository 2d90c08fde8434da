import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect } from 'kysely'
import type { Database, RawPostgres } from '../../server/db/database.ts'
import type { DatabaseSchema } from '../../server/db/schema.ts'

/** PostgreSQL in this process. It parses `int8` and `numeric` as numbers, like the connection pool of the product. */
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
