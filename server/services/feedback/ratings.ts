/** Ratings of a profile, from 1 to 10. */
import { parseFirstFailureTime, type RepeatTimes } from '../../core/dates.ts'
import { selectRating, setRating } from '../../queries/rating.ts'
import { type ProfileContext, requireTitle, type TitleRef } from '../context.ts'
import { publishAccountEvent } from '../events/account-events.ts'

export async function loadRating(
  context: ProfileContext,
  titleRef: TitleRef,
): Promise<{ rating: number | null }> {
  const title = await requireTitle(context, titleRef)
  const { deps, caller } = context
  return { rating: await selectRating(deps.database.primary, caller.profile.profile_id, title.title_id) }
}

/**
 * Saves a rating. If `rating` is null, removes the stored rating. A repeated request changes nothing if another device
 * has changed the rating since the first attempt of the request. Returns the stored rating.
 */
export async function saveRating(
  context: ProfileContext,
  titleRef: TitleRef,
  { rating, ...repeatTimes }: { rating: number | null } & RepeatTimes,
): Promise<{ rating: number | null }> {
  const title = await requireTitle(context, titleRef)
  const { deps, caller } = context
  const { profile_id: profileId } = caller.profile
  await deps.database.primary.transaction().execute(async (trx) => {
    await setRating(trx, {
      profileId,
      titleId: title.title_id,
      rating,
      nowMs: deps.now(),
      changedAtMs: parseFirstFailureTime(repeatTimes, deps.now()),
    })
  })
  publishAccountEvent(context, 'ratings')
  return repeatTimes.first_failed_at ? loadRating(context, titleRef) : { rating }
}
