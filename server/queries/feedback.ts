import type { Db } from '../db/database.ts'
import { type PageOfRows, type PageRequest, selectPage } from './page.ts'
import { setReaction } from './reaction.ts'
import type { TitleRow } from './title.ts'
import { type Audience, queryVisibleTitles } from './title-scope.ts'

export async function selectFeedback(db: Db, profileId: string, titleId: number): Promise<string | null> {
  const row = await db
    .selectFrom('feedback')
    .select('feedback')
    .where('profile_id', '=', profileId)
    .where('title_id', '=', titleId)
    .executeTakeFirst()
  return row?.feedback ?? null
}

/** Returns the ids of the titles that one of the profiles dislikes. */
export async function selectDislikedTitleIds(db: Db, profileIds: readonly string[]): Promise<Set<number>> {
  if (profileIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('feedback')
    .select('title_id')
    .where('profile_id', 'in', profileIds)
    .where('feedback', '=', 'disliked')
    .execute()
  return new Set(rows.map((row) => row.title_id))
}

interface FeedbackChange {
  profileId: string
  titleId: number
  feedback: string | null
  nowMs: number
  /**
   * Time of this change in milliseconds since 1970. A like or dislike that was stored after this time is not changed,
   * and a like or dislike that was removed after this time stays removed. Without a time, the change always takes
   * effect.
   */
  changedAtMs?: number
}

/**
 * Saves a like or dislike. Deletes the stored like or dislike when `feedback` is null. Call it inside a transaction.
 */
export const setTitleFeedback = (
  trx: Db,
  { feedback, changedAtMs = Number.MAX_SAFE_INTEGER, ...change }: FeedbackChange,
): Promise<void> => setReaction(trx, { ...change, kind: 'feedback', reaction: feedback, changedAtMs })

interface FeedbackFilters extends PageRequest {
  profileId: string
  feedback: string
}

/**
 * Returns a page of the visible titles to which a profile gave this feedback (like or dislike). Latest feedback first.
 */
export async function selectTitlesByFeedback(
  db: Db,
  audience: Audience,
  { profileId, feedback, ...request }: FeedbackFilters,
): Promise<PageOfRows<TitleRow>> {
  const query = queryVisibleTitles(db, audience)
    .innerJoin('feedback', 'feedback.title_id', 'title.title_id')
    .where('feedback.profile_id', '=', profileId)
    .where('feedback.feedback', '=', feedback)
  const rowsQuery = query.selectAll('title').orderBy('feedback.updated_at', 'desc').orderBy('title.title_id')
  return selectPage(rowsQuery, query, request)
}
