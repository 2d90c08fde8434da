import { sql } from 'kysely'
import type { Db } from '../db/open.ts'

/** Two rows turned out to be one person: what the second has goes to the first, whose page stays. Call it in a transaction. */
export async function mergePeople(db: Db, keep: number, drop: number): Promise<void> {
  await db.updateTable('credit').set({ person_id: keep }).where('person_id', '=', drop).execute()
  await db
    .updateTable('block_rule')
    .set({ media_id: keep })
    .where('type', '=', 'actor')
    .where('media_id', '=', drop)
    .execute()
  await db
    .updateTable('person')
    .set({ blocked: 1 })
    .where('person_id', '=', keep)
    .where('blocked', '=', 0)
    .where(sql<boolean>`exists (select 1 from person p where p.person_id = ${drop} and p.blocked = 1)`)
    .execute()
  await sql`
    insert into person_name (person_id, lang, text, folded)
    select ${keep}, lang, text, folded from person_name n where person_id = ${drop} and not exists
      (select 1 from person_name k where k.person_id = ${keep} and k.lang = n.lang and k.text = n.text)`.execute(
    db,
  )
  await db.deleteFrom('person').where('person_id', '=', drop).execute()
}
