import { lockUntilCommit } from '../db/lock.ts'
import type { Db } from '../db/open.ts'

interface Guesses {
  failures: number
  blocked_until: number
}

/** Counts a guess or says how long to wait (ms), in one transaction, so that no two guesses pass on one count. */
export async function takeGuess(
  db: Db,
  profileId: string,
  decide: (before: Guesses | undefined) => Guesses | { wait: number },
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await lockUntilCommit(trx, `pin:${profileId}`)
    const before = await trx
      .selectFrom('pin_attempt')
      .select(['failures', 'blocked_until'])
      .where('profile_id', '=', profileId)
      .executeTakeFirst()
    const decision = decide(before)
    if ('wait' in decision) return decision.wait
    await trx
      .insertInto('pin_attempt')
      .values({ profile_id: profileId, ...decision })
      .onConflict((conflict) => conflict.column('profile_id').doUpdateSet(decision))
      .execute()
    return 0
  })
}

export async function clearGuesses(db: Db, profileId: string): Promise<void> {
  await db.deleteFrom('pin_attempt').where('profile_id', '=', profileId).execute()
}
