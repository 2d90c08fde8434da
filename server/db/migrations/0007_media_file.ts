import type { Kysely } from 'kysely'
import { executeDdl } from '../ddl.ts'

/** Adds the ffprobe results for files of the media folder, so that each file is examined only once. */
export async function up(db: Kysely<never>): Promise<void> {
  await executeDdl(
    db,
    `
create table media_file (
  path text primary key, size_bytes {ms} not null, modified_at {ms} not null, probed_at {ms} not null,
  information text, keyframes text
)
`,
  )
}
