import type { Kysely } from 'kysely'
import { executeDdl } from '../ddl.ts'

/** Adds the table of files of the media folder that have thumbnails for the seek bar. */
export async function up(db: Kysely<never>): Promise<void> {
  await executeDdl(
    db,
    `
create table seek_thumbnails (
  path text primary key, size_bytes {ms} not null, modified_at {ms} not null, made_at {ms} not null,
  folder text not null, frame_count integer not null, interval_seconds integer not null, stored_bytes {ms} not null
)
`,
  )
}
