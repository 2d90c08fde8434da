import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { createChangeTriggers, executeDdl, getDialect } from '../ddl.ts'

const CHANGED_TABLES = [
  { table: 'title', events: ['insert', 'update', 'delete'], docId: 'row.title_id * 2' },
  { table: 'person', events: ['insert', 'update', 'delete'], docId: 'row.person_id * 2 + 1' },
  { table: 'credit', events: ['delete'], docId: 'row.person_id * 2 + 1' },
] as const

/**
 * Numbers the changes of the catalogue in the order of their commits. Each machine can then keep its own search index
 * and apply only the changes that this index does not contain yet. Drops the queue of the former shared index and, on
 * PostgreSQL, its tables.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await executeDdl(
    db,
    `
alter table catalogue_change add column version {ref} not null default 0;
update catalogue_change set version = (select version from catalogue_version)
  where doc_id in (select doc_id from search_pending);
create index catalogue_change_version on catalogue_change (version, doc_id);
alter table catalogue_version add column log_id text not null default '';
update catalogue_version set log_id = '${randomBytes(12).toString('base64url')}'
`,
  )
  for (const { table, events, docId } of CHANGED_TABLES) {
    for (const event of events) await dropChangeTrigger(db, table, event)
    await createChangeTriggers(db, {
      table,
      events: [...events],
      statements: [
        // This statement changes the row only once per transaction on PostgreSQL. The row stays locked until the
        // commit, so that versions become visible in ascending order.
        'update catalogue_version set version = version + 1, writer = {tx}, changed_at = {now} where writer <> {tx}',
        `insert into catalogue_change (doc_id, revision, changed_at, version)
        select ${docId}, 1, {now}, version from catalogue_version where true
        on conflict (doc_id) do update
        set revision = catalogue_change.revision + 1, changed_at = excluded.changed_at, version = excluded.version`,
      ],
    })
  }
  await executeDdl(
    db,
    `
drop table search_pending;
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

/** Drops a trigger that `createChangeTriggers` has created and, on PostgreSQL, its function. */
async function dropChangeTrigger(db: Kysely<never>, table: string, event: string): Promise<void> {
  const name = `${table}_${event}_told`
  if (getDialect(db) === 'sqlite') {
    await sql.raw(`drop trigger ${name}`).execute(db)
    return
  }
  await sql.raw(`drop trigger ${name} on ${table}`).execute(db)
  await sql.raw(`drop function ${name}()`).execute(db)
}
