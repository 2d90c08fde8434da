/** Characters of titles, from their cast. */
import type { Db } from '../db/database.ts'

/** Main characters have a lower position in the cast than this. The first position is 0. */
const MAX_POSITION = 3

/** Returns the main characters of titles in the order of the cast. Characters played by blocked people are left out. */
export async function selectMainCharacters(
  db: Db,
  titleIds: readonly number[],
): Promise<{ title_id: number; character: string }[]> {
  if (titleIds.length === 0) return []
  const rows = await db
    .selectFrom('credit')
    .innerJoin('person', 'person.person_id', 'credit.person_id')
    .select(['credit.title_id', 'credit.character'])
    .where('credit.title_id', 'in', titleIds)
    .where('credit.kind', '=', 'cast')
    .where('credit.position', '<', MAX_POSITION)
    .where('credit.character', 'is not', null)
    .where('person.blocked', '=', 0)
    .orderBy('credit.position')
    .execute()
  return rows.flatMap(({ title_id, character }) => (character ? [{ title_id, character }] : []))
}
