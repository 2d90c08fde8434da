import type { Weekend } from '../../src/lib/rules/viewing-time.ts'
import type { Db } from '../db/database.ts'

export interface FamilySettingRow {
  /** Null until the account has a time zone. */
  time_zone: string | null
  weekend: Weekend
}

/** Value of the column `time_zone` for an account without a time zone, because the column does not allow null. */
const NO_TIME_ZONE = ''

export async function selectFamilySetting(db: Db, accountId: string): Promise<FamilySettingRow | undefined> {
  const row = await db
    .selectFrom('family_setting')
    .select(['time_zone', 'weekend'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row && { time_zone: row.time_zone || null, weekend: row.weekend as Weekend }
}

/**
 * Changes the given settings. An account without a row gets a new row, with `defaultWeekend` unless `changes` contains
 * a weekend.
 */
export async function updateFamilySetting(
  db: Db,
  accountId: string,
  {
    defaultWeekend,
    changes,
  }: { defaultWeekend: Weekend; changes: { time_zone?: string; weekend?: Weekend } },
): Promise<void> {
  await db
    .insertInto('family_setting')
    .values({ account_id: accountId, time_zone: NO_TIME_ZONE, weekend: defaultWeekend, ...changes })
    .onConflict((conflict) =>
      Object.keys(changes).length > 0
        ? conflict.column('account_id').doUpdateSet(changes)
        : conflict.column('account_id').doNothing(),
    )
    .execute()
}

/** Sets the time zone of an account that has none yet. */
export async function setMissingTimeZone(
  db: Db,
  accountId: string,
  { timeZone, defaultWeekend }: { timeZone: string; defaultWeekend: Weekend },
): Promise<void> {
  await updateFamilySetting(db, accountId, { defaultWeekend, changes: {} })
  await db
    .updateTable('family_setting')
    .set({ time_zone: timeZone })
    .where('account_id', '=', accountId)
    .where('time_zone', '=', NO_TIME_ZONE)
    .execute()
}

export async function updateExitPin(db: Db, accountId: string, pinHash: string | null): Promise<void> {
  await db
    .updateTable('account')
    .set({ exit_pin_hash: pinHash })
    .where('account_id', '=', accountId)
    .execute()
}
