import { type Selectable, sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'
import type { TitleRow, TitleType } from './catalogue.ts'
import { type Audience, visibleTitles } from './scope.ts'

export type PersonRow = Selectable<Schema['person']>

function creditedTo(db: Db, personId: number) {
  return db
    .selectFrom('credit')
    .select('credit.title_id')
    .where('person_id', '=', personId)
    .where('kind', '=', 'cast')
}

/** A person whom the audience may know of: not blocked, and cast in at least one title that it may see. */
export async function visiblePerson(
  db: Db,
  audience: Audience,
  by: { id: number } | { slug: string },
): Promise<PersonRow | undefined> {
  const people = db.selectFrom('person').selectAll().where('blocked', '=', 0)
  const person = await ('id' in by
    ? people.where('person_id', '=', by.id)
    : people.where('slug', '=', by.slug)
  ).executeTakeFirst()
  if (!person) return undefined
  const seen = await visibleTitles(db, audience)
    .select('title.title_id')
    .where('title_id', 'in', creditedTo(db, person.person_id))
    .limit(1)
    .executeTakeFirst()
  return seen && person
}

/** People by id whom the audience may know of, in no order. */
export async function peopleByIds(db: Db, audience: Audience, ids: number[]): Promise<PersonRow[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('person')
    .selectAll('person')
    .where('person.person_id', 'in', ids)
    .where('person.blocked', '=', 0)
    .where((eb) =>
      eb.exists(
        visibleTitles(db, audience)
          .innerJoin('credit', 'credit.title_id', 'title.title_id')
          .select('credit.title_id')
          .where(sql<boolean>`credit.person_id = person.person_id`)
          .where('credit.kind', '=', 'cast'),
      ),
    )
    .execute()
}

export async function titlesOfPerson(
  db: Db,
  audience: Audience,
  { personId, type, page, limit }: { personId: number; type: TitleType; page: number; limit: number },
): Promise<{ rows: TitleRow[]; total: number }> {
  const mine = visibleTitles(db, audience)
    .where('type', '=', type)
    .where('title_id', 'in', creditedTo(db, personId))
  const rows = await mine
    .selectAll('title')
    .orderBy('year', 'desc')
    .orderBy('popularity', 'desc')
    .orderBy('title_id')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const { total } = await mine.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { rows, total: Number(total) }
}

/** Names of a person in other languages. */
export async function personNames(db: Db, ids: number[], lang: string): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('person_name')
    .select(['person_id', 'text'])
    .where('person_id', 'in', ids)
    .where('lang', '=', lang)
    .execute()
  return new Map(rows.map((row) => [row.person_id, row.text]))
}
