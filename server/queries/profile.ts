import type { Insertable, Selectable, Updateable } from 'kysely'
import { lockUntilCommit } from '../db/lock.ts'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'

export type ProfileRow = Selectable<Schema['profile']>

/** Main first, then in the order they were made. */
export async function profilesOfAccount(db: Db, accountId: string): Promise<ProfileRow[]> {
  return db
    .selectFrom('profile')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('main', 'desc')
    .orderBy('created_at')
    .orderBy('profile_id')
    .execute()
}

export async function insertProfile(db: Db, row: Insertable<Schema['profile']>): Promise<void> {
  await db.insertInto('profile').values(row).execute()
}

/** Answers the profile as it stands then, with what others have changed meanwhile. */
export async function updateProfile(
  db: Db,
  profileId: string,
  set: Updateable<Schema['profile']>,
): Promise<ProfileRow | undefined> {
  if (Object.keys(set).length === 0)
    return db.selectFrom('profile').selectAll().where('profile_id', '=', profileId).executeTakeFirst()
  return db
    .updateTable('profile')
    .set(set)
    .where('profile_id', '=', profileId)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteProfile(db: Db, profileId: string): Promise<void> {
  await db.deleteFrom('profile').where('profile_id', '=', profileId).execute()
}

/** The same, with nobody else adding or removing one until the transaction ends. */
export async function lockedProfilesOfAccount(db: Db, accountId: string): Promise<ProfileRow[]> {
  await lockUntilCommit(db, `profiles:${accountId}`)
  return profilesOfAccount(db, accountId)
}

export async function grantUnlock(db: Db, row: Insertable<Schema['device_profile']>): Promise<void> {
  await db
    .insertInto('device_profile')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['sid', 'profile_id']).doUpdateSet({ unlocked_until: row.unlocked_until }),
    )
    .execute()
}

/** Moves an unlock's end forward, in steps of at least `every` ms so that reading does not write. */
export async function extendUnlock(
  db: Db,
  { sid, profileId, until, every }: { sid: string; profileId: string; until: number; every: number },
): Promise<void> {
  const row = await db
    .selectFrom('device_profile')
    .select('unlocked_until')
    .where('sid', '=', sid)
    .where('profile_id', '=', profileId)
    .executeTakeFirst()
  if (row && row.unlocked_until < until - every) {
    await grantUnlock(db, { sid, profile_id: profileId, unlocked_until: until })
  }
}

export async function endOtherUnlocks(db: Db, sid: string, profileId: string): Promise<void> {
  await db.deleteFrom('device_profile').where('sid', '=', sid).where('profile_id', '!=', profileId).execute()
}

/** After a PIN change: every device but the acting one has to enter it again. */
export async function endUnlocksOf(db: Db, profileId: string, exceptSid: string): Promise<void> {
  await db
    .deleteFrom('device_profile')
    .where('profile_id', '=', profileId)
    .where('sid', '!=', exceptSid)
    .execute()
}
