/** Characters of titles, from their cast. */
import type { Db } from '../db/database.ts'

/** Number of leading cast members, whose characters are the main characters. Positions in the cast start at 0. */
const MAIN_CAST_SIZE = 3

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
    .where('credit.position', '<', MAIN_CAST_SIZE)
    .where('credit.character', 'is not', null)
    .where('person.blocked', '=', 0)
    .orderBy('credit.position')
    .execute()
  return rows.flatMap(({ title_id, character }) => (character ? [{ title_id, character }] : []))
}
