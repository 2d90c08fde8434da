/** The second factor of the account: set-up, recovery codes, and the second step of a sign-in. */
import { computed } from 'nanostores'
import { callApi } from '../client/call.ts'
import { listActivities, listDevices } from '../contract/auth.ts'
import * as calls from '../contract/second-factor.ts'
import { createReadStore, refetch } from './query.ts'
import { $user } from './session.ts'
import { startSignedInSession } from './sign-in.ts'

export const $secondFactor = createReadStore(
  calls.getSecondFactor,
  computed($user, (user) => user && {}),
)

const refetchSecondFactor = () => refetch(calls.getSecondFactor, listActivities, listDevices)

/** Starts the set-up of an authenticator app. Throws `ApiError`. */
export const startTotpSetup = (password: string): Promise<calls.TotpSetup> =>
  callApi(calls.startTotpSetup, { body: { password } })

interface SetupConfirmation {
  code: string
  shouldSignOutOthers: boolean
}

/** Confirms the set-up and returns the recovery codes, which are shown once. Throws `ApiError`. */
export async function confirmTotpSetup({ code, shouldSignOutOthers }: SetupConfirmation): Promise<string[]> {
  const confirmationBody = { code, sign_out_others: shouldSignOutOthers }
  const { recovery_codes: recoveryCodes } = await callApi(calls.confirmTotpSetup, { body: confirmationBody })
  refetchSecondFactor()
  return recoveryCodes
}

/** Removes the authenticator app. Throws `ApiError`. */
export async function removeTotp(password: string): Promise<void> {
  await callApi(calls.removeTotp, { body: { password } })
  refetchSecondFactor()
}

/** Replaces the recovery codes and returns the new ones, which are shown once. Throws `ApiError`. */
export async function createRecoveryCodes(): Promise<string[]> {
  const { recovery_codes: recoveryCodes } = await callApi(calls.createRecoveryCodes, { body: {} })
  refetchSecondFactor()
  return recoveryCodes
}

/** Completes a sign-in with the second factor. Throws `ApiError` when the code is wrong or the sign-in has expired. */
export async function completeSignIn(signInToken: string, code: string): Promise<void> {
  startSignedInSession(await callApi(calls.completeSignIn, { body: { sign_in_token: signInToken, code } }))
}
