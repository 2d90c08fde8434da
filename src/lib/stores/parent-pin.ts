/** A parent acts on the device of a child, with a PIN that opens the main profile. */
import { computed } from 'nanostores'
import { callApi } from '../client/call.ts'
import * as calls from '../contract/viewing-time.ts'
import { $profileId, $profiles } from './profile.ts'
import { $viewingTime } from './viewing-time.ts'

/**
 * True when a PIN opens the main profile on this device, so that a parent can prove with it to be here while another
 * profile acts: the PIN of the main profile or, if it has none, the exit PIN.
 */
export const $hasParentPin = computed(
  $profiles,
  (profiles) => profiles?.some((profile) => profile.main && profile.locked) ?? false,
)

interface AddedTime {
  minutes: number
  /** Key of the addition. A repeated call with the same key adds nothing. */
  key: string
  pin: string
}

/** Adds viewing time on the device of the child, with a PIN that opens the main profile. Throws `ApiError`. */
export async function addTimeWithPin(addedTime: AddedTime): Promise<void> {
  const profileId = $profileId.get()
  if (!profileId) return
  $viewingTime.mutate(await callApi(calls.addViewingTime, { params: { id: profileId }, body: addedTime }))
}
