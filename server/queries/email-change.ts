/**
 * Requested changes of email addresses. A link confirms a change; a second link cancels the confirmed change. The
 * tokens of the links are stored as hashes.
 */
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import type { AccountRow } from './login.ts'

export type EmailChangeRow = Selectable<DatabaseSchema['email_change']>

export async function insertEmailChange(
  db: Db,
  row: Insertable<DatabaseSchema['email_change']>,
): Promise<void> {
  await db.insertInto('email_change').values(row).execute()
}

/**
 * Returns the email change of a token. Returns undefined when the token is unknown or has expired, or when the
 * account is blocked.
 */
export async function selectEmailChange(
  db: Db,
  tokenHash: string,
  nowMs: number,
): Promise<EmailChangeRow | undefined> {
  return db
    .selectFrom('email_change')
    .innerJoin('account', 'account.account_id', 'email_change.account_id')
    .selectAll('email_change')
    .where('email_change.token_hash', '=', tokenHash)
    .where('email_change.expires_at', '>', nowMs)
    .where('account.blocked', '=', 0)
    .executeTakeFirst()
}

/** Deletes an email change. Returns true if this call deleted it: of several concurrent callers, only one gets true. */
export async function consumeEmailChange(db: Db, tokenHash: string): Promise<boolean> {
  const deleteResult = await db
    .deleteFrom('email_change')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return deleteResult.numDeletedRows === 1n
}

/** Deletes the unconfirmed email changes of an account. With `includesConfirmed`, deletes the confirmed changes too. */
export async function deleteEmailChanges(
  db: Db,
  accountId: string,
  { includesConfirmed = false } = {},
): Promise<void> {
  let query = db.deleteFrom('email_change').where('account_id', '=', accountId)
  if (!includesConfirmed) query = query.where('confirmed_at', 'is', null)
  await query.execute()
}

/**
 * Sets the email address of an account. Returns false when another account has the address. Call this function inside a
 * transaction.
 */
export async function updateAccountEmail(
  db: Db,
  { account_id }: Pick<AccountRow, 'account_id'>,
  email: string,
): Promise<boolean> {
  const updateResult = await db
    .updateTable('account')
    .set({ email })
    .where('account_id', '=', account_id)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('account as other')
            .select('other.account_id')
            .where('other.email', '=', email)
            .where('other.account_id', '!=', account_id),
        ),
      ),
    )
    .executeTakeFirst()
  return updateResult.numUpdatedRows === 1n
}
