/** Names of titles and people by folded text: exact, then beginning, then a word's beginning. */
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import { type Audience, visibleTitles } from './scope.ts'

export interface Match {
  id: number
  /** 0 the whole name, 1 its beginning, 2 the beginning of a word. */
  rank: number
  popularity: number
}
const MOST = 500

const escaped = (text: string) => text.replace(/[\\%_]/g, (sign) => `\\${sign}`)
const rankOf = (folded: string) => sql<number>`min(case when folded = ${folded} then 0
  when folded like ${`${escaped(folded)}%`} escape '\\' then 1 else 2 end)`
const matches = (folded: string) => sql<boolean>`(folded like ${`${escaped(folded)}%`} escape '\\'
  or folded like ${`% ${escaped(folded)}%`} escape '\\')`

export async function findTitles(
  db: Db,
  audience: Audience,
  folded: string,
): Promise<(Match & { type: string })[]> {
  return visibleTitles(db, audience)
    .innerJoin('title_name', 'title_name.title_id', 'title.title_id')
    .select(['title.title_id as id', 'title.type', 'title.popularity', rankOf(folded).as('rank')])
    .where(matches(folded))
    .groupBy(['title.title_id', 'title.type', 'title.popularity'])
    .orderBy('rank')
    .orderBy('title.popularity', 'desc')
    .limit(MOST)
    .execute()
}

/** People cast in a title that the audience may see. */
export async function findPeople(db: Db, audience: Audience, folded: string): Promise<Match[]> {
  const seen = visibleTitles(db, audience).select('title.title_id')
  return db
    .selectFrom('person')
    .innerJoin('person_name', 'person_name.person_id', 'person.person_id')
    .select(['person.person_id as id', 'person.popularity', rankOf(folded).as('rank')])
    .where('person.blocked', '=', 0)
    .where(matches(folded))
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('credit')
          .select('credit.title_id')
          .whereRef('credit.person_id', '=', 'person.person_id')
          .where('credit.kind', '=', 'cast')
          .where('credit.title_id', 'in', seen),
      ),
    )
    .groupBy(['person.person_id', 'person.popularity'])
    .orderBy('rank')
    .orderBy('person.popularity', 'desc')
    .orderBy('person.person_id')
    .limit(MOST)
    .execute()
}

export async function peopleByIds(db: Db, ids: number[]) {
  if (ids.length === 0) return []
  return db.selectFrom('person').selectAll().where('person_id', 'in', ids).execute()
}
