import type { Insertable } from 'kysely'
import { lockUntilCommit } from '../db/lock.ts'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'

type Unchained = Omit<Insertable<Schema['audit_event']>, 'audit_id' | 'previous_hash' | 'hash'>

/** Appends an event to the chain: each hash covers the event and the hash before it. Call it inside a transaction. */
export async function appendAudit(db: Db, event: Unchained, hash: (text: string) => string): Promise<void> {
  await lockUntilCommit(db, 'audit')
  const last = await db
    .selectFrom('audit_event')
    .select('hash')
    .orderBy('audit_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const previous = last?.hash ?? ''
  await db
    .insertInto('audit_event')
    .values({ ...event, previous_hash: previous, hash: hash(JSON.stringify([previous, event])) })
    .execute()
}

export async function activitiesOf(
  db: Db,
  accountId: string,
  { page, limit }: { page: number; limit: number },
) {
  const mine = db.selectFrom('audit_event').where('account_id', '=', accountId)
  const rows = await mine
    .select(['audit_id', 'at', 'action', 'outcome', 'device_name', 'ip'])
    .orderBy('audit_id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const { total } = await mine.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { rows, total: Number(total) }
}

/**
 * Replaces a deleted account by a pseudonym. The chain's hashes cover what was written then, so the rows keep them; the
 * check of the chain passes over pseudonymised rows' own content and goes on with the link.
 */
export async function forgetAccount(db: Db, accountId: string, pseudonym: string): Promise<void> {
  await db
    .updateTable('audit_event')
    .set({
      account_id: pseudonym,
      sid: null,
      profile_id: null,
      device_name: null,
      ip: null,
      user_agent_hash: null,
    })
    .where('account_id', '=', accountId)
    .execute()
}
