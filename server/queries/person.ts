import { type Selectable, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import { type PageOfRows, type PageRequest, selectPage } from './page.ts'
import type { TitleRow, TitleType } from './title.ts'
import { type Audience, queryVisibleTitles } from './title-scope.ts'

export type PersonRow = Selectable<DatabaseSchema['person']>

/** Value of `person_name.lang` for names that search finds, but that are not displayed. */
export const SEARCHED_NAME_LANGUAGE = ''

function queryCreditedTitleIds(db: Db, personId: number) {
  return db.selectFrom('credit').select('credit.title_id').where('person_id', '=', personId)
}

/**
 * Returns a person; undefined if the person does not exist, is blocked, or has no credit in a title that the audience
 * may see.
 */
export async function selectVisiblePerson(
  db: Db,
  audience: Audience,
  identifier: { id: number } | { slug: string },
): Promise<PersonRow | undefined> {
  const personQuery = db.selectFrom('person').selectAll().where('blocked', '=', 0)
  const person = await ('id' in identifier
    ? personQuery.where('person_id', '=', identifier.id)
    : personQuery.where('slug', '=', identifier.slug)
  ).executeTakeFirst()
  if (!person) return undefined
  const visibleTitle = await queryVisibleTitles(db, audience)
    .select('title.title_id')
    .where('title_id', 'in', queryCreditedTitleIds(db, person.person_id))
    .limit(1)
    .executeTakeFirst()
  return visibleTitle && person
}

/** Maximum number of ids in one statement; SQLite accepts 32,766 parameters. */
const MAX_IDS_PER_STATEMENT = 4_096

/** Returns the ids of those people in `personIds` whom the audience may see, in no particular order. */
export async function selectVisiblePersonIds(
  db: Db,
  audience: Audience,
  personIds: readonly number[],
): Promise<number[]> {
  const visibleIds: number[] = []
  for (let startIndex = 0; startIndex < personIds.length; startIndex += MAX_IDS_PER_STATEMENT) {
    const rows = await queryVisiblePeople(
      db,
      audience,
      personIds.slice(startIndex, startIndex + MAX_IDS_PER_STATEMENT),
    )
      .select('person.person_id')
      .execute()
    for (const row of rows) visibleIds.push(row.person_id)
  }
  return visibleIds
}

/** Returns those of the people `personIds` whom the audience may see, in no particular order. */
export async function selectPeopleByIds(
  db: Db,
  audience: Audience,
  personIds: number[],
): Promise<PersonRow[]> {
  if (personIds.length === 0) return []
  return queryVisiblePeople(db, audience, personIds).selectAll('person').execute()
}

function queryVisiblePeople(db: Db, audience: Audience, personIds: number[]) {
  return db
    .selectFrom('person')
    .where('person.person_id', 'in', personIds)
    .where('person.blocked', '=', 0)
    .where((eb) =>
      eb.exists(
        queryVisibleTitles(db, audience)
          .innerJoin('credit', 'credit.title_id', 'title.title_id')
          .select('credit.title_id')
          .where(sql<boolean>`credit.person_id = person.person_id`)
          // Because of the offset, PostgreSQL looks up the titles of each person. Otherwise PostgreSQL would join the
          // tables, and might read all people.
          .limit(1)
          .offset(0),
      ),
    )
}

/** Returns a page of the titles that the audience may see and in which the person has a credit, latest title first. */
export async function selectTitlesOfPerson(
  db: Db,
  audience: Audience,
  { personId, type, ...request }: PageRequest & { personId: number; type: TitleType },
): Promise<PageOfRows<TitleRow>> {
  const titleQuery = queryVisibleTitles(db, audience)
    .where('type', '=', type)
    .where('title_id', 'in', queryCreditedTitleIds(db, personId))
  const rowsQuery = titleQuery
    .selectAll('title')
    .orderBy('year', (order) => order.desc().nullsLast())
    .orderBy('release_date', (order) => order.desc().nullsLast())
    .orderBy('popularity', 'desc')
    .orderBy('title_id')
  return selectPage(rowsQuery, titleQuery, request)
}

/**
 * Returns the names of people in a language, by person id. People without a name in the language are absent. The result
 * for `en` is empty, because `person.name` is the English name.
 */
export async function selectPersonNames(
  db: Db,
  personIds: number[],
  lang: string,
): Promise<Map<number, string>> {
  if (personIds.length === 0 || lang === 'en') return new Map()
  const rows = await db
    .selectFrom('person_name')
    .select(['person_id', 'text'])
    .where('person_id', 'in', personIds)
    .where('lang', '=', lang)
    // People that an earlier version of the program imported can have several names in one language. With this order,
    // SQLite and PostgreSQL return the same name.
    .orderBy('text', 'desc')
    .execute()
  return new Map(rows.map((row) => [row.person_id, row.text]))
}

/** Returns the jobs of people in titles that the audience may see, and the number of titles for each job. */
export async function selectJobsOfPeople(db: Db, audience: Audience, personIds: number[]) {
  if (personIds.length === 0) return []
  const rows = await queryVisibleTitles(db, audience)
    .innerJoin('credit', 'credit.title_id', 'title.title_id')
    .select((eb) => [
      'credit.person_id',
      'credit.job',
      eb.fn.count<number>('title.title_id').distinct().as('titles'),
    ])
    .where('credit.person_id', 'in', personIds)
    .groupBy(['credit.person_id', 'credit.job'])
    .execute()
  return rows.map((row) => ({ ...row, titles: Number(row.titles) }))
}

/**
 * Returns up to `maxRows` credits after `afterCredit`, in order of person, title and job. If credits with the same
 * person, title and job do not all fit into the result, the call with the last of them as `afterCredit` skips the rest.
 */
export async function selectCreditsAfter(
  db: Db,
  afterCredit: { person_id: number; title_id: number; job: string },
  maxRows: number,
) {
  return db
    .selectFrom('credit')
    .select(['person_id', 'title_id', 'job'])
    .where(
      sql<boolean>`(person_id, title_id, job) > (${afterCredit.person_id}, ${afterCredit.title_id}, ${afterCredit.job})`,
    )
    .orderBy('person_id')
    .orderBy('title_id')
    .orderBy('job')
    .limit(maxRows)
    .execute()
}

/** Returns the highest id of a person; 0 when no person exists. */
export async function selectLastPersonId(db: Db): Promise<number> {
  const row = await db
    .selectFrom('person')
    .select('person_id')
    .orderBy('person_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.person_id ?? 0
}

/**
 * Returns the ids of blocked people above `afterPersonId`, up to `lastPersonId`. The query reads the rows of all people
 * in this range.
 */
export async function selectBlockedPersonIds(
  db: Db,
  { afterPersonId, lastPersonId }: { afterPersonId: number; lastPersonId: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('person')
    .select('person_id')
    .where('person_id', '>', afterPersonId)
    .where('person_id', '<=', lastPersonId)
    .where('blocked', '=', 1)
    .execute()
  return rows.map((row) => row.person_id)
}

/** Returns the ids of the people who have a credit in at least one of these titles. */
export async function selectPersonIdsOfTitles(db: Db, titleIds: readonly number[]): Promise<number[]> {
  if (titleIds.length === 0) return []
  const rows = await db
    .selectFrom('credit')
    .select('person_id')
    .distinct()
    .where('title_id', 'in', titleIds)
    .execute()
  return rows.map((row) => row.person_id)
}

export async function selectJobsInTitles(db: Db, personId: number, titleIds: number[]) {
  if (titleIds.length === 0) return []
  return db
    .selectFrom('credit')
    .select(['title_id', 'job'])
    .distinct()
    .where('person_id', '=', personId)
    .where('title_id', 'in', titleIds)
    .orderBy('job')
    .execute()
}

/**
 * Returns the titles that the audience may see and in which the person has a credit, most votes first: at most
 * `limitPerType` movies and as many series. Each row contains the jobs and the name of the person.
 */
export async function selectCreditedTitles(
  db: Db,
  audience: Audience,
  { personId, limitPerType }: { personId: number; limitPerType: number },
) {
  const rows = await queryVisibleTitles(db, audience)
    .innerJoin('credit', 'credit.title_id', 'title.title_id')
    .innerJoin('person', 'person.person_id', 'credit.person_id')
    .select(['title.title_id', 'title.type', 'title.rating_votes', 'person.name', 'credit.job'])
    .where('credit.person_id', '=', personId)
    .where('person.blocked', '=', 0)
    .orderBy('title.rating_votes', 'desc')
    .orderBy('title.title_id')
    .execute()
  const titleCounts = { movie: 0, tv: 0 }
  return [...Map.groupBy(rows, (row) => row.title_id).values()].flatMap((credits) => {
    const [firstCredit] = credits
    if (!firstCredit) return []
    const { title_id, name } = firstCredit
    const type = firstCredit.type as TitleType
    titleCounts[type] += 1
    return titleCounts[type] > limitPerType
      ? []
      : [{ title_id, name, type, jobs: credits.map((credit) => credit.job) }]
  })
}
