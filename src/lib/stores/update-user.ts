import { callApi } from '../client/call.ts'
import type { User } from '../contract/auth.ts'
import * as auth from '../contract/auth.ts'
import { setSignedInUser } from './apply-preferences.ts'

/** Changes the signed-in user. Throws `ApiError`. */
export async function updateUser(userChange: {
  onboarded?: boolean
  preferences?: Partial<User['preferences']>
}): Promise<void> {
  // `setSignedInUser` ignores the reply if another user has signed in meanwhile, possibly in another tab.
  setSignedInUser(await callApi(auth.updateUser, { body: userChange }))
}
