/**
 * Changes that history imports made. The order of the changes is stored, so that an import can be undone and redone.
 */
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'

export type HistoryChangeRow = Selectable<DatabaseSchema['history_change']>
const ROWS_PER_STATEMENT = 100

/** Returns the highest sequence number of the changes of an import that are not undone; 0 when there are none. */
export async function selectLastChangeSeq(db: Db, importId: string): Promise<number> {
  const row = await db
    .selectFrom('history_change')
    .select((eb) => eb.fn.max('seq').as('seq'))
    .where('import_id', '=', importId)
    .where('seq', '>', 0)
    .executeTakeFirst()
  return Number(row?.seq ?? 0)
}

/** Returns the number of changes of an import that are not undone. */
export async function countHistoryChanges(db: Db, importId: string): Promise<number> {
  const { count } = await db
    .selectFrom('history_change')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('import_id', '=', importId)
    .where('seq', '>', 0)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertHistoryChanges(
  db: Db,
  rows: Insertable<DatabaseSchema['history_change']>[],
): Promise<void> {
  for (let startIndex = 0; startIndex < rows.length; startIndex += ROWS_PER_STATEMENT) {
    await db
      .insertInto('history_change')
      .values(rows.slice(startIndex, startIndex + ROWS_PER_STATEMENT))
      .execute()
  }
}

/**
 * Returns the changes of an import, or of one title of the import, before a sequence number, latest first. Undone
 * changes are left out.
 */
export async function selectHistoryChangesBefore(
  db: Db,
  importId: string,
  { beforeSeq, limit, titleId }: { beforeSeq: number; limit: number; titleId?: number | undefined },
): Promise<HistoryChangeRow[]> {
  let query = db
    .selectFrom('history_change')
    .selectAll()
    .where('import_id', '=', importId)
    .where('seq', '>', 0)
    .where('seq', '<', beforeSeq)
  if (titleId !== undefined) query = query.where('title_id', '=', titleId)
  return query.orderBy('seq', 'desc').limit(limit).execute()
}

/** Returns the first `maxRows` undone changes of an import, in the order in which the import made the changes. */
export async function selectUndoneHistoryChanges(
  db: Db,
  importId: string,
  maxRows: number,
): Promise<HistoryChangeRow[]> {
  return db
    .selectFrom('history_change')
    .selectAll()
    .where('import_id', '=', importId)
    .where('seq', '<', 0)
    .orderBy('seq', 'desc')
    .limit(maxRows)
    .execute()
}

/**
 * Marks changes as undone or redone by negating their sequence numbers. An undone change has a negative sequence
 * number.
 */
export async function toggleHistoryChangesUndone(
  db: Db,
  importId: string,
  sequenceNumbers: readonly number[],
): Promise<void> {
  const sortedNumbers = sequenceNumbers.toSorted((a, b) => a - b)
  for (let startIndex = 0; startIndex < sortedNumbers.length; startIndex += ROWS_PER_STATEMENT) {
    const numbersOfStatement = sortedNumbers.slice(startIndex, startIndex + ROWS_PER_STATEMENT)
    const [firstNumber = 0] = numbersOfStatement
    const lastNumber = numbersOfStatement.at(-1) ?? firstNumber
    let query = db
      .updateTable('history_change')
      .set({ seq: sql<number>`-seq` })
      .where('import_id', '=', importId)
      // While PostgreSQL has no statistics of a new import, it reads all changes of the import to find a list of
      // numbers. With a range, it reads only the changes in the range.
      .where('seq', '>=', firstNumber)
      .where('seq', '<=', lastNumber)
    const isContiguousRange = lastNumber - firstNumber + 1 === numbersOfStatement.length
    if (!isContiguousRange) query = query.where('seq', 'in', numbersOfStatement)
    await query.execute()
  }
}

/**
 * Deletes the undone changes of an import from its first change up to the change `lastSeq`. `lastSeq` is negative: an
 * undone change has its original sequence number with a minus sign, and -1 is the first change.
 */
export async function deleteUndoneHistoryChangesThrough(
  db: Db,
  importId: string,
  lastSeq: number,
): Promise<void> {
  await db
    .deleteFrom('history_change')
    .where('import_id', '=', importId)
    .where('seq', '>=', lastSeq)
    .where('seq', '<', 0)
    .execute()
}

/** Deletes the undone changes of an import, so that they can no longer be redone. */
export async function deleteUndoneHistoryChanges(db: Db, importId: string): Promise<void> {
  await db.deleteFrom('history_change').where('import_id', '=', importId).where('seq', '<', 0).execute()
}

/** Deletes the undone changes of the imports that were undone at or before `beforeMs`. */
export async function deleteExpiredImportChanges(db: Db, beforeMs: number): Promise<void> {
  await db
    .deleteFrom('history_change')
    .where('seq', '<', 0)
    .where('import_id', 'in', (eb) =>
      eb.selectFrom('history_import').select('import_id').where('undone_at', '<=', beforeMs),
    )
    .execute()
}
