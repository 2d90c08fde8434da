import { clearSession } from '../client/auth.ts'
import { callApi } from '../client/call.ts'
import { pendingSignOut } from '../client/stored-session.ts'
import { logoutUser } from '../contract/auth.ts'

/** Signs this device out in all tabs. If the server does not confirm the sign-out, it is repeated later. */
export async function signOut(): Promise<void> {
  await callApi(logoutUser, { body: {} }).catch(pendingSignOut.set)
  clearSession()
}
