import type { Db } from '../db/open.ts'

export async function settings(db: Db) {
  return db.selectFrom('setting').selectAll().orderBy('key').execute()
}

export async function putSetting(
  db: Db,
  row: { key: string; value: string; updated_at: number; updated_by: string | null },
): Promise<void> {
  const { key: _key, ...set } = row
  await db
    .insertInto('setting')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doUpdateSet(set))
    .execute()
}
