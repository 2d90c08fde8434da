/** Devices that wait to be signed in with a code (RFC 8628). Codes are stored as hashes. */
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'

export type DeviceAuthorizationRow = Selectable<DatabaseSchema['device_authorization']>

/** Stores a device that waits for a sign-in. Returns false when another device already uses the user code. */
export async function insertDeviceAuthorization(
  db: Db,
  row: Insertable<DatabaseSchema['device_authorization']>,
): Promise<boolean> {
  const insertResult = await db
    .insertInto('device_authorization')
    .values(row)
    .onConflict((conflict) => conflict.column('user_code_hash').doNothing())
    .executeTakeFirst()
  return (insertResult.numInsertedOrUpdatedRows ?? 0n) === 1n
}

export async function selectDeviceAuthorization(
  db: Db,
  deviceCodeHash: string,
  nowMs: number,
): Promise<DeviceAuthorizationRow | undefined> {
  return db
    .selectFrom('device_authorization')
    .selectAll()
    .where('device_code_hash', '=', deviceCodeHash)
    .where('expires_at', '>', nowMs)
    .executeTakeFirst()
}

/**
 * Returns the device that shows a user code, in any state (pending, approved, denied or used), unless the code has
 * expired.
 */
export async function selectDeviceByUserCode(
  db: Db,
  userCodeHash: string,
  nowMs: number,
): Promise<DeviceAuthorizationRow | undefined> {
  return db
    .selectFrom('device_authorization')
    .selectAll()
    .where('user_code_hash', '=', userCodeHash)
    .where('expires_at', '>', nowMs)
    .executeTakeFirst()
}

interface DeviceAuthorizationDecision {
  userCodeHash: string
  nowMs: number
  state: 'approved' | 'denied'
  /** Time until which the device can request the decision, in milliseconds since 1970. */
  expiresAtMs: number
  accountId: string
  sid: string
  profileId: string | null
}

/** Approves or denies a pending code. Returns false when the code is unknown, is not pending or has expired. */
export async function decideDeviceAuthorization(
  db: Db,
  decision: DeviceAuthorizationDecision,
): Promise<boolean> {
  const updateResult = await db
    .updateTable('device_authorization')
    .set({
      state: decision.state,
      expires_at: decision.expiresAtMs,
      account_id: decision.accountId,
      sid: decision.sid,
      profile_id: decision.profileId,
    })
    .where('user_code_hash', '=', decision.userCodeHash)
    .where('state', '=', 'pending')
    .where('expires_at', '>', decision.nowMs)
    .executeTakeFirst()
  return updateResult.numUpdatedRows === 1n
}

/**
 * Marks the code of an approved device as used. Of several concurrent callers, only one gets true. Call this function
 * in the transaction that creates the login of the device.
 */
export async function markDeviceCodeUsed(db: Db, deviceCodeHash: string, nowMs: number): Promise<boolean> {
  const updateResult = await db
    .updateTable('device_authorization')
    .set({ state: 'used' })
    .where('device_code_hash', '=', deviceCodeHash)
    .where('state', '=', 'approved')
    .where('expires_at', '>', nowMs)
    .executeTakeFirst()
  return updateResult.numUpdatedRows === 1n
}

export async function recordDevicePoll(
  db: Db,
  deviceCodeHash: string,
  devicePoll: { polled_at: number; interval_seconds: number },
): Promise<void> {
  await db
    .updateTable('device_authorization')
    .set(devicePoll)
    .where('device_code_hash', '=', deviceCodeHash)
    .execute()
}

/** Returns those of the given hashes whose device codes are still pending and have not expired. */
export async function selectPendingDeviceCodes(
  db: Db,
  deviceCodeHashes: readonly string[],
  nowMs: number,
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('device_authorization')
    .select('device_code_hash')
    .where('device_code_hash', 'in', deviceCodeHashes)
    .where('state', '=', 'pending')
    .where('expires_at', '>', nowMs)
    .execute()
  return new Set(rows.map((row) => row.device_code_hash))
}
