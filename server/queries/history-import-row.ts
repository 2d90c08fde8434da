/**
 * Rows of imported history files, and groups of these rows. One decision of the user can apply to all rows with the
 * same row key. A group contains the rows with the same row key, outcome and title.
 */

import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import { type PageOfRows, type PageRequest, selectPage } from './page.ts'

export type HistoryFileRow = Selectable<DatabaseSchema['history_import_row']>

export async function insertHistoryFileRows(
  db: Db,
  rows: Insertable<DatabaseSchema['history_import_row']>[],
): Promise<void> {
  if (rows.length > 0) await db.insertInto('history_import_row').values(rows).execute()
}

export type HistoryRowGroup = Selectable<DatabaseSchema['history_import_group']>

/** Inserts groups of rows. If a group already exists, its stored count is increased by the count of the new group. */
export async function addHistoryRowGroups(db: Db, groups: HistoryRowGroup[]): Promise<void> {
  if (groups.length === 0) return
  await db
    .insertInto('history_import_group')
    .values(groups)
    .onConflict((conflict) =>
      conflict.columns(['import_id', 'row_key', 'outcome', 'title_id']).doUpdateSet((eb) => ({
        count: eb('history_import_group.count', '+', eb.ref('excluded.count')),
      })),
    )
    .execute()
}

/** Deletes the rows and the groups of an import that has failed. */
export async function deleteHistoryImportRows(db: Db, importId: string): Promise<void> {
  await db.deleteFrom('history_import_group').where('import_id', '=', importId).execute()
  await db.deleteFrom('history_import_row').where('import_id', '=', importId).execute()
}

/**
 * Rebuilds the groups with this row key from the rows. Call this function after a decision of the user has changed rows
 * with that key.
 */
export async function recountHistoryRowGroups(db: Db, importId: string, rowKey: string): Promise<void> {
  await db
    .deleteFrom('history_import_group')
    .where('import_id', '=', importId)
    .where('row_key', '=', rowKey)
    .execute()
  const outcomeCounts = await db
    .selectFrom('history_import_row')
    .select(['outcome', 'title_id', (eb) => eb.fn.min('n').as('first'), (eb) => eb.fn.countAll().as('count')])
    .where('import_id', '=', importId)
    .where('row_key', '=', rowKey)
    .where('outcome', '!=', 'skipped')
    .groupBy(['outcome', 'title_id'])
    .execute()
  const groupsByOutcomeAndTitle = new Map<string, HistoryRowGroup>()
  for (const row of outcomeCounts) {
    const outcome = toDisplayedOutcome(row.outcome)
    const title_id = row.title_id ?? 0
    const existingGroup = groupsByOutcomeAndTitle.get(`${outcome} ${title_id}`)
    groupsByOutcomeAndTitle.set(`${outcome} ${title_id}`, {
      import_id: importId,
      row_key: rowKey,
      outcome,
      title_id,
      first: Math.min(Number(row.first), existingGroup?.first ?? Number.POSITIVE_INFINITY),
      count: Number(row.count) + (existingGroup?.count ?? 0),
    })
  }
  await addHistoryRowGroups(db, [...groupsByOutcomeAndTitle.values()])
}

/** Maps `chosen` to `matched`, because manual and automatic matches are displayed together. */
export const toDisplayedOutcome = (outcome: string) => (outcome === 'chosen' ? 'matched' : outcome)

export async function selectOutcomeCounts(db: Db, importId: string): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('history_import_group')
    .select(['outcome', (eb) => eb.fn.sum<number>('count').as('count')])
    .where('import_id', '=', importId)
    .groupBy('outcome')
    .execute()
  return Object.fromEntries(rows.map((row) => [row.outcome, Number(row.count)]))
}

/** Returns a page of groups with this outcome, largest first. */
export async function selectHistoryRowGroups(
  db: Db,
  importId: string,
  { outcome, ...request }: PageRequest & { outcome: string },
): Promise<PageOfRows<HistoryRowGroup>> {
  const groupQuery = db
    .selectFrom('history_import_group')
    .where('import_id', '=', importId)
    .where('outcome', '=', outcome)
  return selectPage(groupQuery.selectAll().orderBy('count', 'desc').orderBy('first'), groupQuery, request)
}

/** Returns a page of skipped rows in the order of the file. */
export async function selectSkippedRows(
  db: Db,
  importId: string,
  { page, limit }: PageRequest,
): Promise<HistoryFileRow[]> {
  return db
    .selectFrom('history_import_row')
    .selectAll()
    .where('import_id', '=', importId)
    .where('row_key', '=', SKIPPED_ROW_KEY)
    .orderBy('n')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
}

/** `row_key` of skipped rows. Skipped rows need no decision of the user. */
export const SKIPPED_ROW_KEY = '-'

export async function selectHistoryFileRowsByNumber(
  db: Db,
  importId: string,
  rowNumbers: number[],
): Promise<HistoryFileRow[]> {
  if (rowNumbers.length === 0) return []
  return db
    .selectFrom('history_import_row')
    .selectAll()
    .where('import_id', '=', importId)
    .where('n', 'in', rowNumbers)
    .execute()
}

interface RowsByKeyQuery {
  rowKey: string
  /** Restricts the result to rows with this text key; null means all rows. */
  textKey: string | null
  afterRowNumber: number
  limit: number
}

/** Returns the rows with the key `rowKey` and a row number above `afterRowNumber`, in order of their row numbers. */
export async function selectHistoryFileRowsByKey(
  db: Db,
  importId: string,
  { rowKey, textKey, afterRowNumber, limit }: RowsByKeyQuery,
): Promise<HistoryFileRow[]> {
  let query = db
    .selectFrom('history_import_row')
    .selectAll()
    .where('import_id', '=', importId)
    .where('row_key', '=', rowKey)
    .where('n', '>', afterRowNumber)
  if (textKey !== null) query = query.where('text_key', '=', textKey)
  return query.orderBy('n').limit(limit).execute()
}

export async function updateHistoryFileRow(
  db: Db,
  importId: string,
  rowNumber: number,
  changes: Updateable<DatabaseSchema['history_import_row']>,
): Promise<void> {
  await db
    .updateTable('history_import_row')
    .set(changes)
    .where('import_id', '=', importId)
    .where('n', '=', rowNumber)
    .execute()
}

/**
 * Value of `owner` in rows for which the file names no profile of the service that created the file. Such rows are
 * always selected, whichever owners are given.
 */
const NO_OWNER = ''

export interface MatchedRowCursor {
  title_id: number
  season_number: number
  episode_number: number
  n: number
}

/**
 * Returns the matched rows after the cursor `after`, sorted by title, season, episode and row number. With `owners`,
 * returns only the rows that the file assigns to one of these owners or to no owner.
 */
export async function selectMatchedRows(
  db: Db,
  importId: string,
  { after, owners, limit }: { after: MatchedRowCursor; owners: readonly string[] | undefined; limit: number },
): Promise<(HistoryFileRow & { title_id: number })[]> {
  let query = db
    .selectFrom('history_import_row')
    .selectAll()
    .where('import_id', '=', importId)
    .where('outcome', 'in', ['matched', 'chosen'])
    .where('title_id', '>=', after.title_id)
    .where((eb) =>
      eb(
        eb.refTuple('title_id', 'season_number', 'episode_number', 'n'),
        '>',
        eb.tuple(after.title_id, after.season_number, after.episode_number, after.n),
      ),
    )
  if (owners) query = query.where('owner', 'in', [...owners, NO_OWNER])
  return (await query
    .orderBy('title_id')
    .orderBy('season_number')
    .orderBy('episode_number')
    .orderBy('n')
    .limit(limit)
    .execute()) as (HistoryFileRow & { title_id: number })[]
}

/** The rows with a number above `afterRowNumber` and up to `lastRowNumber`. */
export interface RowWindow {
  afterRowNumber: number
  lastRowNumber: number
}

/** Returns the highest row number of an import; -1 for an import without rows. */
export async function selectLastRowNumber(db: Db, importId: string): Promise<number> {
  const row = await db
    .selectFrom('history_import_row')
    .select((eb) => eb.fn.max('n').as('last'))
    .where('import_id', '=', importId)
    .executeTakeFirst()
  return Number(row?.last ?? -1)
}

/**
 * Returns the rows of a window that the user assigned to another title, or chose to ignore, after the rows had been
 * applied. The rows are in file order. `title_id` is the new title; null for an ignored row.
 */
export async function selectReassignedRows(
  db: Db,
  importId: string,
  { afterRowNumber, lastRowNumber }: RowWindow,
): Promise<{ n: number; data: string; title_id: number | null }[]> {
  return db
    .selectFrom('history_import_row')
    .select(['n', 'data', 'title_id'])
    .where('import_id', '=', importId)
    .where('n', '>', afterRowNumber)
    .where('n', '<=', lastRowNumber)
    .where('data', 'like', '%"appliedTitleId":%')
    .orderBy('n')
    .execute()
}

/**
 * Returns the rows of a window that describe a named list or a title in a named list, in file order. With `owners`,
 * returns only the rows that the file assigns to one of these owners or to no owner.
 */
export async function selectListRows(
  db: Db,
  importId: string,
  { afterRowNumber, lastRowNumber }: RowWindow,
  owners: readonly string[] | undefined,
): Promise<Pick<HistoryFileRow, 'n' | 'title_id' | 'data'>[]> {
  let query = db
    .selectFrom('history_import_row')
    .select(['n', 'title_id', 'data'])
    .where('import_id', '=', importId)
    .where('n', '>', afterRowNumber)
    .where('n', '<=', lastRowNumber)
    .where('data', 'like', '%"list":"%')
    .where((eb) => eb.or([eb('outcome', 'in', ['matched', 'chosen']), eb('why', '=', 'list')]))
  if (owners) query = query.where('owner', 'in', [...owners, NO_OWNER])
  return query.orderBy('n').execute()
}
