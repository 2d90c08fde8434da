import type { Kysely } from 'kysely'
import { executeDdl } from '../ddl.ts'

/**
 * Adds the countries that produced a title. On PostgreSQL, also drops the tables of a search index in an older format,
 * without facets. On SQLite, the index is a separate file.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await executeDdl(
    db,
    `
create table title_country (
  title_id {ref} not null references title on delete cascade, country text not null, primary key (title_id, country)
);
drop table if exists search_meta;
drop table if exists search_doc_a;
drop table if exists search_doc_b;
drop table if exists search_key_a;
drop table if exists search_key_b;
drop table if exists search_word_a;
drop table if exists search_word_b
`,
  )
}
