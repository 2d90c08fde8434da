import { clearSession } from '../client/auth.ts'
import { callApi } from '../client/call.ts'
import { clearStoredUser, pendingSignOut } from '../client/stored-session.ts'
import { logoutUser } from '../contract/auth.ts'

/** The request to sign out fails after this time. The device is then signed out without a response of the server. */
const SIGN_OUT_TIMEOUT_MS = 4_000

/**
 * Ends the push subscription of the browser. Without a network, the server does not learn of the sign-out, and would
 * still send the notices of the user to this device.
 */
async function endPushSubscription(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  await (await registration?.pushManager?.getSubscription())?.unsubscribe()
}

/** Signs this device out in all tabs. If the server does not confirm the sign-out, the request is repeated later. */
export async function signOut(): Promise<void> {
  // Tells the other tabs, and shows `refreshSession` that the user ends the login on this device.
  clearStoredUser()
  void endPushSubscription().catch(() => {})
  const isConfirmed = await callApi(logoutUser, { body: {}, writeTimeoutMs: SIGN_OUT_TIMEOUT_MS }).then(
    () => true,
    () => false,
  )
  clearSession()
  // The end of the session has deleted stored data. This flag therefore fits into the storage, even if the storage was
  // full before.
  if (!isConfirmed) pendingSignOut.set()
}
