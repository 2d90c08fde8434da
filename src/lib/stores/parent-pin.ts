/** A parent adds viewing time on the device of a child, with a PIN that opens the main profile. */
import { callApi } from '../client/call.ts'
import * as calls from '../contract/viewing-time.ts'
import { $profileId } from './profile.ts'
import { $viewingTime } from './viewing-time.ts'

interface AddedViewingTime {
  minutes: number
  /** Key of the addition. A repeated call with the same key adds nothing. */
  key: string
  pin: string
}

/** Adds viewing time on the device of the child, with a PIN that opens the main profile. Throws `ApiError`. */
export async function addViewingTimeWithPin(addedTime: AddedViewingTime): Promise<void> {
  const profileId = $profileId.get()
  if (!profileId) return
  $viewingTime.mutate(await callApi(calls.addViewingTime, { params: { id: profileId }, body: addedTime }))
}
