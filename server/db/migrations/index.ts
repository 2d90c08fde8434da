import type { Migration } from 'kysely/migration'
import * as m0001 from './0001_start.ts'

/** Every migration there has ever been, in order; forward only. */
export const MIGRATIONS: Record<string, Migration> = {
  '0001_start': m0001,
}
