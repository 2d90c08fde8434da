import type { Db } from '../db/database.ts'

export async function selectSettings(db: Db) {
  return db.selectFrom('setting').selectAll().orderBy('key').execute()
}

export async function selectSetting(db: Db, key: string): Promise<{ value: string } | undefined> {
  return db.selectFrom('setting').select('value').where('key', '=', key).executeTakeFirst()
}

export async function upsertSetting(
  db: Db,
  row: { key: string; value: string; updated_at: number; updated_by: string | null },
): Promise<void> {
  const { key: _key, ...otherColumns } = row
  await db
    .insertInto('setting')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doUpdateSet(otherColumns))
    .execute()
}

export async function deleteSetting(db: Db, key: string): Promise<void> {
  await db.deleteFrom('setting').where('key', '=', key).execute()
}

/**
 * Returns the stored value; undefined if nothing is stored, or if the text is not JSON, for example after a manual
 * change of the database.
 */
export function parseStoredValue(storedText: string | undefined): unknown {
  if (storedText === undefined) return undefined
  try {
    return JSON.parse(storedText)
  } catch {
    return undefined
  }
}
