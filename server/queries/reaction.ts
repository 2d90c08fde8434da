/**
 * When likes, dislikes and ratings were removed. A write that is sent again after a lost reply must not restore what
 * another device has removed since (`repeatFields` of the contract).
 */
import type { Db } from '../db/database.ts'
import { lockUntilCommit } from '../db/lock.ts'
import type { DatabaseSchema } from '../db/schema.ts'

interface ReactionRef {
  profileId: string
  titleId: number
  kind: DatabaseSchema['removed_reaction']['kind']
}

/** Lets no other transaction change the likes and ratings of a profile until this transaction ends. */
export const lockReactions = (trx: Db, profileId: string) => lockUntilCommit(trx, `reactions:${profileId}`)

/** Stores the time of a removal. A later time that is stored already stays. */
export async function recordRemovedReaction(
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

export async function wasReactionRemovedSince(
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
