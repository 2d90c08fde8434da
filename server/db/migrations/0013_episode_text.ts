import type { Kysely } from 'kysely'
import { executeDdl } from '../ddl.ts'

/** Adds the overviews of episodes in languages other than the language of `episode.overview`. */
export async function up(db: Kysely<never>): Promise<void> {
  await executeDdl(
    db,
    `
create table episode_text (
  title_id {ref} not null references title on delete cascade, season_number integer not null,
  episode_number integer not null, lang text not null, overview text not null,
  primary key (title_id, season_number, episode_number, lang)
)
`,
  )
}
