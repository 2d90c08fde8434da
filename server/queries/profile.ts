import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '../db/database.ts'
import { lockUntilCommit } from '../db/lock.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import { buildViewingLimitsCondition } from './viewing-time.ts'

/** A profile that is not in the bin. */
export type ProfileRow = Omit<Selectable<DatabaseSchema['profile']>, 'deleted_at'>

/** A profile with `has_viewing_limits`. This value comes from another table, and `isRestrictedProfile` needs it. */
export interface LoadedProfile extends ProfileRow {
  /** 1 when a parent has limited the viewing time of the profile. */
  has_viewing_limits: number
}

/** A profile of the account of a caller. */
export interface CallerProfile extends LoadedProfile {
  /** True when the device may enter the profile without a PIN. */
  enterable: boolean
}

/** The columns that show whether a parent has restricted a profile. */
export type RestrictionFields = Pick<
  LoadedProfile,
  'main' | 'kids' | 'max_age' | 'guide_limits' | 'denied_title_count' | 'has_viewing_limits'
>

/**
 * True for a kids profile, and for a profile that a parent has limited. A restricted profile does not prove that an
 * adult uses the device. Otherwise, a child could remove the limits of its own profile. Limits of the main profile do
 * not count, because its owner has set them.
 */
export function isRestrictedProfile(profile: RestrictionFields): boolean {
  const hasParentalLimits =
    profile.max_age !== null ||
    profile.guide_limits !== 0 ||
    profile.denied_title_count > 0 ||
    profile.has_viewing_limits === 1
  return profile.kids === 1 || (hasParentalLimits && profile.main !== 1)
}

/** SQL of the column `has_viewing_limits`, as 0 or 1. For the condition alone, PostgreSQL would return a boolean. */
export const VIEWING_LIMITS_COLUMN = sql<number>`case when ${buildViewingLimitsCondition('profile')} then 1 else 0 end`

/** The columns of a profile on which its visible titles depend. */
export type AudienceProfile = Pick<
  ProfileRow,
  'profile_id' | 'kids' | 'max_age' | 'guide_limits' | 'accepts_unknown_guide' | 'audience_version'
>

/** Returns the profiles of an account: the main profile first, then by creation time. */
export async function selectProfiles(db: Db, accountId: string): Promise<LoadedProfile[]> {
  return db
    .selectFrom('profile')
    .selectAll()
    .select(VIEWING_LIMITS_COLUMN.as('has_viewing_limits'))
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .orderBy('main', 'desc')
    .orderBy('created_at')
    .orderBy('profile_id')
    .execute()
}

export async function insertProfile(db: Db, row: Insertable<DatabaseSchema['profile']>): Promise<void> {
  await db.insertInto('profile').values(row).execute()
}

/**
 * Updates a profile and returns the whole row, including concurrent changes of other columns. Returns undefined when
 * the profile does not exist or is in the bin.
 */
export async function updateProfile(
  db: Db,
  profileId: string,
  changes: Updateable<DatabaseSchema['profile']>,
): Promise<ProfileRow | undefined> {
  if (Object.keys(changes).length === 0)
    return db
      .selectFrom('profile')
      .selectAll()
      .where('profile_id', '=', profileId)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
  return db
    .updateTable('profile')
    .set(changes)
    .where('profile_id', '=', profileId)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/**
 * Moves a profile to the bin. Afterwards the profile is the acting profile of no device, and no device shows its
 * notices. Also deletes the sign-in codes that would open the profile on a new device. If the profile was restricted,
 * it still counts as chosen on the devices that had chosen it (`login.kids_profile_id`), so that these devices still
 * need the exit PIN.
 */
export async function moveProfileToBin(
  db: Db,
  profile: RestrictionFields & Pick<ProfileRow, 'profile_id'>,
  nowMs: number,
): Promise<void> {
  const { profile_id: profileId } = profile
  await db.updateTable('profile').set({ deleted_at: nowMs }).where('profile_id', '=', profileId).execute()
  await db
    .updateTable('login')
    .set({
      active_profile_id: null,
      unlocked_until: null,
      unlock_generation: null,
      ...(isRestrictedProfile(profile) && { kids_profile_id: profileId }),
    })
    .where('active_profile_id', '=', profileId)
    .execute()
  await db.deleteFrom('push_subscription').where('profile_id', '=', profileId).execute()
  await db.deleteFrom('device_authorization').where('profile_id', '=', profileId).execute()
}

/** Permanently deletes a profile. */
export async function deleteProfile(db: Db, profileId: string): Promise<void> {
  await db.deleteFrom('profile').where('profile_id', '=', profileId).execute()
}

/** Like `selectProfiles`, but locks the profile list of the account until the transaction ends. */
export async function lockAndSelectProfiles(db: Db, accountId: string): Promise<LoadedProfile[]> {
  await lockUntilCommit(db, `profiles:${accountId}`)
  return selectProfiles(db, accountId)
}

/**
 * Sets or removes the PIN of a profile. The change starts a new generation of the PIN, which ends all unlocks and media
 * URLs of older generations on every device. Returns the new generation; undefined when the profile no longer exists,
 * is in the bin, or has another generation than `pin_generation`.
 */
export async function updatePin(
  db: Db,
  { profile_id: profileId, pin_generation: generation }: Pick<ProfileRow, 'profile_id' | 'pin_generation'>,
  pinHash: string | null,
): Promise<number | undefined> {
  const row = await db
    .updateTable('profile')
    .set((eb) => ({ pin_hash: pinHash, pin_generation: eb('pin_generation', '+', 1) }))
    .where('profile_id', '=', profileId)
    .where('pin_generation', '=', generation)
    .where('deleted_at', 'is', null)
    .returning('pin_generation')
    .executeTakeFirst()
  return row?.pin_generation
}
