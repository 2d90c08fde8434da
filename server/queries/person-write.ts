/** Inserts and updates people for importers. */
import type { Insertable, Updateable } from 'kysely'
import { foldSearchText } from '../../src/lib/rules/fold-search-text.ts'
import { slugify } from '../../src/lib/rules/slug.ts'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import { insertRows, padToPowerOfTwo } from './insert-rows.ts'
import { encodeLocalisedText } from './localised-text.ts'
import { type PersonRow, SEARCHED_NAME_LANGUAGE } from './person.ts'
import { mergePeople } from './person-merge.ts'
import { findFreeSlugs } from './slug.ts'
import type { PersonRecord } from './title-record.ts'

type PersonNameRow = Insertable<DatabaseSchema['person_name']>

/**
 * Value of `person_name.lang` for the main name of a person. The main name is stored in `person_name` too, so that
 * search finds all names in one table.
 */
const MAIN_NAME_LANGUAGE = 'en'

/**
 * Inserts or updates people and returns their ids in the order of `records`. People are identified by IMDb or TMDB id,
 * otherwise by name, because names are assumed to be unique in sources without ids.
 */
export async function upsertPeople(db: Db, records: PersonRecord[]): Promise<number[]> {
  const recordsByKey = new Map<string, PersonRecord>()
  /**
   * Name in the first record of each person in this batch. The slug is made from this name, because the slug must not
   * depend on the batch size: in smaller batches, the person is created from the first record alone.
   */
  const firstNamesByKey = new Map<string, string>()
  for (const record of records) {
    const personKey = getPersonKey(record)
    const previousRecord = recordsByKey.get(personKey)
    if (!previousRecord) firstNamesByKey.set(personKey, record.name)
    if (previousRecord !== record)
      recordsByKey.set(personKey, previousRecord ? { ...previousRecord, ...record } : record)
  }
  const findKnownPerson = await loadKnownPeople(db, [...recordsByKey.values()])
  const idsByKey = new Map<string, number>()
  const addedPeople: [string, PersonRecord][] = []
  const renamedPeopleById = new Map<number, PersonRecord>()
  for (const [personKey, record] of recordsByKey) {
    const knownPerson = findKnownPerson(record)
    if (!knownPerson) {
      addedPeople.push([personKey, record])
      continue
    }
    idsByKey.set(personKey, knownPerson.person_id)
    await updatePerson(db, knownPerson, record, findKnownPerson)
    if (record.names || record.name !== knownPerson.name)
      renamedPeopleById.set(knownPerson.person_id, {
        ...renamedPeopleById.get(knownPerson.person_id),
        ...record,
      })
  }
  await replacePersonNames(db, renamedPeopleById)
  const insertedIds = await insertPeople(
    db,
    addedPeople.map(([personKey, record]) => ({
      record,
      slugSource: firstNamesByKey.get(personKey) ?? record.name,
    })),
  )
  const nameRows: PersonNameRow[] = []
  for (const [index, [personKey, record]] of addedPeople.entries()) {
    const personId = insertedIds[index] ?? 0
    idsByKey.set(personKey, personId)
    nameRows.push(...createNameRows(personId, record))
  }
  await insertRows(db, 'person_name', nameRows)
  return records.map((record) => idsByKey.get(getPersonKey(record)) ?? 0)
}

function getPersonKey({ imdb_id, tmdb_id, name }: PersonRecord): string {
  if (imdb_id) return imdb_id
  return tmdb_id === undefined ? `name ${name}` : `tmdb ${tmdb_id}`
}

type PersonLookup = (record: Pick<PersonRecord, 'name' | 'imdb_id' | 'tmdb_id'>) => PersonRow | undefined

async function loadKnownPeople(db: Db, records: PersonRecord[]): Promise<PersonLookup> {
  const imdbIds = records.flatMap((record) => record.imdb_id ?? [])
  const tmdbIds = records.flatMap((record) => record.tmdb_id ?? [])
  const recordsWithoutId = records.filter((record) => !record.imdb_id && record.tmdb_id === undefined)
  const personQuery = db.selectFrom('person').selectAll()
  const knownPeopleByKey = new Map<string, PersonRow>()
  const indexKnownPeople = (rows: PersonRow[], getKey: (row: PersonRow) => string) => {
    for (const row of rows) knownPeopleByKey.set(getKey(row), row)
  }
  if (recordsWithoutId.length > 0) {
    const names = padToPowerOfTwo(recordsWithoutId.map((record) => record.name))
    const peopleWithName = personQuery
      .where('name', 'in', names)
      .where('imdb_id', 'is', null)
      .where('tmdb_id', 'is', null)
    indexKnownPeople(await peopleWithName.execute(), (row) => `name ${row.name}`)
  }
  if (tmdbIds.length > 0)
    indexKnownPeople(
      await personQuery.where('tmdb_id', 'in', padToPowerOfTwo(tmdbIds)).execute(),
      (row) => `tmdb ${row.tmdb_id}`,
    )
  if (imdbIds.length > 0)
    indexKnownPeople(
      await personQuery.where('imdb_id', 'in', padToPowerOfTwo(imdbIds)).execute(),
      (row) => row.imdb_id ?? '',
    )
  return ({ name, imdb_id, tmdb_id }) => {
    const foundPerson = imdb_id ? knownPeopleByKey.get(imdb_id) : undefined
    if (foundPerson || (imdb_id && tmdb_id === undefined)) return foundPerson
    return knownPeopleByKey.get(tmdb_id === undefined ? `name ${name}` : `tmdb ${tmdb_id}`)
  }
}

/**
 * Updates the columns of a person that differ from the record, except those for which the record has no value. If the
 * ids of the record belong to two rows, both rows describe the same person and are merged.
 */
async function updatePerson(
  db: Db,
  knownPerson: PersonRow,
  record: PersonRecord,
  findKnownPerson: PersonLookup,
): Promise<void> {
  const tmdbId = record.tmdb_id
  const duplicatePerson =
    tmdbId !== undefined && knownPerson.tmdb_id !== tmdbId
      ? findKnownPerson({ name: '', tmdb_id: tmdbId })
      : undefined
  if (duplicatePerson && duplicatePerson.person_id !== knownPerson.person_id)
    await mergePeople(db, knownPerson.person_id, duplicatePerson.person_id)
  const changes: Updateable<DatabaseSchema['person']> = {}
  for (const [column, value] of Object.entries(createPersonColumns(record))) {
    if (value === null || value === knownPerson[column as keyof PersonRow]) continue
    Object.assign(changes, { [column]: value })
  }
  if (Object.keys(changes).length === 0) return
  await db.updateTable('person').set(changes).where('person_id', '=', knownPerson.person_id).execute()
}

async function insertPeople(
  db: Db,
  people: { record: PersonRecord; slugSource: string }[],
): Promise<number[]> {
  const slugs = await findFreeSlugs(
    db,
    { table: 'person' },
    people.map(({ slugSource }) => [slugify(slugSource)]),
  )
  const rows = people.map(({ record }, index) => ({
    ...createPersonColumns(record),
    slug: slugs[index] ?? '',
    popularity: 0,
    blocked: 0,
  }))
  const insertedRows = await insertRows(db, 'person', rows, { returning: ['person_id', 'slug'] })
  const idsBySlug = new Map(insertedRows.map((row) => [row['slug'], Number(row['person_id'])]))
  return slugs.map((slug) => idsBySlug.get(slug) ?? 0)
}

function createPersonColumns(record: PersonRecord) {
  const { texts = [] } = record
  return {
    name: record.name,
    imdb_id: record.imdb_id ?? null,
    tmdb_id: record.tmdb_id ?? null,
    birthday: record.birthday ?? null,
    deathday: record.deathday ?? null,
    place_of_birth: encodeLocalisedText(
      record.place_of_birth,
      texts.map(({ lang, place_of_birth }) => ({ lang, text: place_of_birth })),
    ),
    biography: encodeLocalisedText(
      record.biography,
      texts.map(({ lang, biography }) => ({ lang, text: biography })),
    ),
    profile_path: record.profile_path ?? null,
  }
}

/**
 * Replaces the names of existing people. A record without `names` replaces only the main name. If a name of a person
 * has changed, the row of the person is written too. Otherwise the change log would not contain the person, and the
 * search index would keep the previous names.
 */
async function replacePersonNames(db: Db, recordsByPersonId: Map<number, PersonRecord>): Promise<void> {
  if (recordsByPersonId.size === 0) return
  const storedRows = await db
    .selectFrom('person_name')
    .select(['person_id', 'lang', 'text'])
    .where('person_id', 'in', padToPowerOfTwo([...recordsByPersonId.keys()]))
    .execute()
  const storedRowsByPersonId = Map.groupBy(storedRows, (row) => row.person_id)
  const addedRows: PersonNameRow[] = []
  const changedPersonIds = new Set<number>()
  for (const [personId, record] of recordsByPersonId) {
    const storedNames = new Set((storedRowsByPersonId.get(personId) ?? []).map(formatName))
    const nameRows = createNameRows(personId, record)
    for (const row of nameRows) {
      if (storedNames.delete(formatName(row))) continue
      addedRows.push(row)
      changedPersonIds.add(personId)
    }
    for (const { lang, text } of storedRowsByPersonId.get(personId) ?? []) {
      if (!storedNames.has(formatName({ lang, text }))) continue
      if (!record.names && lang !== MAIN_NAME_LANGUAGE) continue
      changedPersonIds.add(personId)
      await db
        .deleteFrom('person_name')
        .where('person_id', '=', personId)
        .where('lang', '=', lang)
        .where('text', '=', text)
        .execute()
    }
  }
  if (changedPersonIds.size === 0) return
  await insertRows(db, 'person_name', addedRows)
  await db
    .updateTable('person')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('person_id', 'in', padToPowerOfTwo([...changedPersonIds]))
    .execute()
}

const formatName = ({ lang, text }: { lang: string; text: string }) => `${lang} ${text}`

/** Creates the name rows of a person. The first name of a language is displayed; the others are only searched. */
function createNameRows(person_id: number, { name, names = [] }: PersonRecord): PersonNameRow[] {
  const rows: PersonNameRow[] = []
  for (const { lang, text } of [{ lang: MAIN_NAME_LANGUAGE, text: name }, ...names]) {
    const isDisplayed = rows.every((row) => row.lang !== lang)
    if (isDisplayed || rows.every((row) => row.text !== text))
      rows.push({
        person_id,
        lang: isDisplayed ? lang : SEARCHED_NAME_LANGUAGE,
        text,
        folded: foldSearchText(text),
      })
  }
  return rows
}
