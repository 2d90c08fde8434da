import type { Migration } from 'kysely/migration'
import * as m0001 from './0001_start.ts'
import * as m0002 from './0002_access.ts'
import * as m0004 from './0004_library.ts'

/** All migrations in order. A released migration is never changed or removed, and there are no down migrations. */
export const MIGRATIONS: Record<string, Migration> = {
  '0001_start': m0001,
  '0002_access': m0002,
  '0004_library': m0004,
}
