import type { Kysely } from 'kysely'
import { executeDdl } from '../ddl.ts'

/**
 * Adds the title fields that administrators have edited, with the imported value of each field, so that edits survive
 * imports and can be undone. `imported` is null when the imported value is not known.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await executeDdl(
    db,
    `
create table title_edit (
  title_id {ref} not null references title on delete cascade, field text not null, value text not null, imported text,
  edited_at {ms} not null, primary key (title_id, field)
);
create index title_edit_imported on title_edit (field, imported)
`,
  )
}
