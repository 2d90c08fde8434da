import { lockUntilCommit } from '../db/lock.ts'
import type { Db } from '../db/open.ts'

export interface Failures {
  count: number
  window_ends_at: number
}

export async function readFailures(db: Db, bucket: string): Promise<Failures | undefined> {
  return db
    .selectFrom('rate_limit')
    .select(['count', 'window_ends_at'])
    .where('bucket', '=', bucket)
    .executeTakeFirst()
}

/** Replaces the counter of a bucket by the result of `next`, in one transaction. */
export async function countFailure(
  db: Db,
  bucket: string,
  next: (before: Failures | undefined) => Failures,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockUntilCommit(trx, `rate:${bucket}`)
    const after = next(await readFailures(trx, bucket))
    await trx
      .insertInto('rate_limit')
      .values({ bucket, ...after })
      .onConflict((conflict) => conflict.column('bucket').doUpdateSet(after))
      .execute()
  })
}

export async function clearFailures(db: Db, bucket: string): Promise<void> {
  await db.deleteFrom('rate_limit').where('bucket', '=', bucket).execute()
}
