import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { lockUntilCommit } from '../db/lock.ts'

export interface AttemptCounter {
  count: number
  window_ends_at: number
  /** Attempts are rejected until this time, in milliseconds since 1970; 0 when no delay has been set. */
  blocked_until: number
}
export interface AttemptDelay {
  waitMs: number
  /** Set when the stored delay would be too long because the clock was set back. Replaces the stored counter. */
  correctedCounter?: AttemptCounter
}
export interface AttemptBucket {
  bucket: string
  /** Returns the counter after one more attempt, or the time to wait when the attempt is rejected. */
  decideAttempt: (previousCounter: AttemptCounter | undefined) => AttemptCounter | AttemptDelay
}

/**
 * Counts an attempt in all buckets. Counts it in no bucket when one of the buckets rejects the attempt. Returns the
 * time to wait in milliseconds; 0 means that the attempt was counted. Runs in one transaction, so that two concurrent
 * attempts are not counted as one.
 */
export async function countAttempt(db: Db, buckets: readonly AttemptBucket[]): Promise<number> {
  // All transactions lock the buckets in the same order, to prevent deadlocks.
  const sortedBuckets = buckets.toSorted((a, b) => (a.bucket < b.bucket ? -1 : 1))
  return db.transaction().execute(async (trx) => {
    for (const { bucket } of sortedBuckets) await lockUntilCommit(trx, `rate:${bucket}`)
    const rows = await trx
      .selectFrom('rate_limit')
      .selectAll()
      .where(
        'bucket',
        'in',
        sortedBuckets.map(({ bucket }) => bucket),
      )
      .execute()
    const decisions = sortedBuckets.map(({ bucket, decideAttempt }) => ({
      bucket,
      decision: decideAttempt(rows.find((row) => row.bucket === bucket)),
    }))
    const waitMs = Math.max(...decisions.map(({ decision }) => ('waitMs' in decision ? decision.waitMs : 0)))
    for (const { bucket, decision } of decisions) {
      const isRejected = 'waitMs' in decision
      if (isRejected && decision.correctedCounter) await storeCounter(trx, bucket, decision.correctedCounter)
      if (!isRejected && waitMs === 0) await storeCounter(trx, bucket, decision)
    }
    return waitMs
  })
}

async function storeCounter(trx: Db, bucket: string, attemptCounter: AttemptCounter): Promise<void> {
  await trx
    .insertInto('rate_limit')
    .values({ bucket, ...attemptCounter })
    .onConflict((conflict) => conflict.column('bucket').doUpdateSet(attemptCounter))
    .execute()
}

/**
 * Decrements the counter after an attempt that did not fail, and ends the delay that the attempt caused. A count above
 * `allowedCount` stays. Otherwise successful attempts would shorten the delays between failures.
 */
export async function removeCountedAttempt(db: Db, bucket: string, allowedCount: number): Promise<void> {
  await db
    .updateTable('rate_limit')
    .set({
      count: sql<number>`case when count between 1 and ${allowedCount} then count - 1 else count end`,
      blocked_until: 0,
    })
    .where('bucket', '=', bucket)
    .execute()
}

export async function clearAttempts(db: Db, bucket: string): Promise<void> {
  await db.deleteFrom('rate_limit').where('bucket', '=', bucket).execute()
}
