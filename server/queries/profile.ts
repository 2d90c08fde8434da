import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db } from '../db/database.ts'
import { lockUntilCommit } from '../db/lock.ts'
import type { DatabaseSchema } from '../db/schema.ts'

export type ProfileRow = Selectable<DatabaseSchema['profile']>

/** Returns the profiles of an account: the main profile first, then by creation time. */
export async function selectProfiles(db: Db, accountId: string): Promise<ProfileRow[]> {
  return db
    .selectFrom('profile')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('main', 'desc')
    .orderBy('created_at')
    .orderBy('profile_id')
    .execute()
}

export async function insertProfile(db: Db, row: Insertable<DatabaseSchema['profile']>): Promise<void> {
  await db.insertInto('profile').values(row).execute()
}

/** Updates a profile and returns the whole row, including concurrent changes of other columns. */
export async function updateProfile(
  db: Db,
  profileId: string,
  set: Updateable<DatabaseSchema['profile']>,
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

/** Like `selectProfiles`, but locks the profile list of the account until the transaction ends. */
export async function lockAndSelectProfiles(db: Db, accountId: string): Promise<ProfileRow[]> {
  await lockUntilCommit(db, `profiles:${accountId}`)
  return selectProfiles(db, accountId)
}

/** Stores until when a device may enter a locked profile without its PIN. */
export async function upsertProfileUnlock(
  db: Db,
  row: Insertable<DatabaseSchema['device_profile']>,
): Promise<void> {
  await db
    .insertInto('device_profile')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['sid', 'profile_id']).doUpdateSet({ unlocked_until: row.unlocked_until }),
    )
    .execute()
}

interface UnlockExtension {
  sid: string
  profileId: string
  /** New end of the unlock, in milliseconds since 1970. */
  untilMs: number
  /** Smallest extension that is written, in milliseconds. */
  minStepMs: number
}

/** Extends an existing unlock if the end moves by a minimum step, so that most requests do not write. */
export async function extendProfileUnlock(db: Db, extension: UnlockExtension): Promise<void> {
  const { sid, profileId } = extension
  const row = await db
    .selectFrom('device_profile')
    .select('unlocked_until')
    .where('sid', '=', sid)
    .where('profile_id', '=', profileId)
    .executeTakeFirst()
  if (row && row.unlocked_until < extension.untilMs - extension.minStepMs) {
    await upsertProfileUnlock(db, { sid, profile_id: profileId, unlocked_until: extension.untilMs })
  }
}

/** Deletes the unlocks of a device, except for one profile. */
export async function deleteOtherProfileUnlocks(db: Db, sid: string, profileId: string): Promise<void> {
  await db.deleteFrom('device_profile').where('sid', '=', sid).where('profile_id', '!=', profileId).execute()
}

/** Deletes the unlocks of a profile on all other devices. After a PIN change, they must enter the new PIN. */
export async function deleteProfileUnlocks(db: Db, profileId: string, exceptSid: string): Promise<void> {
  await db
    .deleteFrom('device_profile')
    .where('profile_id', '=', profileId)
    .where('sid', '!=', exceptSid)
    .execute()
}
