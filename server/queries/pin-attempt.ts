import type { Db } from '../db/database.ts'
import { lockUntilCommit } from '../db/lock.ts'

interface PinAttempts {
  failures: number
  blocked_until: number
}

/**
 * Counts a PIN attempt and returns 0. If `decide` rejects the attempt, it is not counted, and the time to wait in
 * milliseconds is returned. It runs in one transaction, so that concurrent attempts cannot use the same count.
 */
export async function countPinAttempt(
  db: Db,
  profileId: string,
  decide: (previousAttempts: PinAttempts | undefined) => PinAttempts | { waitMs: number },
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await lockUntilCommit(trx, `pin:${profileId}`)
    const previousAttempts = await trx
      .selectFrom('pin_attempt')
      .select(['failures', 'blocked_until'])
      .where('profile_id', '=', profileId)
      .executeTakeFirst()
    const decision = decide(previousAttempts)
    if (!('failures' in decision)) return decision.waitMs
    await trx
      .insertInto('pin_attempt')
      .values({ profile_id: profileId, ...decision })
      .onConflict((conflict) => conflict.column('profile_id').doUpdateSet(decision))
      .execute()
    return 0
  })
}

export async function clearPinAttempts(db: Db, profileId: string): Promise<void> {
  await db.deleteFrom('pin_attempt').where('profile_id', '=', profileId).execute()
}
