/** Deletes an account with its data. Also removes the references to the account that no foreign key covers. */
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { deleteAccount } from './account.ts'
import { clearAuditDetails } from './audit.ts'
import { revokeInvitationsOfCreator } from './invitation.ts'

export interface ErasedAccount {
  email: string
  /** Ids of the history imports of the account. The uploaded files of these imports may still exist. */
  importIds: string[]
}

interface AccountErasureOptions {
  hash: (text: string) => string
  nowMs: number
  /** Names of all attempt limits. Each bucket of `rate_limit` begins with the name of its limit. */
  attemptLimitNames: readonly string[]
}

/**
 * Deletes an account with its data, and stores a hash of its id in `deleted_account`. Returns undefined when the
 * account does not exist. Call it inside a transaction.
 */
export async function eraseAccount(
  db: Db,
  accountId: string,
  { hash, nowMs, attemptLimitNames }: AccountErasureOptions,
): Promise<ErasedAccount | undefined> {
  const account = await db
    .selectFrom('account')
    .select('email')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (!account) return undefined
  const imports = await db
    .selectFrom('history_import')
    .select('import_id')
    .where('profile_id', 'in', (eb) =>
      eb.selectFrom('profile').select('profile_id').where('account_id', '=', accountId),
    )
    .execute()
  await clearAuditDetails(db, accountId)
  await deleteAttemptCounters(db, accountId, attemptLimitNames)
  await db
    .deleteFrom('invitation')
    .where((eb) =>
      eb.or([eb('used_by', '=', accountId), eb(eb.fn('lower', ['email']), '=', account.email.toLowerCase())]),
    )
    .execute()
  await revokeInvitationsOfCreator(db, accountId, nowMs)
  await db.updateTable('setting').set({ updated_by: null }).where('updated_by', '=', accountId).execute()
  await db.updateTable('job').set({ created_by: null }).where('created_by', '=', accountId).execute()
  await db.updateTable('block_rule').set({ created_by: null }).where('created_by', '=', accountId).execute()
  await insertDeletedAccounts(db, [{ account_hash: hash(accountId), deleted_at: nowMs }])
  await deleteAccount(db, accountId)
  return { email: account.email, importIds: imports.map(({ import_id }) => import_id) }
}

/** Deletes the rows of `rate_limit` whose bucket contains the id of the account or of a login of the account. */
async function deleteAttemptCounters(
  db: Db,
  accountId: string,
  attemptLimitNames: readonly string[],
): Promise<void> {
  const limits = sql.join(
    attemptLimitNames.map((limitName) => sql`select cast(${limitName} as text) as name`),
    sql` union all `,
  )
  await sql`
    delete from rate_limit where bucket in (
      select limits.name || ':' || owner.id from (${limits}) limits, (
        select cast(${accountId} as text) as id
        union all select sid from login where account_id = ${accountId}) owner)`.execute(db)
}

export interface DeletedAccount {
  account_hash: string
  deleted_at: number
}

export async function insertDeletedAccounts(db: Db, rows: readonly DeletedAccount[]): Promise<void> {
  for (const row of rows)
    await db
      .insertInto('deleted_account')
      .values(row)
      .onConflict((conflict) => conflict.column('account_hash').doNothing())
      .execute()
}

export async function selectDeletedAccounts(db: Db): Promise<DeletedAccount[]> {
  return db.selectFrom('deleted_account').selectAll().orderBy('deleted_at').execute()
}

export async function selectAllAccountIds(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('account').select('account_id').execute()
  return rows.map((row) => row.account_id)
}
