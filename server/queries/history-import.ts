/** History imports, and the titles that users chose for texts in imported files. */

import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import { type PageOfRows, type PageRequest, selectPage } from './page.ts'

export type HistoryImportRun = Selectable<DatabaseSchema['history_import']>

export async function insertHistoryImport(
  db: Db,
  row: Insertable<DatabaseSchema['history_import']>,
): Promise<void> {
  await db.insertInto('history_import').values(row).execute()
}

export async function updateHistoryImport(
  db: Db,
  importId: string,
  changes: Updateable<DatabaseSchema['history_import']>,
): Promise<void> {
  await db.updateTable('history_import').set(changes).where('import_id', '=', importId).execute()
}

/**
 * Updates an import if its status is in `fromStatuses`. With `heartbeatAtMs`, the stored heartbeat must also be equal
 * to this time. Returns false when the import has another status or another heartbeat.
 */
export async function transitionHistoryImport(
  db: Db,
  importId: string,
  fromStatuses: readonly string[],
  changes: Updateable<DatabaseSchema['history_import']>,
  heartbeatAtMs?: number,
): Promise<boolean> {
  let query = db
    .updateTable('history_import')
    .set(changes)
    .where('import_id', '=', importId)
    .where('status', 'in', fromStatuses)
  if (heartbeatAtMs !== undefined) query = query.where('heartbeat_at', '=', heartbeatAtMs)
  return Number((await query.executeTakeFirst()).numUpdatedRows) === 1
}

export async function selectHistoryImport(
  db: Db,
  profileId: string,
  importId: string,
): Promise<HistoryImportRun | undefined> {
  return db
    .selectFrom('history_import')
    .selectAll()
    .where('import_id', '=', importId)
    .where('profile_id', '=', profileId)
    .executeTakeFirst()
}

export async function selectHistoryImports(
  db: Db,
  profileId: string,
  request: PageRequest,
): Promise<PageOfRows<HistoryImportRun>> {
  const importQuery = db.selectFrom('history_import').where('profile_id', '=', profileId)
  const rowsQuery = importQuery.selectAll().orderBy('created_at', 'desc').orderBy('import_id')
  return selectPage(rowsQuery, importQuery, request)
}

/** Returns the imports of a profile that have one of these statuses. */
export async function selectHistoryImportsByStatus(
  db: Db,
  profileId: string,
  statuses: readonly string[],
): Promise<HistoryImportRun[]> {
  return db
    .selectFrom('history_import')
    .selectAll()
    .where('profile_id', '=', profileId)
    .where('status', 'in', statuses)
    .execute()
}

export async function countHistoryImports(db: Db, profileId: string): Promise<number> {
  const { count } = await db
    .selectFrom('history_import')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('profile_id', '=', profileId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Deletes old imports of a profile, except the newest `keptCount`. A failed import is always old. Any other import is
 * old if its upload, its application and its undo (if any) were all before `beforeMs`. The imported history remains.
 */
export async function deleteOldHistoryImports(
  db: Db,
  profileId: string,
  { keptCount, beforeMs }: { keptCount: number; beforeMs: number },
): Promise<void> {
  const newestImports = db
    .selectFrom('history_import')
    .select('import_id')
    .where('profile_id', '=', profileId)
    .orderBy('created_at', 'desc')
    .orderBy('import_id')
    .limit(keptCount)
  await db
    .deleteFrom('history_import')
    .where('profile_id', '=', profileId)
    .where('import_id', 'not in', newestImports)
    .where((eb) =>
      eb.or([
        eb('status', '=', 'failed'),
        eb.and([
          eb('created_at', '<', beforeMs),
          eb(eb.fn.coalesce('applied_at', eb.lit(0)), '<', beforeMs),
          eb(eb.fn.coalesce('undone_at', eb.lit(0)), '<', beforeMs),
        ]),
      ]),
    )
    .execute()
}

/** Returns the chosen title ids by text key. Null means that rows with this text are skipped. */
export async function selectHistoryChoices(db: Db, profileId: string): Promise<Map<string, number | null>> {
  const rows = await db
    .selectFrom('history_choice')
    .select(['text_key', 'title_id'])
    .where('profile_id', '=', profileId)
    .execute()
  return new Map(rows.map((row) => [row.text_key, row.title_id]))
}

export async function upsertHistoryChoice(
  db: Db,
  row: Insertable<DatabaseSchema['history_choice']>,
): Promise<void> {
  const { title_id, updated_at } = row
  await db
    .insertInto('history_choice')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['profile_id', 'text_key']).doUpdateSet({ title_id, updated_at }),
    )
    .execute()
}
