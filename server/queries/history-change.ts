/** Changes that history imports made, in their order, so that an import can be undone. */
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'

export type HistoryChangeRow = Selectable<DatabaseSchema['history_change']>
const ROWS_PER_STATEMENT = 100

/** Returns the highest sequence number of an import's changes, or 0. */
export async function selectLastChangeSeq(db: Db, importId: string): Promise<number> {
  const row = await db
    .selectFrom('history_change')
    .select((eb) => eb.fn.max('seq').as('seq'))
    .where('import_id', '=', importId)
    .executeTakeFirst()
  return Number(row?.seq ?? 0)
}

export async function insertHistoryChanges(
  db: Db,
  rows: Insertable<DatabaseSchema['history_change']>[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
    await db
      .insertInto('history_change')
      .values(rows.slice(from, from + ROWS_PER_STATEMENT))
      .execute()
  }
}

/** Returns the last changes of an import, latest first. */
export async function selectLatestHistoryChanges(
  db: Db,
  importId: string,
  limit: number,
): Promise<HistoryChangeRow[]> {
  return db
    .selectFrom('history_change')
    .selectAll()
    .where('import_id', '=', importId)
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()
}

/** Deletes the changes from a sequence number on. */
export async function deleteHistoryChangesFrom(db: Db, importId: string, fromSeq: number): Promise<void> {
  await db
    .deleteFrom('history_change')
    .where('import_id', '=', importId)
    .where('seq', '>=', fromSeq)
    .execute()
}
