import type { Db } from '../db/open.ts'

export async function feedbackOf(db: Db, profileId: string, titleId: number): Promise<string | null> {
  const row = await db
    .selectFrom('feedback')
    .select('feedback')
    .where('profile_id', '=', profileId)
    .where('title_id', '=', titleId)
    .executeTakeFirst()
  return row?.feedback ?? null
}

interface Feedback {
  profileId: string
  titleId: number
  feedback: string | null
  now: number
}

export async function putFeedback(db: Db, { profileId, titleId, feedback, now }: Feedback): Promise<void> {
  if (feedback === null) {
    await db
      .deleteFrom('feedback')
      .where('profile_id', '=', profileId)
      .where('title_id', '=', titleId)
      .execute()
    return
  }
  const set = { feedback, updated_at: now }
  await db
    .insertInto('feedback')
    .values({ profile_id: profileId, title_id: titleId, ...set })
    .onConflict((conflict) => conflict.columns(['profile_id', 'title_id']).doUpdateSet(set))
    .execute()
}
