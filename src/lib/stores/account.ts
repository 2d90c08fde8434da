/** The account page: password, devices and security activities. */
import { atom, computed } from 'nanostores'
import { clearSession } from '../client/auth.ts'
import { call } from '../client/call.ts'
import * as auth from '../contract/auth.ts'
import { read, refetch } from './query.ts'
import { $user } from './session.ts'
import { toast } from './toast.ts'

export const $activityPage = atom(1)
export const $devices = read(
  auth.listDevices,
  computed($user, (user) => user && { query: { limit: 100 } }),
)
export const $activities = read(
  auth.listActivities,
  computed([$user, $activityPage], (user, page) => user && { query: { page } }),
)

export async function revokeDevice(deviceId: string): Promise<void> {
  try {
    await call(auth.logoutDevice, { body: { device_id: deviceId } })
    toast('account:revoked')
  } catch {
    toast('account:revokeFailed', { kind: 'bad' })
  }
  refetch(auth.listDevices, auth.listActivities)
}

interface PasswordChange {
  current_password: string
  new_password: string
  sign_out_others: boolean
}

/** Throws `ApiError` when the server rejects the change; the form displays the reason. */
export async function changePassword(change: PasswordChange): Promise<void> {
  await call(auth.changePassword, { body: change })
  toast('account:passwordUpdated')
  refetch(auth.listDevices, auth.listActivities)
}

export async function deleteAccount(password: string): Promise<void> {
  await call(auth.deleteOwnAccount, { body: { password } })
  clearSession()
}
