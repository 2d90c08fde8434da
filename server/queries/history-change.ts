/** What imports changed, in its order. */
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'

export type ChangeRow = Selectable<Schema['history_change']>
const AT_ONCE = 100

export async function lastChange(db: Db, importId: string): Promise<number> {
  const row = await db
    .selectFrom('history_change')
    .select((eb) => eb.fn.max('seq').as('seq'))
    .where('import_id', '=', importId)
    .executeTakeFirst()
  return Number(row?.seq ?? 0)
}

export async function insertChanges(db: Db, rows: Insertable<Schema['history_change']>[]): Promise<void> {
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    await db
      .insertInto('history_change')
      .values(rows.slice(from, from + AT_ONCE))
      .execute()
  }
}

/** The latest so many. */
export async function latestChanges(db: Db, importId: string, limit: number): Promise<ChangeRow[]> {
  return db
    .selectFrom('history_change')
    .selectAll()
    .where('import_id', '=', importId)
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()
}

export async function deleteChanges(db: Db, importId: string, from: number): Promise<void> {
  await db.deleteFrom('history_change').where('import_id', '=', importId).where('seq', '>=', from).execute()
}
