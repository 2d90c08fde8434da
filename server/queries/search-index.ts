/**
 * Reads titles and people for the search index, and the log of their changes. The document id of a title is 2 x
 * title_id. The document id of a person is 2 x person_id + 1.
 */
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export const getTitleDocId = (titleId: number) => titleId * 2
export const getPersonDocId = (personId: number) => personId * 2 + 1

export const splitDocIds = (docIds: readonly number[]) => ({
  titleIds: docIds.filter((id) => id % 2 === 0).map((id) => id / 2),
  personIds: docIds.filter((id) => id % 2 === 1).map((id) => (id - 1) / 2),
})

export interface CatalogueLogState {
  logId: string
  /** Version of the last committed change. */
  version: number
}

/**
 * Position in the change log, directly after the change of this document in this version. The log is sorted by version
 * and document.
 */
export interface ChangeLogPosition {
  version: number
  docId: number
}

/** Document id of a position after the last change of a version. It is higher than the id of every document. */
export const END_OF_VERSION_DOC_ID = Number.MAX_SAFE_INTEGER

export interface LoggedChange {
  doc_id: number
  version: number
  changed_at: number
}

export async function selectCatalogueLogState(db: Db): Promise<CatalogueLogState> {
  const row = await db.selectFrom('catalogue_version').select(['log_id', 'version']).executeTakeFirst()
  return { logId: row?.log_id ?? '', version: row?.version ?? 0 }
}

/**
 * Gives the log a new id. Every machine whose index has another id then rebuilds its index. Also clears `writer`, the
 * id of the last transaction that changed the catalogue. After a backup was restored, a new transaction may get this
 * id. If the id were still stored in `writer`, the changes of the new transaction would get no new version.
 */
export async function updateCatalogueLogId(db: Db, logId: string): Promise<void> {
  await db.updateTable('catalogue_version').set({ log_id: logId, writer: 0 }).execute()
}

/**
 * Returns a query of the changes after a position. Most positions are at the end of a version
 * (`END_OF_VERSION_DOC_ID`). For these positions, the query compares only the version. With a comparison of both
 * columns, SQLite would read all changes of that version and find none.
 */
const queryChangesAfter = (db: Db, { version, docId }: ChangeLogPosition) =>
  db
    .selectFrom('catalogue_change')
    .select(['doc_id', 'version', 'changed_at'])
    .where(
      docId === END_OF_VERSION_DOC_ID
        ? sql<boolean>`version > ${version}`
        : sql<boolean>`(version, doc_id) > (${version}, ${docId})`,
    )

/** Returns up to `maxRows` changes after a position, in order. */
export async function selectChangesAfter(
  db: Db,
  position: ChangeLogPosition,
  maxRows: number,
): Promise<LoggedChange[]> {
  return queryChangesAfter(db, position).orderBy('version').orderBy('doc_id').limit(maxRows).execute()
}

/** Returns the number of changes after a position, counted up to `maxRows`. */
export async function countChangesAfter(
  db: Db,
  position: ChangeLogPosition,
  maxRows: number,
): Promise<number> {
  const { count } = await db
    .selectFrom(queryChangesAfter(db, position).limit(maxRows).as('changes'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Returns the last `maxRows` changes, latest first. */
export async function selectLastChanges(db: Db, maxRows: number): Promise<LoggedChange[]> {
  return db
    .selectFrom('catalogue_change')
    .select(['doc_id', 'version', 'changed_at'])
    .orderBy('version', 'desc')
    .orderBy('doc_id', 'desc')
    .limit(maxRows)
    .execute()
}

/**
 * Returns false if one of these changes is missing in the log, which shows that the database was restored from an
 * older backup. A change that a later change of the same document has replaced in the log is not missing.
 */
export async function hasLoggedChanges(db: Db, changes: readonly LoggedChange[]): Promise<boolean> {
  if (changes.length === 0) return true
  const docIds = changes.map((change) => change.doc_id)
  const rows = await db
    .selectFrom('catalogue_change')
    .select(['doc_id', 'version', 'changed_at'])
    .where('doc_id', 'in', docIds)
    .execute()
  const rowByDocId = new Map(rows.map((row) => [row.doc_id, row]))
  return changes.every(({ doc_id, version, changed_at }) => {
    const row = rowByDocId.get(doc_id)
    if (!row) return false
    return row.version > version || (row.version === version && row.changed_at === changed_at)
  })
}

export async function countTitlesAndPeople(db: Db): Promise<number> {
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

export async function hasTitlesOrPeople(db: Db): Promise<boolean> {
  const [titleIds, personIds] = [
    await selectIdsAfter(db, 'title', 0, 1),
    await selectIdsAfter(db, 'person', 0, 1),
  ]
  return titleIds.length + personIds.length > 0
}

/** Returns the next `maxRows` ids above `afterId`, in order. */
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
 * Returns the people who are not blocked and have a credit in a visible title, and the names of all given people.
 * `votes` is the total number of votes of the visible titles of a person, and `safe` is 1 if any of these titles is
 * safe for kids.
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
