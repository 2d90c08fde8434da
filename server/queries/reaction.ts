/**
 * Reactions of profiles to titles (likes, dislikes and ratings), and when they were removed. A write that is sent again
 * after a lost reply must not restore what another device has removed since (`repeatFields` of the contract).
 */
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { lockUntilCommit } from '../db/lock.ts'
import type { DatabaseSchema } from '../db/schema.ts'

interface ReactionRef {
  profileId: string
  titleId: number
  /** `feedback` or `rating`: the name of the table, and also of the column that contains the reaction. */
  kind: DatabaseSchema['removed_reaction']['kind']
}

interface ReactionChange extends ReactionRef {
  /** Null removes the stored reaction. */
  reaction: string | number | null
  nowMs: number
  /**
   * Time of this change in milliseconds since 1970. A reaction that was stored after this time is not changed, and a
   * reaction that was removed after this time stays removed.
   */
  changedAtMs: number
}

/** Prevents other transactions from changing the reactions of a profile until this transaction ends. */
export const lockReactions = (trx: Db, profileId: string) => lockUntilCommit(trx, `reactions:${profileId}`)

/** Saves or removes a reaction. Call it inside a transaction. */
export async function setReaction(
  trx: Db,
  { reaction, nowMs, changedAtMs, ...reactionRef }: ReactionChange,
): Promise<void> {
  const { profileId, titleId, kind } = reactionRef
  await lockReactions(trx, profileId)
  const [table, column] = [sql.table(kind), sql.ref(kind)]
  const updatedAtMs = Math.min(nowMs, changedAtMs)
  if (reaction === null) {
    await sql`delete from ${table} where profile_id = ${profileId} and title_id = ${titleId}
      and updated_at <= ${changedAtMs}`.execute(trx)
    await recordRemovedReaction(trx, reactionRef, updatedAtMs)
    return
  }
  if (await wasReactionRemovedSince(trx, reactionRef, changedAtMs)) return
  await sql`
    insert into ${table} (profile_id, title_id, ${column}, updated_at)
    values (${profileId}, ${titleId}, ${reaction}, ${updatedAtMs})
    on conflict (profile_id, title_id) do update set ${column} = excluded.${column}, updated_at = excluded.updated_at
    where ${table}.updated_at <= ${changedAtMs}`.execute(trx)
}

/** Stores the time of a removal, unless a later time is already stored. */
async function recordRemovedReaction(
  db: Db,
  { profileId, titleId, kind }: ReactionRef,
  removedAtMs: number,
): Promise<void> {
  await db
    .insertInto('removed_reaction')
    .values({ profile_id: profileId, title_id: titleId, kind, removed_at: removedAtMs })
    .onConflict((conflict) =>
      conflict
        .columns(['profile_id', 'title_id', 'kind'])
        .doUpdateSet({ removed_at: removedAtMs })
        .where('removed_reaction.removed_at', '<', removedAtMs),
    )
    .execute()
}

async function wasReactionRemovedSince(
  db: Db,
  { profileId, titleId, kind }: ReactionRef,
  sinceMs: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('removed_reaction')
    .select('removed_at')
    .where('profile_id', '=', profileId)
    .where('title_id', '=', titleId)
    .where('kind', '=', kind)
    .where('removed_at', '>', sinceMs)
    .executeTakeFirst()
  return row !== undefined
}
