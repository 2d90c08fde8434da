import { callApi } from '../client/call.ts'
import { loadStoredUser, storeUser } from '../client/stored-session.ts'
import type { User } from '../contract/auth.ts'
import * as auth from '../contract/auth.ts'
import { $session } from './session.ts'

/** Changes the signed-in user. Throws `ApiError`. */
export async function updateUser(userChange: {
  onboarded?: boolean
  preferences?: Partial<User['preferences']>
}): Promise<void> {
  const user = await callApi(auth.updateUser, { body: userChange })
  // Another user has signed in in another tab. This tab now has that user, so the reply for the old user is ignored.
  if (loadStoredUser()?.user_id !== user.user_id) return
  storeUser(user)
  $session.set({ status: 'signed-in', user })
}
