/** The account page: password, devices and security activities. */
import { computed } from 'nanostores'
import { clearSession } from '../client/auth.ts'
import { callApi } from '../client/call.ts'
import { ignoreNotFound } from '../client/ignore-not-found.ts'
import { storeUser } from '../client/stored-session.ts'
import * as account from '../contract/account.ts'
import * as auth from '../contract/auth.ts'
import { perProfile } from './per-profile.ts'
import { createReadStore, refetch } from './query.ts'
import { $session, $user } from './session.ts'
import { shareRunningCall } from './share-running-call.ts'
import { showToast } from './toast.ts'

export const $securityActivityPage = perProfile(() => 1)
export const $devices = createReadStore(
  account.listDevices,
  computed($user, (user) => user && { query: { limit: 100 } }),
)
export const $securityActivities = createReadStore(
  account.listActivities,
  computed([$user, $securityActivityPage], (user, page) => user && { query: { page } }),
)

/** Reloads the user to get the email address, which the server omits while a restricted profile acts. */
export async function reloadUser(): Promise<void> {
  const user = await callApi(auth.getCurrentUser)
  storeUser(user)
  $session.set({ status: 'signed-in', user })
}

export async function revokeDevice(deviceId: string): Promise<void> {
  try {
    await ignoreNotFound(callApi(account.logoutDevice, { body: { device_id: deviceId } }))
    showToast('account:revoked')
  } catch {
    showToast('account:revokeFailed', { kind: 'bad' })
  }
  refetch(account.listDevices, account.listActivities)
}

interface PasswordChange {
  current_password: string
  new_password: string
  sign_out_others: boolean
}

/** Changes the password. Throws `ApiError` when the server rejects the change; the form displays the reason. */
export const changePassword = shareRunningCall(async (change: PasswordChange): Promise<void> => {
  await callApi(account.changePassword, { body: change })
  showToast('account:passwordUpdated')
  refetch(account.listDevices, account.listActivities)
})

export async function deleteAccount(password: string): Promise<void> {
  await callApi(account.deleteOwnAccount, { body: { password } })
  clearSession()
}
