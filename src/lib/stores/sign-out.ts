import { clearSession } from '../client/auth.ts'
import { callApi } from '../client/call.ts'
import { pendingSignOut } from '../client/stored-session.ts'
import { logoutUser } from '../contract/auth.ts'

/** Signing out takes effect after this time at the latest, even if the server does not respond. */
const SIGN_OUT_TIMEOUT_MS = 4_000

/** Signs this device out in all tabs. If the server does not confirm the sign-out, it is repeated later. */
export async function signOut(): Promise<void> {
  await callApi(logoutUser, { body: {}, writeTimeoutMs: SIGN_OUT_TIMEOUT_MS }).catch(pendingSignOut.set)
  clearSession()
}
