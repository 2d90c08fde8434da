/** Passkeys of accounts, and the challenges that were already used for a sign-in or a registration. */
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../db/database.ts'
import { lockUntilCommit } from '../db/lock.ts'
import type { DatabaseSchema } from '../db/schema.ts'

export type PasskeyRow = Selectable<DatabaseSchema['passkey']>

export async function selectPasskeys(db: Db, accountId: string): Promise<PasskeyRow[]> {
  return db
    .selectFrom('passkey')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('passkey_id')
    .execute()
}

/**
 * Locks the passkeys of an account against other callers of this function until the transaction ends, and returns them.
 */
export async function lockPasskeys(trx: Db, accountId: string): Promise<PasskeyRow[]> {
  await lockUntilCommit(trx, `passkeys:${accountId}`)
  return selectPasskeys(trx, accountId)
}

export async function selectPasskeyByCredential(
  db: Db,
  credentialId: string,
): Promise<PasskeyRow | undefined> {
  return db.selectFrom('passkey').selectAll().where('credential_id', '=', credentialId).executeTakeFirst()
}

export async function hasPasskey(db: Db, passkeyId: string): Promise<boolean> {
  const query = db.selectFrom('passkey').select('passkey_id').where('passkey_id', '=', passkeyId)
  return (await query.executeTakeFirst()) !== undefined
}

/** Inserts a passkey. Returns false, without inserting, when the credential is already registered for an account. */
export async function insertPasskey(db: Db, row: Insertable<DatabaseSchema['passkey']>): Promise<boolean> {
  const insertResult = await db
    .insertInto('passkey')
    .values(row)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirst()
  return (insertResult.numInsertedOrUpdatedRows ?? 0n) === 1n
}

/**
 * Stores the signature counter and the time of a use. Returns false when the counter has not increased, which
 * indicates that the passkey was copied. Passkeys without a counter always send 0 and are accepted.
 */
export async function recordPasskeyUse(
  db: Db,
  { passkeyId, counter, nowMs }: { passkeyId: string; counter: number; nowMs: number },
): Promise<boolean> {
  const updateResult = await db
    .updateTable('passkey')
    .set({ sign_count: counter, last_used_at: nowMs })
    .where('passkey_id', '=', passkeyId)
    .where((eb) =>
      eb.or([eb('sign_count', '<', counter), ...(counter === 0 ? [eb('sign_count', '=', 0)] : [])]),
    )
    .executeTakeFirst()
  return updateResult.numUpdatedRows === 1n
}

export async function updatePasskeyName(
  db: Db,
  accountId: string,
  { passkeyId, name }: { passkeyId: string; name: string },
): Promise<boolean> {
  const updateResult = await db
    .updateTable('passkey')
    .set({ name })
    .where('passkey_id', '=', passkeyId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return updateResult.numUpdatedRows === 1n
}

export async function deletePasskey(db: Db, accountId: string, passkeyId: string): Promise<boolean> {
  const deleteResult = await db
    .deleteFrom('passkey')
    .where('passkey_id', '=', passkeyId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return deleteResult.numDeletedRows === 1n
}

export async function deletePasskeys(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('passkey').where('account_id', '=', accountId).execute()
}

/** Stores a challenge as used. Returns false when the challenge was already used. */
export async function insertUsedChallenge(
  db: Db,
  row: Insertable<DatabaseSchema['used_challenge']>,
): Promise<boolean> {
  const insertResult = await db
    .insertInto('used_challenge')
    .values(row)
    .onConflict((conflict) => conflict.column('challenge_hash').doNothing())
    .executeTakeFirst()
  return (insertResult.numInsertedOrUpdatedRows ?? 0n) === 1n
}
