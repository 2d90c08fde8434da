import type { Weekend } from '../../src/lib/rules/viewing-time.ts'
import type { Db } from '../db/database.ts'

export interface FamilySettingRow {
  time_zone: string
  weekend: Weekend
}

export async function selectFamilySetting(db: Db, accountId: string): Promise<FamilySettingRow | undefined> {
  const row = await db
    .selectFrom('family_setting')
    .select(['time_zone', 'weekend'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row && { time_zone: row.time_zone, weekend: row.weekend as Weekend }
}

/** Changes the given settings. An account without a row gets a new row with `defaults` for the other settings. */
export async function updateFamilySetting(
  db: Db,
  accountId: string,
  { defaults, changes }: { defaults: FamilySettingRow; changes: Partial<FamilySettingRow> },
): Promise<void> {
  await db
    .insertInto('family_setting')
    .values({ account_id: accountId, ...defaults, ...changes })
    .onConflict((conflict) =>
      Object.keys(changes).length > 0
        ? conflict.column('account_id').doUpdateSet(changes)
        : conflict.column('account_id').doNothing(),
    )
    .execute()
}

export async function updateExitPin(db: Db, accountId: string, pinHash: string | null): Promise<void> {
  await db
    .updateTable('account')
    .set({ exit_pin_hash: pinHash })
    .where('account_id', '=', accountId)
    .execute()
}
