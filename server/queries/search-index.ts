/**
 * Reads titles and people for the search index, and tracks the documents to update. The document id of a title is 2 x
 * title_id. The document id of a person is 2 x person_id + 1.
 */
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export interface PendingDocument {
  doc_id: number
  revision: number
}
export const getTitleDocId = (titleId: number) => titleId * 2
export const getPersonDocId = (personId: number) => personId * 2 + 1

export const splitDocIds = (docIds: readonly number[]) => ({
  titleIds: docIds.filter((id) => id % 2 === 0).map((id) => id / 2),
  personIds: docIds.filter((id) => id % 2 === 1).map((id) => (id - 1) / 2),
})

/** Returns up to `maxRows` documents that changed since they were last indexed. */
export async function selectPendingDocuments(db: Db, maxRows: number): Promise<PendingDocument[]> {
  return db.selectFrom('search_pending').selectAll().orderBy('doc_id').limit(maxRows).execute()
}

/** Number of documents to index, counted up to `maxRows`. */
export async function countPendingDocuments(db: Db, maxRows: number): Promise<number> {
  const pendingQuery = db.selectFrom('search_pending').select('doc_id').limit(maxRows).as('pending')
  const { count } = await db
    .selectFrom(pendingQuery)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Removes indexed documents from the pending list. A document that has changed again stays pending. */
export async function markDocumentsIndexed(db: Db, changes: PendingDocument[]): Promise<void> {
  for (const [revision, changesOfRevision] of Map.groupBy(changes, (change) => change.revision)) {
    await db
      .deleteFrom('search_pending')
      .where('revision', '=', revision)
      .where(
        'doc_id',
        'in',
        changesOfRevision.map((change) => change.doc_id),
      )
      .execute()
  }
}

/** Clears the pending list. Call it before a rebuild, which reads all titles and people. */
export async function markAllDocumentsIndexed(db: Db): Promise<void> {
  await db.deleteFrom('search_pending').execute()
}

export async function countSearchableDocuments(db: Db): Promise<number> {
  let documentCount = 0
  for (const table of ['title', 'person'] as const) {
    const { count } = await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    documentCount += Number(count)
  }
  return documentCount
}

/** Returns the next `maxRows` ids above `after`, in order. */
export async function selectIdsAfter(db: Db, table: 'title' | 'person', afterId: number, maxRows: number) {
  const idColumn = table === 'title' ? 'title_id' : 'person_id'
  const rows = await db
    .selectFrom(table)
    .select(sql<number>`${sql.ref(idColumn)}`.as('id'))
    .where(sql.ref(idColumn), '>', afterId)
    .orderBy(sql.ref(idColumn))
    .limit(maxRows)
    .execute()
  return rows.map((row) => row.id)
}

/** Returns the credits of the titles, sorted by title and position. */
export async function selectCredits(db: Db, titleIds: number[]) {
  if (titleIds.length === 0) return []
  return db
    .selectFrom('credit')
    .innerJoin('person', 'person.person_id', 'credit.person_id')
    .select([
      'credit.title_id',
      'credit.person_id',
      'credit.kind',
      'credit.job',
      'credit.character',
      'person.name',
      'person.blocked',
    ])
    .where('credit.title_id', 'in', titleIds)
    .orderBy('credit.title_id')
    .orderBy('credit.position')
    .execute()
}

/** Returns the data by which titles are found, apart from names and people. Overviews are in the languages `langs`. */
export async function selectTopicsForIndex(db: Db, titleIds: number[], langs: readonly string[]) {
  if (titleIds.length === 0) return { genres: [], networks: [], countries: [], keywords: [], overviews: [] }
  const [genres, networks, countries, keywords, overviews] = await Promise.all([
    db.selectFrom('title_genre').selectAll().where('title_id', 'in', titleIds).execute(),
    db.selectFrom('title_network').selectAll().where('title_id', 'in', titleIds).execute(),
    db.selectFrom('title_country').selectAll().where('title_id', 'in', titleIds).execute(),
    db.selectFrom('title_keyword').selectAll().where('title_id', 'in', titleIds).execute(),
    db
      .selectFrom('title_text')
      .select(['title_id', 'lang', 'overview'])
      .where('title_id', 'in', titleIds)
      .where('lang', 'in', langs)
      .where('overview', 'is not', null)
      .execute(),
  ])
  return { genres, networks, countries, keywords, overviews }
}

/** Returns titles with their names and visibility flags, including titles that are not visible. */
export async function selectTitlesForIndex(db: Db, titleIds: number[]) {
  if (titleIds.length === 0) return { titles: [], names: [] }
  const titles = await db
    .selectFrom('title')
    .select(['title_id', 'type', 'language', 'year', 'rating_votes', 'published', 'blocked', 'safe_for_kids'])
    .where('title_id', 'in', titleIds)
    .execute()
  const names = await db
    .selectFrom('title_name')
    .select(['title_id', 'lang', 'text', 'role'])
    .where('title_id', 'in', titleIds)
    .execute()
  return { titles, names }
}

/**
 * Returns people with the total votes of the visible titles that they have a credit in. `safe` is 1 if any of these titles
 * is safe for kids.
 */
export async function selectPeopleForIndex(db: Db, personIds: number[]) {
  if (personIds.length === 0) return { people: [], names: [] }
  const creditedTitleQuery = db
    .selectFrom('credit')
    .select(['credit.person_id', 'credit.title_id'])
    .distinct()
    .where('credit.person_id', 'in', personIds)
    .as('credited')
  const people = await db
    .selectFrom('person')
    .innerJoin(creditedTitleQuery, 'credited.person_id', 'person.person_id')
    .innerJoin('title', 'title.title_id', 'credited.title_id')
    .select((eb) => [
      'person.person_id',
      eb.fn.sum<number>('title.rating_votes').as('votes'),
      eb.fn.max('title.safe_for_kids').as('safe'),
    ])
    .where('person.blocked', '=', 0)
    .where('title.published', '=', 1)
    .where('title.blocked', '=', 0)
    .groupBy('person.person_id')
    .execute()
  return { people, names: await selectPersonNamesForIndex(db, personIds) }
}

export async function selectPersonNamesForIndex(db: Db, personIds: number[]) {
  return db
    .selectFrom('person_name')
    .select(['person_id', 'lang', 'text'])
    .where('person_id', 'in', personIds)
    .execute()
}

export async function selectUnblockedPersonIds(db: Db, personIds: number[]): Promise<number[]> {
  const rows = await db
    .selectFrom('person')
    .select('person_id')
    .where('person_id', 'in', personIds)
    .where('blocked', '=', 0)
    .execute()
  return rows.map((row) => row.person_id)
}
