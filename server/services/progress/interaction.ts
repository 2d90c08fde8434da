/** Impressions, openings, plays and dismissals of cards. */
import { type InteractionEvent, upsertInteraction } from '../../queries/interaction.ts'
import { type ProfileContext, requireTitle, type TitleRef } from '../context.ts'
import { publishAccountEvent } from '../events/account-events.ts'

export async function recordInteraction(
  context: ProfileContext,
  titleRef: TitleRef,
  event: InteractionEvent,
): Promise<void> {
  const title = await requireTitle(context, titleRef)
  const { deps, caller } = context
  await upsertInteraction(deps.database.primary, {
    profileId: caller.profile.profile_id,
    titleId: title.title_id,
    event,
    nowMs: deps.now(),
  })
  // Dismissed titles leave Continue Watching, which open tabs reload on a progress event.
  if (event === 'dismiss' || event === 'undismiss') publishAccountEvent(context, 'progress')
}
