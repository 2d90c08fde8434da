/** Likes and dislikes of a profile. */

import type { Feedback } from '../../../src/lib/contract/feedback.ts'
import { parseFirstFailureTime, type RepeatTimes } from '../../core/dates.ts'
import { selectFeedback, selectTitlesByFeedback, setTitleFeedback } from '../../queries/feedback.ts'
import type { PageRequest } from '../../queries/page.ts'
import { getTitleLanguage } from '../auth/caller.ts'
import { loadCards } from '../catalogue/cards.ts'
import { type ProfileContext, requireTitle, type TitleRef } from '../context.ts'
import { publishAccountEvent } from '../events/account-events.ts'
import { toPage } from '../page.ts'

export async function loadFeedback(
  context: ProfileContext,
  titleRef: TitleRef,
): Promise<{ feedback: Feedback }> {
  const title = await requireTitle(context, titleRef)
  const { deps, caller } = context
  const feedback = await selectFeedback(deps.database.primary, caller.profile.profile_id, title.title_id)
  return { feedback: feedback as Feedback }
}

interface FeedbackQuery extends PageRequest {
  feedback: 'liked' | 'disliked'
}

/** Returns a page of the titles that the profile likes or dislikes, as cards. */
export async function listTitlesByFeedback({ deps, caller }: ProfileContext, query: FeedbackQuery) {
  const profileId = caller.profile.profile_id
  const { rows, total } = await selectTitlesByFeedback(deps.database.primary, caller.audience, {
    ...query,
    profileId,
  })
  return toPage(query, total, await loadCards(deps, rows, getTitleLanguage(caller)))
}

/** True when the action removes a dislike, so that the title can be recommended again. */
export async function removesDislike(
  context: ProfileContext,
  titleRef: TitleRef,
  action: 'like' | 'dislike' | null,
): Promise<boolean> {
  return action !== 'dislike' && (await loadFeedback(context, titleRef)).feedback === 'disliked'
}

/**
 * Saves a like or dislike. If the action is null, removes the stored like or dislike. A repeated request changes
 * nothing if another device has changed the feedback since the first attempt of the request. Returns the stored
 * feedback.
 */
export async function saveFeedback(
  context: ProfileContext,
  titleRef: TitleRef,
  { feedback: action, ...repeatTimes }: { feedback: 'like' | 'dislike' | null } & RepeatTimes,
): Promise<{ feedback: Feedback }> {
  const title = await requireTitle(context, titleRef)
  const { deps, caller } = context
  const feedback: Feedback = action === null ? null : action === 'like' ? 'liked' : 'disliked'
  const { profile_id: profileId } = caller.profile
  await deps.database.primary.transaction().execute(async (trx) => {
    await setTitleFeedback(trx, {
      profileId,
      titleId: title.title_id,
      feedback,
      nowMs: deps.now(),
      changedAtMs: parseFirstFailureTime(repeatTimes, deps.now()),
    })
  })
  publishAccountEvent(context, 'feedback')
  return repeatTimes.first_failed_at ? loadFeedback(context, titleRef) : { feedback }
}
