import { type Kysely, sql } from 'kysely'
import { packGuide } from '../../../src/lib/rules/maturity.ts'
import { type AnyDb, executeDdl } from '../ddl.ts'

/** Adds limits of profiles, titles that a parent always or never shows to a profile, and groups that watch together. */
export async function up(db: Kysely<never>): Promise<void> {
  await executeDdl(db, AUDIENCE_DDL)
  await packGuides(db as AnyDb)
}

const AUDIENCE_DDL = `
alter table title add column guide_levels integer not null default 0;
alter table profile add column max_age integer;
alter table profile add column guide_limits integer not null default 0;
alter table profile add column accepts_unknown_guide integer not null default 0;
alter table profile add column denied_title_count integer not null default 0;
alter table profile add column audience_version integer not null default 0;
alter table login add column group_members text;
create table title_rule (
  profile_id text not null references profile on delete cascade,
  title_id {ref} not null references title on delete cascade,
  rule text not null, created_at {ms} not null, expires_at {ms},
  primary key (profile_id, title_id)
);
create index title_rule_title on title_rule (title_id)
`

/** Fills `guide_levels`. Only titles of the demo catalogue and edited titles have a guide, so there are few rows. */
async function packGuides(db: AnyDb): Promise<void> {
  const titleRows = await db
    .selectFrom('title')
    .select(['title_id', 'parental_guide'])
    .where('parental_guide', '<>', '[]')
    .execute()
  for (const titleRow of titleRows)
    await sql`update title set guide_levels = ${packGuide(JSON.parse(titleRow.parental_guide))}
      where title_id = ${titleRow.title_id}`.execute(db)
}
