/** The second factor of the account: set-up, recovery codes, and the second step of a sign-in. */
import { computed } from 'nanostores'
import { startSessionWithTokens } from '../client/auth.ts'
import { callApi } from '../client/call.ts'
import { ignoreNotFound } from '../client/ignore-not-found.ts'
import { listActivities, listDevices } from '../contract/account.ts'
import * as calls from '../contract/second-factor.ts'
import { perProfile } from './per-profile.ts'
import { createReadStore, refetch } from './query.ts'
import { $user } from './session.ts'

export const $secondFactor = createReadStore(
  calls.getSecondFactor,
  computed($user, (user) => user && {}),
)

const refetchSecondFactor = () => refetch(calls.getSecondFactor, listActivities, listDevices)

/** The second factor before the set-up; null while it is not known. */
const $stateBeforeSetup = perProfile<calls.SecondFactorState | null>(() => null)

/** Starts the set-up of an authenticator app. Throws `ApiError`. */
export const startTotpSetup = (password: string): Promise<calls.TotpSetup> => {
  $stateBeforeSetup.set($secondFactor.get().data ?? null)
  return callApi(calls.startTotpSetup, { body: { password } })
}

/** True when the server has completed the set-up. False when it has not, or when this is not known. */
async function isSetupComplete(): Promise<boolean> {
  const stateBeforeSetup = $stateBeforeSetup.get()
  if (!stateBeforeSetup) return false
  const state = await callApi(calls.getSecondFactor).catch(() => undefined)
  return typeof state?.totp_since === 'string' && state.totp_since !== stateBeforeSetup.totp_since
}

interface SetupConfirmation {
  code: string
  shouldSignOutOthers: boolean
}

/**
 * Confirms the set-up and returns the recovery codes, which are shown once. If the server has completed the set-up but
 * its reply was lost, in this or an earlier attempt, the user has not seen the codes. The codes are then replaced.
 * Throws `ApiError`.
 */
export async function confirmTotpSetup({ code, shouldSignOutOthers }: SetupConfirmation): Promise<string[]> {
  const confirmationBody = { code, sign_out_others: shouldSignOutOthers }
  try {
    const { recovery_codes: recoveryCodes } = await callApi(calls.confirmTotpSetup, {
      body: confirmationBody,
    })
    return recoveryCodes
  } catch (error) {
    if (await isSetupComplete()) return await createRecoveryCodes()
    throw error
  } finally {
    refetchSecondFactor()
  }
}

/** Removes the authenticator app. Throws `ApiError`. */
export const removeTotp = (password: string): Promise<void> =>
  ignoreNotFound(callApi(calls.removeTotp, { body: { password } })).finally(refetchSecondFactor)

/** Replaces the recovery codes and returns the new ones, which are shown once. Throws `ApiError`. */
export async function createRecoveryCodes(): Promise<string[]> {
  const { recovery_codes: recoveryCodes } = await callApi(calls.createRecoveryCodes, { body: {} })
  refetchSecondFactor()
  return recoveryCodes
}

/** Completes a sign-in with the second factor. Throws `ApiError` when the code is wrong or the sign-in has expired. */
export async function completeSignIn(signInToken: string, code: string): Promise<void> {
  startSessionWithTokens(await callApi(calls.completeSignIn, { body: { sign_in_token: signInToken, code } }))
}
