import type { Updateable } from 'kysely'
import { fold } from '../../src/lib/rules/fold.ts'
import { slugify } from '../../src/lib/rules/slug.ts'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'
import type { PersonRecord } from './title-record.ts'

/**
 * The id of a person, who is added or learns new facts. People are told apart by IMDb or TMDB id; without one, by name:
 * a source that gives no ids has no two people of one name.
 */
export async function upsertPerson(db: Db, record: PersonRecord): Promise<number> {
  const known = await findPerson(db, record)
  const facts = factsOf(record)
  if (known) {
    const news = Object.fromEntries(
      Object.entries(facts).filter(
        ([key, value]) => value !== null && value !== known[key as keyof typeof known],
      ),
    ) as Updateable<Schema['person']>
    if (Object.keys(news).length > 0) {
      await db.updateTable('person').set(news).where('person_id', '=', known.person_id).execute()
    }
    await addNames(db, known.person_id, record)
    return known.person_id
  }
  const row = await db
    .insertInto('person')
    .values({ ...facts, slug: await freeSlug(db, record.name), popularity: 0, blocked: 0 })
    .returning('person_id')
    .executeTakeFirstOrThrow()
  const personId = Number(row.person_id)
  await addNames(db, personId, record)
  return personId
}

async function findPerson(db: Db, record: PersonRecord) {
  const people = db.selectFrom('person').selectAll()
  if (record.imdb_id) {
    const found = await people.where('imdb_id', '=', record.imdb_id).executeTakeFirst()
    if (found) return found
  }
  if (record.tmdb_id !== undefined) {
    const found = await people.where('tmdb_id', '=', record.tmdb_id).executeTakeFirst()
    if (found) return found
  }
  if (record.imdb_id || record.tmdb_id !== undefined) return undefined
  return people
    .where('name', '=', record.name)
    .where('imdb_id', 'is', null)
    .where('tmdb_id', 'is', null)
    .executeTakeFirst()
}

function factsOf(record: PersonRecord) {
  return {
    name: record.name,
    imdb_id: record.imdb_id ?? null,
    tmdb_id: record.tmdb_id ?? null,
    birthday: record.birthday ?? null,
    deathday: record.deathday ?? null,
    place_of_birth: record.place_of_birth ?? null,
    biography: record.biography ?? null,
    profile_path: record.profile_path ?? null,
  }
}

/** The name itself counts as English, so that search finds every person in one table. */
async function addNames(db: Db, personId: number, { name, names = [] }: PersonRecord): Promise<void> {
  const all = [{ lang: 'en', text: name }, ...names].map((one) => ({
    person_id: personId,
    ...one,
    folded: fold(one.text),
  }))
  await db
    .insertInto('person_name')
    .values(all)
    .onConflict((conflict) => conflict.columns(['person_id', 'lang', 'text']).doNothing())
    .execute()
}

async function freeSlug(db: Db, name: string): Promise<string> {
  const base = slugify(name)
  const taken = await db
    .selectFrom('person')
    .select('slug')
    .where('slug', '>=', base)
    .where('slug', '<=', `${base}-\u{10ffff}`)
    .execute()
  const used = new Set(taken.map((row) => row.slug))
  let slug = base
  for (let number = 2; used.has(slug); number++) slug = `${base}-${number}`
  return slug
}
