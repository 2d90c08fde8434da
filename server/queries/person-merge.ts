import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/**
 * Merges two rows of the same person: moves everything from `droppedPersonId` to `keptPersonId` and deletes
 * `droppedPersonId`. Call it in a transaction.
 */
export async function mergePeople(db: Db, keptPersonId: number, droppedPersonId: number): Promise<void> {
  await db
    .updateTable('credit')
    .set({ person_id: keptPersonId })
    .where('person_id', '=', droppedPersonId)
    .execute()
  await db
    .updateTable('block_rule')
    .set({ media_id: keptPersonId })
    .where('type', '=', 'actor')
    .where('media_id', '=', droppedPersonId)
    .execute()
  // The row is written even if its values stay equal, because the change of its credits must be recorded as a change of the
  // person.
  await db
    .updateTable('person')
    .set({
      blocked: sql<number>`(select max(p.blocked) from person p where p.person_id in (${keptPersonId}, ${droppedPersonId}))`,
    })
    .where('person_id', '=', keptPersonId)
    .execute()
  await sql`
    insert into person_name (person_id, lang, text, folded)
    select ${keptPersonId}, lang, text, folded from person_name n where person_id = ${droppedPersonId} and not exists
      (select 1 from person_name k where k.person_id = ${keptPersonId} and k.lang = n.lang and k.text = n.text)`.execute(
    db,
  )
  await db.deleteFrom('person').where('person_id', '=', droppedPersonId).execute()
}
