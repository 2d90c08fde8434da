/** Writing people: what importers change. */
import type { Insertable, Selectable, Updateable } from 'kysely'
import { fold } from '../../src/lib/rules/fold.ts'
import { slugify } from '../../src/lib/rules/slug.ts'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'
import { freeSlugs } from './free-slug.ts'
import { evened, insertRows } from './insert-rows.ts'
import { mergePeople } from './person-merge.ts'
import type { PersonRecord } from './title-record.ts'

type Person = Selectable<Schema['person']>
type Name = Insertable<Schema['person_name']>

/**
 * The ids of people, in the order given, who are added or learn new facts. People are told apart by IMDb or TMDB id;
 * without one, by name: a source that gives no ids has no two people of one name.
 */
export async function upsertPeople(db: Db, records: PersonRecord[]): Promise<number[]> {
  const people = new Map<string, PersonRecord>()
  /** The first name given makes the slug, wherever a batch ends. */
  const firstNames = new Map<string, string>()
  for (const record of records) {
    const key = keyOf(record)
    const met = people.get(key)
    if (!met) firstNames.set(key, record.name)
    if (met !== record) people.set(key, met ? { ...met, ...record } : record)
  }
  const find = await knownPeople(db, [...people.values()])
  const ids = new Map<string, number>()
  const added: [string, PersonRecord][] = []
  const names: Name[] = []
  for (const [key, record] of people) {
    const known = find(record)
    if (!known) {
      added.push([key, record])
      continue
    }
    ids.set(key, known.person_id)
    await learn(db, known, record, find)
    if (record.names || record.name !== known.name) names.push(...namesOf(known.person_id, record))
  }
  const fresh = await insertPeople(
    db,
    added.map(([key, record]) => ({ record, slugOf: firstNames.get(key) ?? record.name })),
  )
  for (const [at, [key, record]] of added.entries()) {
    const id = fresh[at] ?? 0
    ids.set(key, id)
    names.push(...namesOf(id, record))
  }
  await insertRows(db, 'person_name', names, { ignore: true })
  return records.map((record) => ids.get(keyOf(record)) ?? 0)
}

function keyOf({ imdb_id, tmdb_id, name }: PersonRecord): string {
  if (imdb_id) return imdb_id
  return tmdb_id === undefined ? `name ${name}` : `tmdb ${tmdb_id}`
}

type Find = (record: Pick<PersonRecord, 'name' | 'imdb_id' | 'tmdb_id'>) => Person | undefined

async function knownPeople(db: Db, records: PersonRecord[]): Promise<Find> {
  const imdbIds = records.flatMap((record) => record.imdb_id ?? [])
  const tmdbIds = records.flatMap((record) => record.tmdb_id ?? [])
  const bare = records.filter((record) => !record.imdb_id && record.tmdb_id === undefined)
  const people = db.selectFrom('person').selectAll()
  const known = new Map<string, Person>()
  const keep = (rows: Person[], key: (row: Person) => string) => {
    for (const row of rows) known.set(key(row), row)
  }
  if (bare.length > 0) {
    const wanted = evened(bare.map((record) => record.name))
    const named = people.where('name', 'in', wanted).where('imdb_id', 'is', null).where('tmdb_id', 'is', null)
    keep(await named.execute(), (row) => `name ${row.name}`)
  }
  if (tmdbIds.length > 0)
    keep(await people.where('tmdb_id', 'in', evened(tmdbIds)).execute(), (row) => `tmdb ${row.tmdb_id}`)
  if (imdbIds.length > 0)
    keep(await people.where('imdb_id', 'in', evened(imdbIds)).execute(), (row) => row.imdb_id ?? '')
  return ({ name, imdb_id, tmdb_id }) => {
    const found = imdb_id ? known.get(imdb_id) : undefined
    if (found || (imdb_id && tmdb_id === undefined)) return found
    return known.get(tmdb_id === undefined ? `name ${name}` : `tmdb ${tmdb_id}`)
  }
}

/** Writes the facts that are news. Ids of two rows in one record say that both are one person. */
async function learn(db: Db, known: Person, record: PersonRecord, find: Find): Promise<void> {
  const tmdb = record.tmdb_id
  const other = tmdb !== undefined && known.tmdb_id !== tmdb ? find({ name: '', tmdb_id: tmdb }) : undefined
  if (other && other.person_id !== known.person_id) await mergePeople(db, known.person_id, other.person_id)
  const news: Updateable<Schema['person']> = {}
  for (const [key, value] of Object.entries(factsOf(record))) {
    if (value === null || value === known[key as keyof Person]) continue
    Object.assign(news, { [key]: value })
  }
  if (Object.keys(news).length === 0) return
  await db.updateTable('person').set(news).where('person_id', '=', known.person_id).execute()
}

async function insertPeople(db: Db, people: { record: PersonRecord; slugOf: string }[]): Promise<number[]> {
  const slugs = await freeSlugs(
    db,
    { table: 'person' },
    people.map(({ slugOf }) => [slugify(slugOf)]),
  )
  const rows = people.map(({ record }, at) => ({
    ...factsOf(record),
    slug: slugs[at] ?? '',
    popularity: 0,
    blocked: 0,
  }))
  const answers = await insertRows(db, 'person', rows, { returning: ['person_id', 'slug'] })
  const ids = new Map(answers.map((row) => [row['slug'], Number(row['person_id'])]))
  return slugs.map((slug) => ids.get(slug) ?? 0)
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
function namesOf(person_id: number, { name, names = [] }: PersonRecord): Name[] {
  return [{ lang: 'en', text: name }, ...names].map(({ lang, text }) => ({
    person_id,
    lang,
    text,
    folded: fold(text),
  }))
}
