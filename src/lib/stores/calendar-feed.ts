/** The secret URL with which calendar programs read the calendar of the profile. */
import { computed } from 'nanostores'
import { callApi } from '../client/call.ts'
import { isClientError } from '../client/lost-reply.ts'
import * as calls from '../contract/calendar.ts'
import { perProfile } from './per-profile.ts'
import { $profile } from './profile.ts'
import { createReadStore, refetch } from './query.ts'
import { showToast } from './toast.ts'

export const $calendarFeed = createReadStore(
  calls.getCalendarFeedState,
  computed($profile, (profile) => (profile ? { params: { id: profile.profile_id } } : null)),
)
/**
 * The address that was created last; empty until an address is created on this page. The address is kept in this store,
 * because the server stores only the hash of the address and cannot return the address again.
 */
export const $calendarAddress = perProfile<string>(() => '')

/** Creates an address and replaces the earlier address. Shows a message on failure. */
export async function createCalendarAddress(): Promise<void> {
  const profile = $profile.get()
  if (!profile) return
  try {
    const { url, ...feed } = await callApi(calls.createCalendarFeed, {
      params: { id: profile.profile_id },
      body: {},
    })
    $calendarFeed.mutate(feed)
    $calendarAddress.set(url)
  } catch (error) {
    // Without a reply, the server may have replaced the address. The displayed address would then be invalid.
    if (!isClientError(error)) $calendarAddress.set('')
    refetch(calls.getCalendarFeedState)
    showToast('calendar:addressFailed', { kind: 'bad' })
  }
}

/** Revokes the address of the calendar. Shows the result. */
export async function revokeCalendarAddress(): Promise<void> {
  const profile = $profile.get()
  if (!profile) return
  try {
    await callApi(calls.revokeCalendarFeed, { params: { id: profile.profile_id }, body: {} })
    $calendarFeed.mutate({ created_at: null, read_at: null })
    $calendarAddress.set('')
    showToast('calendar:addressRevoked')
  } catch {
    refetch(calls.getCalendarFeedState)
    showToast('calendar:addressFailed', { kind: 'bad' })
  }
}
