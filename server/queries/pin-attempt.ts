import type { Db } from '../db/database.ts'
import { lockUntilCommit } from '../db/lock.ts'

interface PinAttempts {
  failures: number
  blocked_until: number
}

interface PinDelay {
  waitMs: number
  /** Set when the stored delay would be too long because the clock was set back. Replaces the stored attempts. */
  correctedAttempts?: PinAttempts
}

/**
 * Counts a PIN attempt and returns 0. If `decideAttempt` rejects the attempt, the attempt is not counted, and the time
 * to wait in milliseconds is returned. Runs in one transaction, so that two concurrent attempts are not counted as one.
 */
export async function countPinAttempt(
  db: Db,
  profileId: string,
  decideAttempt: (previousAttempts: PinAttempts | undefined) => PinAttempts | PinDelay,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await lockUntilCommit(trx, `pin:${profileId}`)
    const previousAttempts = await trx
      .selectFrom('pin_attempt')
      .select(['failures', 'blocked_until'])
      .where('profile_id', '=', profileId)
      .executeTakeFirst()
    const decision = decideAttempt(previousAttempts)
    const attempts = 'failures' in decision ? decision : decision.correctedAttempts
    if (attempts)
      await trx
        .insertInto('pin_attempt')
        .values({ profile_id: profileId, ...attempts })
        .onConflict((conflict) => conflict.column('profile_id').doUpdateSet(attempts))
        .execute()
    return 'failures' in decision ? 0 : decision.waitMs
  })
}

/** Subtracts an attempt that was counted but not checked, and ends the delay that it caused. */
export async function removeCountedPinAttempt(db: Db, profileId: string): Promise<void> {
  await db
    .updateTable('pin_attempt')
    .set((eb) => ({ failures: eb('failures', '-', 1), blocked_until: 0 }))
    .where('profile_id', '=', profileId)
    .where('failures', '>', 0)
    .execute()
}

export async function clearPinAttempts(db: Db, profileId: string): Promise<void> {
  await db.deleteFrom('pin_attempt').where('profile_id', '=', profileId).execute()
}
