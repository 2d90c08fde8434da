/** Links with which the owner of an account sets a new password. Tokens are stored as hashes. */
import type { Insertable } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import type { AccountRow } from './login.ts'

export async function insertPasswordReset(
  db: Db,
  row: Insertable<DatabaseSchema['password_reset']>,
): Promise<void> {
  await db.insertInto('password_reset').values(row).execute()
}

export async function deletePasswordResets(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('password_reset').where('account_id', '=', accountId).execute()
}

/**
 * Returns the account of a reset link and the expiry time of the link. Returns undefined when the link is unknown or
 * has expired, or when the account is blocked.
 */
export async function selectPasswordReset(
  db: Db,
  tokenHash: string,
  nowMs: number,
): Promise<{ account: AccountRow; expiresAtMs: number } | undefined> {
  const row = await db
    .selectFrom('password_reset')
    .innerJoin('account', 'account.account_id', 'password_reset.account_id')
    .selectAll('account')
    .select('password_reset.expires_at')
    .where('password_reset.token_hash', '=', tokenHash)
    .where('password_reset.expires_at', '>', nowMs)
    .where('account.blocked', '=', 0)
    .executeTakeFirst()
  if (!row) return undefined
  const { expires_at: expiresAtMs, ...account } = row
  return { account, expiresAtMs }
}

/** Deletes a reset link. Returns true if this call deleted it: of several concurrent callers, only one gets true. */
export async function consumePasswordReset(db: Db, tokenHash: string): Promise<boolean> {
  const deleteResult = await db
    .deleteFrom('password_reset')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return deleteResult.numDeletedRows === 1n
}
