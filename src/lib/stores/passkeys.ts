/**
 * Passkeys: sign-in without a password, and the passkeys of the account. The module is loaded when a page needs
 * passkeys.
 */
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser'
import { computed } from 'nanostores'
import { startSessionWithTokens } from '../client/auth.ts'
import { callApi } from '../client/call.ts'
import { ignoreNotFound } from '../client/ignore-not-found.ts'
import { listActivities } from '../contract/account.ts'
import * as calls from '../contract/passkeys.ts'
import { callAfterSignOut } from './call-after-sign-out.ts'
import { createReadStore, refetch } from './query.ts'
import { $secondFactorRequest } from './second-factor-request.ts'
import { $user } from './session.ts'

export const $passkeys = createReadStore(
  calls.listPasskeys,
  computed($user, (user) => user && {}),
)

const toRequestOptions = (options: unknown) => options as PublicKeyCredentialRequestOptionsJSON
const refetchPasskeys = () => refetch(calls.listPasskeys, listActivities)

/** Incremented when a sign-in starts and when a prompt is cancelled, so that an earlier sign-in opens no prompt. */
let signInCount = 0

/** Cancels a passkey prompt of the browser, for example the suggestions of a field that is no longer displayed. */
export function cancelPasskeyPrompt(): void {
  signInCount += 1
  WebAuthnAbortService.cancelCeremony()
}

/**
 * Signs in with a passkey. With `isAutofill`, the browser suggests passkeys in the email field, and the promise is
 * pending until the user chooses a passkey. Returns false when the server does not support passkeys. Also returns false
 * when another sign-in was started or the prompt was cancelled before the server replied, because a late prompt would
 * end the prompt that the user sees. Throws `ApiError` when a request fails, and `Error` when the user chooses no
 * passkey.
 */
export async function signInWithPasskey({ isAutofill }: { isAutofill: boolean }): Promise<boolean> {
  signInCount += 1
  const signInNumber = signInCount
  const { options } = await callApi(calls.startPasskeySignIn, { body: {} })
  if (options === null || signInNumber !== signInCount) return false
  const credential = await startAuthentication({
    optionsJSON: toRequestOptions(options),
    useBrowserAutofill: isAutofill,
  })
  const signInBody = { credential: credential as calls.PasskeyAssertion }
  startSessionWithTokens(await callAfterSignOut(calls.signInWithPasskey, { body: signInBody }))
  return true
}

/**
 * Confirms the second factor of this device with a passkey. Throws `ApiError` when a request fails, and `Error` when
 * the user chooses no passkey.
 */
export async function confirmWithPasskey(): Promise<void> {
  const { options } = await callApi(calls.startPasskeyConfirmation, { body: {} })
  const credential = await startAuthentication({ optionsJSON: toRequestOptions(options) })
  await callApi(calls.confirmWithPasskey, { body: { credential: credential as calls.PasskeyAssertion } })
  $secondFactorRequest.get()?.finish(true)
}

/**
 * Creates a passkey on this device or a phone. Throws `ApiError` when a request fails, and `Error` when the browser
 * creates no passkey.
 */
export async function addPasskey({ password, name }: { password: string; name: string }): Promise<void> {
  const { options } = await callApi(calls.startPasskeyRegistration, { body: { password } })
  const credential = await startRegistration({
    optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON,
  })
  await callApi(calls.registerPasskey, { body: { credential, ...(name && { name }) } })
  refetchPasskeys()
}

export async function renamePasskey(passkeyId: string, name: string): Promise<void> {
  await callApi(calls.renamePasskey, { params: { id: passkeyId }, body: { name } })
  refetchPasskeys()
}

/** Removes a passkey. Throws `ApiError`. */
export const removePasskey = (passkeyId: string): Promise<void> =>
  ignoreNotFound(callApi(calls.removePasskey, { params: { id: passkeyId }, body: {} })).finally(
    refetchPasskeys,
  )
