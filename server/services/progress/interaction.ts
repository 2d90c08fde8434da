/** Records an interaction with a card: impression, opening, play or dismissal. */
import { parseDeviceTime } from '../../core/dates.ts'
import { type InteractionEvent, upsertInteraction } from '../../queries/interaction.ts'
import { type ProfileContext, requireTitle, type TitleRef } from '../context.ts'
import { publishAccountEvent } from '../events/account-events.ts'

interface InteractionReport {
  event: InteractionEvent
  at?: string | undefined
  sent_at?: string | undefined
}

export async function recordInteraction(
  context: ProfileContext,
  titleRef: TitleRef,
  { event, at, sent_at: sentAt }: InteractionReport,
): Promise<void> {
  const title = await requireTitle(context, titleRef)
  const { deps, caller } = context
  await upsertInteraction(deps.database.primary, {
    profileId: caller.profile.profile_id,
    titleId: title.title_id,
    event,
    atMs: parseInteractionTime({ at, sentAt }, deps.now()),
    nowMs: deps.now(),
  })
  // Continue Watching omits dismissed titles. Open tabs reload it after a progress event.
  if (event === 'dismiss' || event === 'undismiss') publishAccountEvent(context, 'progress')
}

/**
 * Returns the time of the interaction in ms, by the clock of the server. `parseDeviceTime` does not correct small clock
 * differences, so for a slightly slow device clock its result is too early. The time is then computed as the time of
 * the request minus the time since the interaction. Otherwise a dismissal could be earlier than the progress that the
 * user saw, and the title would stay in Continue Watching.
 */
function parseInteractionTime(
  { at, sentAt }: { at: string | undefined; sentAt: string | undefined },
  nowMs: number,
): number {
  if (at === undefined) return nowMs
  const elapsedMs = sentAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(sentAt) - Date.parse(at)
  return Math.min(nowMs, Math.max(parseDeviceTime(at, sentAt, nowMs), nowMs - elapsedMs))
}
