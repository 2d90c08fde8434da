/** Identities of OpenID Connect providers that are linked to accounts. */
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'

export type IdentityRow = Selectable<DatabaseSchema['identity']>

export async function selectIdentities(db: Db, accountId: string): Promise<IdentityRow[]> {
  return db
    .selectFrom('identity')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('identity_id')
    .execute()
}

export async function selectIdentity(
  db: Db,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<IdentityRow | undefined> {
  return db
    .selectFrom('identity')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

/** Links an identity to an account. Returns false when the identity is already linked to an account. */
export async function insertIdentity(db: Db, row: Insertable<DatabaseSchema['identity']>): Promise<boolean> {
  const insertResult = await db
    .insertInto('identity')
    .values(row)
    .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
    .executeTakeFirst()
  return (insertResult.numInsertedOrUpdatedRows ?? 0n) === 1n
}

export async function recordIdentityUse(
  db: Db,
  identityId: string,
  lastUse: { name: string | null; last_used_at: number },
): Promise<void> {
  await db.updateTable('identity').set(lastUse).where('identity_id', '=', identityId).execute()
}

export async function deleteIdentity(db: Db, accountId: string, identityId: string): Promise<boolean> {
  const deleteResult = await db
    .deleteFrom('identity')
    .where('identity_id', '=', identityId)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return deleteResult.numDeletedRows === 1n
}

export async function deleteIdentities(db: Db, accountId: string): Promise<void> {
  await db.deleteFrom('identity').where('account_id', '=', accountId).execute()
}

/**
 * True when `owner` has an identity of one of these issuers. `owner` is one account, or any administrator who is not
 * blocked.
 */
export async function hasIdentityOfIssuers(
  db: Db,
  issuers: readonly string[],
  owner: { accountId: string } | 'any administrator',
): Promise<boolean> {
  if (issuers.length === 0) return false
  let query = db
    .selectFrom('identity')
    .innerJoin('account', 'account.account_id', 'identity.account_id')
    .select('identity.identity_id')
    .where('identity.issuer', 'in', [...issuers])
  query =
    owner === 'any administrator'
      ? query.where('account.role', '=', 'admin').where('account.blocked', '=', 0)
      : query.where('account.account_id', '=', owner.accountId)
  return (await query.limit(1).executeTakeFirst()) !== undefined
}
