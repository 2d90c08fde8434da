import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'
import { type PageOfRows, type PageRequest, selectPage } from './page.ts'

export type InvitationRow = Selectable<DatabaseSchema['invitation']>

export async function insertInvitation(db: Db, row: Insertable<DatabaseSchema['invitation']>): Promise<void> {
  await db.insertInto('invitation').values(row).execute()
}

/**
 * Returns the invitation with this token hash; undefined when there is none, or when it was used, was revoked or has
 * expired.
 */
export async function selectUsableInvitation(
  db: Db,
  tokenHash: string,
  nowMs: number,
): Promise<InvitationRow | undefined> {
  return db
    .selectFrom('invitation')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', nowMs)
    .executeTakeFirst()
}

/**
 * Marks an invitation as used. Returns false when the invitation can no longer be used. Call it inside the
 * transaction that creates the account.
 */
export async function consumeInvitation(
  db: Db,
  { invitationId, nowMs }: { invitationId: string; nowMs: number },
): Promise<boolean> {
  const updateResult = await db
    .updateTable('invitation')
    .set({ used_at: nowMs })
    .where('invitation_id', '=', invitationId)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', nowMs)
    .executeTakeFirst()
  return updateResult.numUpdatedRows === 1n
}

/** Records which account was created with an invitation. */
export async function recordInvitedAccount(db: Db, invitationId: string, accountId: string): Promise<void> {
  await db
    .updateTable('invitation')
    .set({ used_by: accountId })
    .where('invitation_id', '=', invitationId)
    .execute()
}

export async function selectInvitations(db: Db, request: PageRequest): Promise<PageOfRows<InvitationRow>> {
  const invitationQuery = db.selectFrom('invitation')
  const rowsQuery = invitationQuery.selectAll().orderBy('created_at', 'desc').orderBy('invitation_id')
  return selectPage(rowsQuery, invitationQuery, request)
}

export async function revokeInvitation(db: Db, invitationId: string, nowMs: number): Promise<boolean> {
  const updateResult = await db
    .updateTable('invitation')
    .set({ revoked_at: nowMs })
    .where('invitation_id', '=', invitationId)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return updateResult.numUpdatedRows === 1n
}

/**
 * Revokes the open invitations that an account has created. Call it in the transaction in which the account loses the
 * right to invite. Otherwise, its owner could register a new account with one of these invitations.
 */
export async function revokeInvitationsOfCreator(db: Db, accountId: string, nowMs: number): Promise<void> {
  await db
    .updateTable('invitation')
    .set({ revoked_at: nowMs })
    .where('created_by', '=', accountId)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute()
}

/** Returns the newest usable invitation for an email address: not used, not revoked and not expired. */
export async function selectUsableInvitationByEmail(
  db: Db,
  email: string,
  nowMs: number,
): Promise<InvitationRow | undefined> {
  return db
    .selectFrom('invitation')
    .selectAll()
    .where('email', '=', email)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', nowMs)
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
}
