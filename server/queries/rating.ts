/** The ratings that profiles give to titles: 1 to 10 half stars. */
import type { Db } from '../db/database.ts'
import { setReaction } from './reaction.ts'

export async function selectRating(db: Db, profileId: string, titleId: number): Promise<number | null> {
  const row = await db
    .selectFrom('rating')
    .select('rating')
    .where('profile_id', '=', profileId)
    .where('title_id', '=', titleId)
    .executeTakeFirst()
  return row?.rating ?? null
}

/** Returns the ratings of a profile by title id. Titles without a rating are absent. */
export async function selectRatings(
  db: Db,
  profileId: string,
  titleIds: readonly number[],
): Promise<Map<number, number>> {
  if (titleIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('rating')
    .select(['title_id', 'rating'])
    .where('profile_id', '=', profileId)
    .where('title_id', 'in', titleIds)
    .execute()
  return new Map(rows.map((row) => [row.title_id, row.rating]))
}

interface RatingChange {
  profileId: string
  titleId: number
  rating: number | null
  nowMs: number
  /**
   * Time of this change in milliseconds since 1970. A rating that was stored after this time is not changed, and a
   * rating that was removed after this time stays removed.
   */
  changedAtMs: number
}

/** Saves a rating. Deletes the stored rating when `rating` is null. Call it inside a transaction. */
export const setRating = (trx: Db, { rating, ...change }: RatingChange): Promise<void> =>
  setReaction(trx, { ...change, kind: 'rating', reaction: rating })
