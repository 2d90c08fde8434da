import type { Db } from '../db/database.ts'
import { lockUntilCommit } from '../db/lock.ts'

export interface FailureCount {
  count: number
  window_ends_at: number
}

export async function selectFailureCount(db: Db, bucket: string): Promise<FailureCount | undefined> {
  return db
    .selectFrom('rate_limit')
    .select(['count', 'window_ends_at'])
    .where('bucket', '=', bucket)
    .executeTakeFirst()
}

/** Replaces the counter of a bucket by the result of `computeNext`, in one transaction. */
export async function updateFailureCount(
  db: Db,
  bucket: string,
  computeNext: (previous: FailureCount | undefined) => FailureCount,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockUntilCommit(trx, `rate:${bucket}`)
    const updatedCount = computeNext(await selectFailureCount(trx, bucket))
    await trx
      .insertInto('rate_limit')
      .values({ bucket, ...updatedCount })
      .onConflict((conflict) => conflict.column('bucket').doUpdateSet(updatedCount))
      .execute()
  })
}

export async function clearFailureCount(db: Db, bucket: string): Promise<void> {
  await db.deleteFrom('rate_limit').where('bucket', '=', bucket).execute()
}
