/** Records an interaction with a card: impression, opening, play or dismissal. */
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
  // Continue Watching omits dismissed titles. Open tabs reload it after a progress event.
  if (event === 'dismiss' || event === 'undismiss') publishAccountEvent(context, 'progress')
}
