/** Whether the profile waits for a title to become available. */
import { computed } from 'nanostores'
import { callApi } from '../client/call.ts'
import * as calls from '../contract/availability.ts'
import type { MediaCard } from '../contract/media.ts'
import { perProfile } from './per-profile.ts'
import { $profile } from './profile.ts'
import { createReadStore, refetch } from './query.ts'
import { showToast } from './toast.ts'

type AwaitedTitle = Pick<MediaCard, 'type' | 'id'>

/** The title whose request is displayed. */
export const $awaitedTitle = perProfile<AwaitedTitle | null>(() => null)

export const $availabilityRequest = createReadStore(
  calls.getAvailabilityRequest,
  computed([$profile, $awaitedTitle], (profile, title) =>
    profile && title ? { params: { id: profile.profile_id, type: title.type, mediaId: title.id } } : null,
  ),
)

/** Asks for a notice when the title becomes available, or withdraws the request; shows a toast. */
export async function setAvailabilityRequested(title: AwaitedTitle, isRequested: boolean): Promise<void> {
  const profile = $profile.get()
  if (!profile) return
  try {
    await callApi(calls.putAvailabilityRequest, {
      params: { id: profile.profile_id, type: title.type, mediaId: title.id },
      body: { requested: isRequested },
    })
    showToast(isRequested ? 'detail:notifyOn' : 'detail:notifyOff')
    refetch(calls.getAvailabilityRequest)
  } catch {
    showToast('detail:notifyFailed', { kind: 'bad' })
  }
}
