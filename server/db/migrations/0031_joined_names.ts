import type { Kysely } from 'kysely'
import { executeDdl } from '../ddl.ts'

/**
 * Adds the index by which names without spaces and symbols are found. Names of files often lack characters of a title,
 * because file systems forbid them or release groups leave them out.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await executeDdl(
    db,
    `create index title_name_joined
  on title_name (replace(replace(replace(replace(folded, ' ', ''), '+', ''), '%', ''), '#', ''))`,
  )
}
