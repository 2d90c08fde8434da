import type { Kysely } from 'kysely'
import { executeDdl } from '../ddl.ts'

/**
 * Replaces the index of credits by person with an index that also contains title and job. The credits of a person are
 * then read from the index alone.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await executeDdl(
    db,
    `
create index credit_of_person on credit (person_id, title_id, job);
drop index credit_person
`,
  )
}
