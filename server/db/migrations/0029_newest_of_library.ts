import type { Kysely } from 'kysely'
import { executeDdl } from '../ddl.ts'

/**
 * Adds the indexes by which the newest files of the media folder and the newest items of media servers are found. Files
 * that were found in the same hour, for example by one scan, are ordered by their modification time.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await executeDdl(
    db,
    `
create index library_file_newest on library_file (state, (added_at / 3600000), modified_at);
create index media_server_item_newest on media_server_item (state, added_at)
`,
  )
}
