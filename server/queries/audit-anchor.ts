/**
 * The anchor of the audit log: a row outside the log. It contains the hashes of the last event and of the last deleted
 * event, and the numbers of appended and deleted events. Each transaction that changes the log also changes the anchor.
 * A check of the log compares the log with the anchor, because the hash chain alone does not show that events are
 * missing at the start or end of the log.
 */
import type { Selectable } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DatabaseSchema } from '../db/schema.ts'

const ANCHOR_ID = 1

export type AuditAnchor = Omit<Selectable<DatabaseSchema['audit_anchor']>, 'anchor_id'>

/** Returns the anchor; undefined before the first event. */
export async function selectAuditAnchor(db: Db): Promise<AuditAnchor | undefined> {
  const row = await db
    .selectFrom('audit_anchor')
    .select(['appended_count', 'last_hash', 'removed_count', 'removed_hash'])
    .where('anchor_id', '=', ANCHOR_ID)
    .executeTakeFirst()
  return (
    row && { ...row, appended_count: Number(row.appended_count), removed_count: Number(row.removed_count) }
  )
}

/**
 * Stores the hash of a new event as the hash of the last event, and counts the event. Call it in the transaction that
 * appends the event.
 */
export async function advanceAuditAnchor(db: Db, lastHash: string): Promise<void> {
  await db
    .insertInto('audit_anchor')
    .values({
      anchor_id: ANCHOR_ID,
      appended_count: 1,
      last_hash: lastHash,
      removed_count: 0,
      removed_hash: '',
    })
    .onConflict((conflict) =>
      conflict.column('anchor_id').doUpdateSet((eb) => ({
        appended_count: eb('audit_anchor.appended_count', '+', 1),
        last_hash: lastHash,
      })),
    )
    .execute()
}

/**
 * Records the deletion of the `count` oldest events. `lastHash` is the hash of the last deleted event. Call it in the
 * transaction that deletes these events.
 */
export async function moveAuditAnchorStart(
  db: Db,
  { count, lastHash }: { count: number; lastHash: string },
): Promise<void> {
  await db
    .updateTable('audit_anchor')
    .set((eb) => ({ removed_count: eb('removed_count', '+', count), removed_hash: lastHash }))
    .where('anchor_id', '=', ANCHOR_ID)
    .execute()
}
