import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'

export type InvitationRow = Selectable<Schema['invitation']>

export async function insertInvitation(db: Db, row: Insertable<Schema['invitation']>): Promise<void> {
  await db.insertInto('invitation').values(row).execute()
}

/** An invitation that can still be used. */
export async function openInvitation(
  db: Db,
  tokenHash: string,
  now: number,
): Promise<InvitationRow | undefined> {
  return db
    .selectFrom('invitation')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Uses an invitation up; false when another got there first. Call it inside the transaction that opens the account. */
export async function consumeInvitation(
  db: Db,
  { invitationId, now }: { invitationId: string; now: number },
): Promise<boolean> {
  const result = await db
    .updateTable('invitation')
    .set({ used_at: now })
    .where('invitation_id', '=', invitationId)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

export async function nameInvited(db: Db, invitationId: string, accountId: string): Promise<void> {
  await db
    .updateTable('invitation')
    .set({ used_by: accountId })
    .where('invitation_id', '=', invitationId)
    .execute()
}

export async function invitations(db: Db, { page, limit }: { page: number; limit: number }) {
  const rows = await db
    .selectFrom('invitation')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('invitation_id')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const { total } = await db
    .selectFrom('invitation')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { rows, total: Number(total) }
}

export async function revokeInvitation(db: Db, invitationId: string, now: number): Promise<boolean> {
  const result = await db
    .updateTable('invitation')
    .set({ revoked_at: now })
    .where('invitation_id', '=', invitationId)
    .where('used_at', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}
