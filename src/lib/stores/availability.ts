/** Availability requests: the profile gets a notice when a title becomes available. */
import { computed } from 'nanostores'
import { callApi } from '../client/call.ts'
import * as calls from '../contract/availability.ts'
import type { MediaCard } from '../contract/media.ts'
import { perProfile } from './per-profile.ts'
import { $profile } from './profile.ts'
import { createReadStore, refetch } from './query.ts'
import { showToast } from './toast.ts'

type AwaitedTitle = Pick<MediaCard, 'type' | 'id'>

/** The title whose availability request is displayed; null when none is displayed. */
export const $awaitedTitle = perProfile<AwaitedTitle | null>(() => null)

export const $availabilityRequest = createReadStore(
  calls.getAvailabilityRequest,
  computed([$profile, $awaitedTitle], (profile, title) =>
    profile && title ? { params: { id: profile.profile_id, type: title.type, mediaId: title.id } } : null,
  ),
)

/**
 * Requests a notice that is sent when the title becomes available, or withdraws the request. Shows a toast. Returns
 * true on success, and false on failure or if no profile acts.
 */
export async function setAvailabilityRequested(title: AwaitedTitle, isRequested: boolean): Promise<boolean> {
  const profile = $profile.get()
  if (!profile) return false
  try {
    await callApi(calls.putAvailabilityRequest, {
      params: { id: profile.profile_id, type: title.type, mediaId: title.id },
      body: { requested: isRequested },
    })
    showToast(isRequested ? 'detail:notifyOn' : 'detail:notifyOff')
    refetch(calls.getAvailabilityRequest)
    return true
  } catch {
    showToast('detail:notifyFailed', { kind: 'bad' })
    return false
  }
}
