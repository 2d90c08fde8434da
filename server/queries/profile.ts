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

/**
 * Sets or removes the PIN of a profile. It starts a new generation of the PIN, which ends all unlocks and media URLs of
 * the older ones on every device. Returns the new generation; undefined when the profile no longer exists.
 */
export async function updatePin(
  db: Db,
  profileId: string,
  pinHash: string | null,
): Promise<number | undefined> {
  const row = await db
    .updateTable('profile')
    .set((eb) => ({ pin_hash: pinHash, pin_generation: eb('pin_generation', '+', 1) }))
    .where('profile_id', '=', profileId)
    .returning('pin_generation')
    .executeTakeFirst()
  return row?.pin_generation
}
