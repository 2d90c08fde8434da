/**
 * Second factors of accounts: authenticator apps (RFC 6238) and recovery codes, and sign-ins that wait for a second
 * factor.
 */
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'

export type TotpRow = Selectable<DatabaseSchema['totp']>
export type SignInStepRow = Selectable<DatabaseSchema['sign_in_step']>

export async function selectTotp(db: Db, accountId: string): Promise<TotpRow | undefined> {
  return db.selectFrom('totp').selectAll().where('account_id', '=', accountId).executeTakeFirst()
}

/** True when the account needs a second factor because an authenticator app is set up. */
export async function hasSecondFactor(db: Db, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('totp')
    .select('account_id')
    .where('account_id', '=', accountId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Stores the secret of an authenticator app that is being set up. Replaces the secret of an earlier, unconfirmed
 * set-up.
 */
export async function storePendingTotp(
  db: Db,
  pendingSetup: { accountId: string; secret: string; nowMs: number },
): Promise<void> {
  const pendingColumns = { pending_secret: pendingSetup.secret, pending_at: pendingSetup.nowMs }
  await db
    .insertInto('totp')
    .values({ account_id: pendingSetup.accountId, last_step: 0, ...pendingColumns })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(pendingColumns))
    .execute()
}

/**
 * Makes a pending secret the secret of the account. Returns false when another request has replaced or confirmed the
 * secret.
 */
export async function confirmTotp(
  db: Db,
  totpConfirmation: { accountId: string; secret: string; step: number; nowMs: number },
): Promise<boolean> {
  const updateResult = await db
    .updateTable('totp')
    .set({
      secret: totpConfirmation.secret,
      confirmed_at: totpConfirmation.nowMs,
      last_step: totpConfirmation.step,
      pending_secret: null,
      pending_at: null,
    })
    .where('account_id', '=', totpConfirmation.accountId)
    .where('pending_secret', '=', totpConfirmation.secret)
    .executeTakeFirst()
  return updateResult.numUpdatedRows === 1n
}

/**
 * Records that the code of a time step was used. Returns false when a code of this or a later time step was already
 * used.
 */
export async function consumeTotpStep(db: Db, accountId: string, step: number): Promise<boolean> {
  const updateResult = await db
    .updateTable('totp')
    .set({ last_step: step })
    .where('account_id', '=', accountId)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return updateResult.numUpdatedRows === 1n
}

/**
 * Deletes the authenticator app and the recovery codes of an account. Returns true when the account had an app, even an
 * unconfirmed one.
 */
export async function deleteSecondFactor(db: Db, accountId: string): Promise<boolean> {
  await db.deleteFrom('recovery_code').where('account_id', '=', accountId).execute()
  const deleteResult = await db.deleteFrom('totp').where('account_id', '=', accountId).executeTakeFirst()
  return deleteResult.numDeletedRows === 1n
}

export async function replaceRecoveryCodes(
  db: Db,
  accountId: string,
  { codeHashes, nowMs }: { codeHashes: readonly string[]; nowMs: number },
): Promise<void> {
  await db.deleteFrom('recovery_code').where('account_id', '=', accountId).execute()
  const rows = codeHashes.map((code_hash) => ({ code_hash, account_id: accountId, created_at: nowMs }))
  await db.insertInto('recovery_code').values(rows).execute()
}

/** Deletes a recovery code. Of several concurrent callers, only one gets true. */
export async function consumeRecoveryCode(db: Db, accountId: string, codeHash: string): Promise<boolean> {
  const deleteResult = await db
    .deleteFrom('recovery_code')
    .where('account_id', '=', accountId)
    .where('code_hash', '=', codeHash)
    .executeTakeFirst()
  return deleteResult.numDeletedRows === 1n
}

export async function countRecoveryCodes(db: Db, accountId: string): Promise<number> {
  const row = await db
    .selectFrom('recovery_code')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export async function insertSignInStep(
  db: Db,
  row: Insertable<DatabaseSchema['sign_in_step']>,
): Promise<void> {
  await db.insertInto('sign_in_step').values(row).execute()
}

/**
 * Counts one attempt of a sign-in step and returns the step. Returns undefined when the step is unknown, has expired or
 * has no attempts left. Concurrent attempts are counted separately.
 */
export async function recordSignInStepAttempt(
  db: Db,
  tokenHash: string,
  { nowMs, maxAttempts }: { nowMs: number; maxAttempts: number },
): Promise<SignInStepRow | undefined> {
  return db
    .updateTable('sign_in_step')
    .set((eb) => ({ failures: eb('failures', '+', 1) }))
    .where('token_hash', '=', tokenHash)
    .where('failures', '<', maxAttempts)
    .where('expires_at', '>', nowMs)
    .returningAll()
    .executeTakeFirst()
}

/** Deletes a sign-in step. Of several concurrent callers, only one gets true. */
export async function consumeSignInStep(db: Db, tokenHash: string): Promise<boolean> {
  const deleteResult = await db
    .deleteFrom('sign_in_step')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return deleteResult.numDeletedRows === 1n
}

/** Deletes the unfinished sign-ins of an account, for example because its password has changed. */
export async function deleteSignInSteps(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('sign_in_step').where('account_id', '=', accountId).execute()
}

/** Records that a device has given a second factor. */
export async function recordSecondFactor(db: Db, sid: string, nowMs: number): Promise<void> {
  await db.updateTable('login').set({ second_factor_at: nowMs }).where('sid', '=', sid).execute()
}
