import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/**
 * Merges two rows of the same person: moves everything from `dropId` to `keepId` and deletes `dropId`. Call it in a
 * transaction.
 */
export async function mergePeople(db: Db, keepId: number, dropId: number): Promise<void> {
  await db.updateTable('credit').set({ person_id: keepId }).where('person_id', '=', dropId).execute()
  await db
    .updateTable('block_rule')
    .set({ media_id: keepId })
    .where('type', '=', 'actor')
    .where('media_id', '=', dropId)
    .execute()
  // The row is written even if its values stay equal, because the change of its credits must be recorded as a change of the
  // person.
  await db
    .updateTable('person')
    .set({
      blocked: sql<number>`(select max(p.blocked) from person p where p.person_id in (${keepId}, ${dropId}))`,
    })
    .where('person_id', '=', keepId)
    .execute()
  await sql`
    insert into person_name (person_id, lang, text, folded)
    select ${keepId}, lang, text, folded from person_name n where person_id = ${dropId} and not exists
      (select 1 from person_name k where k.person_id = ${keepId} and k.lang = n.lang and k.text = n.text)`.execute(
    db,
  )
  await db.deleteFrom('person').where('person_id', '=', dropId).execute()
}
