import type { Kysely } from 'kysely'
import { executeDdl } from '../ddl.ts'

/** Adds ratings from 1 to 10. */
export async function up(db: Kysely<never>): Promise<void> {
  await executeDdl(db, RATINGS)
}

const RATINGS = `
create table rating (
  profile_id text not null references profile on delete cascade, title_id {ref} not null references title on delete cascade,
  rating integer not null, updated_at {ms} not null, primary key (profile_id, title_id)
);
create index rating_title on rating (title_id)
`
