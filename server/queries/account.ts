import type { Insertable, Updateable } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import type { AccountRow } from './login.ts'

export async function selectAccountByEmail(db: Db, email: string): Promise<AccountRow | undefined> {
  return db.selectFrom('account').selectAll().where('email', '=', email).executeTakeFirst()
}

export async function selectAccountById(db: Db, accountId: string): Promise<AccountRow | undefined> {
  return db.selectFrom('account').selectAll().where('account_id', '=', accountId).executeTakeFirst()
}

/** Inserts an account. Returns false when the email address is already in use. */
export async function insertAccount(db: Db, row: Insertable<DatabaseSchema['account']>): Promise<boolean> {
  const insertResult = await db
    .insertInto('account')
    .values(row)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .executeTakeFirst()
  return (insertResult.numInsertedOrUpdatedRows ?? 0n) === 1n
}

export async function updateAccount(
  db: Db,
  accountId: string,
  changes: Updateable<DatabaseSchema['account']>,
): Promise<void> {
  if (Object.keys(changes).length === 0) return
  await db.updateTable('account').set(changes).where('account_id', '=', accountId).execute()
}

/** Replaces the hash of a password by another hash of the same password, unless the password has changed meanwhile. */
export async function replacePasswordHash(
  db: Db,
  accountId: string,
  { oldHash, newHash }: { oldHash: string; newHash: string },
): Promise<void> {
  await db
    .updateTable('account')
    .set({ password_hash: newHash })
    .where('account_id', '=', accountId)
    .where('password_hash', '=', oldHash)
    .execute()
}

export async function deleteAccount(db: Db, accountId: string): Promise<boolean> {
  const deleteResult = await db.deleteFrom('account').where('account_id', '=', accountId).executeTakeFirst()
  return deleteResult.numDeletedRows === 1n
}

/**
 * Returns the number of administrators that are not blocked. Call this function inside the transaction that may remove
 * an administrator.
 */
export async function countAdmins(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('account')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('role', '=', 'admin')
    .where('blocked', '=', 0)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function countAccounts(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('account')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
