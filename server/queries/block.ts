import { sql } from 'kysely'
import type { Db } from '../db/open.ts'

/** Sets the `blocked` flags of titles and people to what the block list says now; writes only rows that differ. */
export async function applyBlockRules(db: Db): Promise<void> {
  await sql`
    update title set blocked = 1 - blocked where blocked <> (case when
      exists (select 1 from block_rule r where r.type = title.type and r.media_id = title.title_id)
      or exists (select 1 from block_rule r join title_keyword k on k.keyword = r.value
                 where r.type = 'keyword' and k.title_id = title.title_id)
      then 1 else 0 end)`.execute(db)
  await sql`
    update person set blocked = 1 - blocked where blocked <> (case when
      exists (select 1 from block_rule r where r.type = 'actor' and r.media_id = person.person_id)
      then 1 else 0 end)`.execute(db)
}
