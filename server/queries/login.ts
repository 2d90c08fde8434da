/** Logins: one row per signed-in device, with its refresh token family. */
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { getDialect } from '../db/ddl.ts'
import { lockUntilCommit } from '../db/lock.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import { queryTextIds } from './id-list.ts'

export type AccountRow = Selectable<DatabaseSchema['account']>
export type LoginRow = Selectable<DatabaseSchema['login']>

export async function insertLogin(db: Db, row: Insertable<DatabaseSchema['login']>): Promise<void> {
  await db.insertInto('login').values(row).execute()
}

export async function selectLoginById(db: Db, sid: string): Promise<LoginRow | undefined> {
  return db.selectFrom('login').selectAll().where('sid', '=', sid).executeTakeFirst()
}

/**
 * Returns whether a login still exists. If so, the login exists until this transaction ends: a transaction that deletes
 * the login waits. On SQLite, transactions exclude each other anyway.
 */
export async function lockExistingLogin(trx: Db, sid: string): Promise<boolean> {
  const query = trx.selectFrom('login').select('sid').where('sid', '=', sid)
  const lockingQuery = getDialect(trx) === 'postgres' ? query.forKeyShare() : query
  return (await lockingQuery.executeTakeFirst()) !== undefined
}

/**
 * Waits for the transactions that have locked a login of the account (`lockExistingLogin`). Other transactions that
 * lock or change these logins then wait for this transaction. Does nothing on SQLite, where transactions exclude each
 * other.
 */
export async function lockLoginRows(trx: Db, accountId: string): Promise<void> {
  if (getDialect(trx) === 'postgres')
    await trx.selectFrom('login').select('sid').where('account_id', '=', accountId).forUpdate().execute()
}

/**
 * Returns those of the ids that belong to active logins: the login exists and has not expired, and its account is not
 * blocked.
 */
export async function selectActiveLoginIds(
  db: Db,
  sids: readonly string[],
  nowMs: number,
): Promise<Set<string>> {
  const rows = await queryActiveLogins(db, sids, nowMs).select('login.sid').execute()
  return new Set(rows.map((row) => row.sid))
}

/** Returns the ids of the active logins among `sids` whose account is an administrator. */
export async function selectAdministratorLoginIds(
  db: Db,
  sids: readonly string[],
  nowMs: number,
): Promise<string[]> {
  const rows = await queryActiveLogins(db, sids, nowMs)
    .where('account.role', '=', 'admin')
    .select('login.sid')
    .execute()
  return rows.map((row) => row.sid)
}

const queryActiveLogins = (db: Db, sids: readonly string[], nowMs: number) =>
  db
    .selectFrom('login')
    .innerJoin('account', 'account.account_id', 'login.account_id')
    .where('login.sid', 'in', queryTextIds(db, sids))
    .where('login.expires_at', '>', nowMs)
    .where('account.blocked', '=', 0)

interface TokenRotation {
  sid: string
  presentedHash: string
  successorHash: string
  generation: number
  nowMs: number
  expiresAtMs: number
  /** Null keeps the stored time zone. */
  timeZone: string | null
}

/**
 * Replaces the refresh token if the presented token is the current token of the login. Otherwise changes nothing and
 * returns false.
 */
export async function rotateRefreshToken(db: Db, rotation: TokenRotation): Promise<boolean> {
  const { sid, presentedHash, successorHash, generation, nowMs, expiresAtMs, timeZone } = rotation
  const updateResult = await db
    .updateTable('login')
    .set({
      generation,
      token_hash: successorHash,
      previous_hash: presentedHash,
      rotated_at: nowMs,
      last_active_at: nowMs,
      expires_at: expiresAtMs,
      successor_used: 0,
      ...(timeZone !== null && { time_zone: timeZone }),
    })
    .where('sid', '=', sid)
    .where('token_hash', '=', presentedHash)
    .executeTakeFirst()
  return updateResult.numUpdatedRows === 1n
}

/**
 * Records that the client has used an access token of `generation`. This proves that the client has received the
 * response with the refresh token of this generation.
 */
export async function markSuccessorTokenUsed(db: Db, sid: string, generation: number): Promise<void> {
  await db
    .updateTable('login')
    .set({ successor_used: 1 })
    .where('sid', '=', sid)
    .where('generation', '=', generation)
    .execute()
}

export async function updateLastActive(db: Db, sid: string, nowMs: number): Promise<void> {
  await db.updateTable('login').set({ last_active_at: nowMs }).where('sid', '=', sid).execute()
}

export async function updateTimeZone(db: Db, sid: string, timeZone: string): Promise<void> {
  await db.updateTable('login').set({ time_zone: timeZone }).where('sid', '=', sid).execute()
}

/**
 * Sets the acting profile of a device. With a `profileId` of null, the device has no acting profile afterwards. Ends
 * the unlock of the previous profile and the group of the device. Writes nothing when the acting profile stays the
 * same. `kidsProfileId` is the restricted profile that counts as chosen on the device afterwards.
 */
export async function changeActiveProfile(
  db: Db,
  sid: string,
  { profileId, kidsProfileId }: { profileId: string | null; kidsProfileId: string | null },
): Promise<void> {
  const isOtherProfileActive =
    profileId === null
      ? sql<boolean>`active_profile_id is not null`
      : sql<boolean>`(active_profile_id is null or active_profile_id <> ${profileId})`
  await db
    .updateTable('login')
    .set({
      active_profile_id: profileId,
      unlocked_until: null,
      unlock_generation: null,
      kids_profile_id: kidsProfileId,
      group_members: null,
    })
    .where('sid', '=', sid)
    .where(isOtherProfileActive)
    .execute()
}

export interface ProfileUnlock {
  sid: string
  profileId: string
  /** `pin_generation` of the profile when its PIN was checked. */
  generation: number
  untilMs: number
  isRestricted: boolean
}

/** Makes a profile with a PIN the acting profile of a device and unlocks it. All other unlocks of the device end. */
export async function unlockActiveProfile(db: Db, unlock: ProfileUnlock): Promise<void> {
  await db
    .updateTable('login')
    .set({
      active_profile_id: unlock.profileId,
      unlocked_until: unlock.untilMs,
      unlock_generation: unlock.generation,
      kids_profile_id: unlock.isRestricted ? unlock.profileId : null,
      group_members: null,
    })
    .where('sid', '=', unlock.sid)
    .execute()
}

/**
 * Starts a group that watches with the acting profile of a device. The group ends at `untilMs`, unless the device
 * extends the unlock before that time.
 */
export async function startGroupOfLogin(
  db: Db,
  unlock: Omit<ProfileUnlock, 'isRestricted'>,
  membersJson: string,
): Promise<void> {
  await db
    .updateTable('login')
    .set({
      group_members: membersJson,
      unlocked_until: unlock.untilMs,
      unlock_generation: unlock.generation,
    })
    .where('sid', '=', unlock.sid)
    .where('active_profile_id', '=', unlock.profileId)
    .execute()
}

/** Ends the group of a device. The acting profile stays as it is. */
export async function endGroupOfLogin(db: Db, sid: string): Promise<void> {
  await db.updateTable('login').set({ group_members: null }).where('sid', '=', sid).execute()
}

/** Ends the groups of all devices of an account. Call this function when a profile of the account is deleted. */
export async function clearGroupsOfAccount(db: Db, accountId: string): Promise<void> {
  await db
    .updateTable('login')
    .set({ group_members: null })
    .where('account_id', '=', accountId)
    .where('group_members', 'is not', null)
    .execute()
}

/**
 * Extends the unlock of a device to `unlock.untilMs`, if the stored unlock has the profile and the PIN generation of
 * `unlock` and ends earlier.
 */
export async function extendUnlock(db: Db, unlock: Omit<ProfileUnlock, 'isRestricted'>): Promise<void> {
  await db
    .updateTable('login')
    .set({ unlocked_until: unlock.untilMs })
    .where('sid', '=', unlock.sid)
    .where('active_profile_id', '=', unlock.profileId)
    .where('unlock_generation', '=', unlock.generation)
    .where('unlocked_until', '<', unlock.untilMs)
    .execute()
}

/** Deletes a login. With `accountId`, deletes only a login of that account. Returns true when a login was deleted. */
export async function deleteLogin(db: Db, sid: string, accountId?: string): Promise<boolean> {
  let query = db.deleteFrom('login').where('sid', '=', sid)
  if (accountId !== undefined) query = query.where('account_id', '=', accountId)
  return (await query.executeTakeFirst()).numDeletedRows === 1n
}

/**
 * Makes other callers of this function for the same account wait until this transaction ends. Transactions that create
 * a login or a sign-in step, or that end logins of other devices, take this lock. A sign-in that had to wait therefore
 * reads the changed account.
 */
export const lockLogins = (trx: Db, accountId: string) => lockUntilCommit(trx, `logins:${accountId}`)

/** Deletes all logins of an account, except the login `exceptSid` if it is given. Call it inside a transaction. */
export async function deleteLoginsOfAccount(db: Db, accountId: string, exceptSid?: string): Promise<void> {
  await lockLogins(db, accountId)
  let query = db.deleteFrom('login').where('account_id', '=', accountId)
  if (exceptSid !== undefined) query = query.where('sid', '!=', exceptSid)
  await query.execute()
}

/**
 * Deletes the least recently used logins of an account, so that at most `keptCount` logins remain. Call `lockLogins`
 * first.
 */
export async function deleteOldestLogins(
  db: Db,
  { accountId, keptCount }: { accountId: string; keptCount: number },
): Promise<void> {
  const newestLogins = await db
    .selectFrom('login')
    .select('sid')
    .where('account_id', '=', accountId)
    .orderBy('last_active_at', 'desc')
    .orderBy('created_at', 'desc')
    .limit(keptCount)
    .execute()
  if (newestLogins.length < keptCount) return
  const sids = newestLogins.map((row) => row.sid)
  await db.deleteFrom('login').where('account_id', '=', accountId).where('sid', 'not in', sids).execute()
}

export async function selectLogins(db: Db, accountId: string, nowMs: number): Promise<LoginRow[]> {
  return db
    .selectFrom('login')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('expires_at', '>', nowMs)
    .orderBy('last_active_at', 'desc')
    .orderBy('sid')
    .execute()
}
