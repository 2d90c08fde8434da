import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { SEARCHED_NAME_LANGUAGE } from './person.ts'

/**
 * Merges two rows of the same person: moves the credits, the block rule and the names of `droppedPersonId` to
 * `keptPersonId`, and deletes `droppedPersonId`. Call it in a transaction.
 */
export async function mergePeople(db: Db, keptPersonId: number, droppedPersonId: number): Promise<void> {
  await db
    .updateTable('credit')
    .set({ person_id: keptPersonId })
    .where('person_id', '=', droppedPersonId)
    .execute()
  await moveBlockRule(db, keptPersonId, droppedPersonId)
  // The row is written even if `blocked` stays equal, so that a trigger adds the person to the change log. Otherwise
  // the search index would not be updated with the moved credits.
  await db
    .updateTable('person')
    .set({
      blocked: sql<number>`(select max(p.blocked) from person p where p.person_id in (${keptPersonId}, ${droppedPersonId}))`,
    })
    .where('person_id', '=', keptPersonId)
    .execute()
  // A person has one displayed name per language. All other names of both people are stored for search only.
  await sql`
    insert into person_name (person_id, lang, text, folded)
    select distinct p.person_id, case when exists
      (select 1 from person_name k where k.person_id = p.person_id and k.lang = n.lang)
      then ${SEARCHED_NAME_LANGUAGE} else n.lang end, n.text, n.folded
    from person p, person_name n
    where p.person_id = ${keptPersonId} and n.person_id = ${droppedPersonId} and not exists
      (select 1 from person_name k where k.person_id = p.person_id and k.text = n.text
        and (k.lang <> ${SEARCHED_NAME_LANGUAGE} or exists
          (select 1 from person_name d where d.person_id = p.person_id and d.lang = n.lang)))`.execute(db)
  await db.deleteFrom('person').where('person_id', '=', droppedPersonId).execute()
}

/** Moves the block rule of `droppedPersonId`, or deletes it if `keptPersonId` has one. A person has one block rule. */
async function moveBlockRule(db: Db, keptPersonId: number, droppedPersonId: number): Promise<void> {
  const rulesOfPeople = await db
    .selectFrom('block_rule')
    .select(['block_id', 'media_id'])
    .where('type', '=', 'actor')
    .where('media_id', 'in', [keptPersonId, droppedPersonId])
    .execute()
  const isKeptPersonBlocked = rulesOfPeople.some((rule) => rule.media_id === keptPersonId)
  const droppedRuleIds = rulesOfPeople.flatMap((rule) =>
    rule.media_id === droppedPersonId ? [rule.block_id] : [],
  )
  if (droppedRuleIds.length === 0) return
  if (isKeptPersonBlocked) await db.deleteFrom('block_rule').where('block_id', 'in', droppedRuleIds).execute()
  else
    await db
      .updateTable('block_rule')
      .set({ media_id: keptPersonId })
      .where('block_id', 'in', droppedRuleIds)
      .execute()
}
