/** Pairings of televisions with the phones that control them. Pairing codes are stored as hashes. */
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'

export type RemotePairingRow = Selectable<DatabaseSchema['remote_pairing']>

/**
 * Stores the pairing of a television and replaces its previous pairing. Returns false when the code is already in use.
 */
export async function replaceRemotePairing(
  db: Db,
  row: Insertable<DatabaseSchema['remote_pairing']>,
): Promise<boolean> {
  await db.deleteFrom('remote_pairing').where('television_sid', '=', row.television_sid).execute()
  const insertResult = await db
    .insertInto('remote_pairing')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (insertResult.numInsertedOrUpdatedRows ?? 0n) === 1n
}

/**
 * Returns the pairing with this id. Returns undefined if it belongs to another account or has expired, or if the phone
 * has lost control (`phone_expires_at`).
 */
export async function selectRemotePairing(
  db: Db,
  { pairingId, accountId, nowMs }: { pairingId: string; accountId: string; nowMs: number },
): Promise<RemotePairingRow | undefined> {
  return db
    .selectFrom('remote_pairing')
    .selectAll()
    .where('pairing_id', '=', pairingId)
    .where('account_id', '=', accountId)
    .where('expires_at', '>', nowMs)
    .where((eb) => eb.or([eb('phone_expires_at', 'is', null), eb('phone_expires_at', '>', nowMs)]))
    .executeTakeFirst()
}

/** Returns the pairing with this code; undefined unless it belongs to the account and has not expired. */
export async function selectRemotePairingByCode(
  db: Db,
  { codeHash, accountId, nowMs }: { codeHash: string; accountId: string; nowMs: number },
): Promise<RemotePairingRow | undefined> {
  return db
    .selectFrom('remote_pairing')
    .selectAll()
    .where('code_hash', '=', codeHash)
    .where('account_id', '=', accountId)
    .where('expires_at', '>', nowMs)
    .executeTakeFirst()
}

interface PhoneAssignment {
  pairingId: string
  phoneSid: string
  /** The profile that acts on the television; null when no profile acts there. */
  profileId: string | null
}

/**
 * Assigns a pairing to a phone and deletes the code of the pairing. Returns false when the pairing already has a phone.
 */
export async function assignPhone(
  db: Db,
  { pairingId, phoneSid, profileId }: PhoneAssignment,
): Promise<boolean> {
  const updateResult = await db
    .updateTable('remote_pairing')
    .set({ phone_sid: phoneSid, profile_id: profileId, code_hash: null })
    .where('pairing_id', '=', pairingId)
    .where('code_hash', 'is not', null)
    .executeTakeFirst()
  return updateResult.numUpdatedRows === 1n
}

export async function setPairingExpiry(
  db: Db,
  pairingId: string,
  expiryColumns: { expires_at: number } | { phone_expires_at: number | null },
): Promise<void> {
  await db.updateTable('remote_pairing').set(expiryColumns).where('pairing_id', '=', pairingId).execute()
}

/**
 * A paired phone may control the profile that was active on the television when the pairing began, also if the profile
 * needs a PIN. Ends this right for the profile with the given id, or for all profiles of the account. Pairings of the
 * television `keptTelevisionSid` are not changed.
 */
export async function clearPairedProfiles(
  db: Db,
  profiles: { profileId: string } | { accountId: string },
  keptTelevisionSid: string,
): Promise<void> {
  const updateQuery = db
    .updateTable('remote_pairing')
    .set({ profile_id: null })
    .where('television_sid', '!=', keptTelevisionSid)
  await ('profileId' in profiles
    ? updateQuery.where('profile_id', '=', profiles.profileId)
    : updateQuery.where('account_id', '=', profiles.accountId)
  ).execute()
}

export async function deleteRemotePairing(db: Db, pairingId: string): Promise<void> {
  await db.deleteFrom('remote_pairing').where('pairing_id', '=', pairingId).execute()
}
