/** Sign-in with an identity provider. Islands load this module on demand. */
import { startSessionWithTokens } from '../client/auth.ts'
import { callApi } from '../client/call.ts'
import type { SecondFactorNeeded } from '../contract/auth.ts'
import { completeProviderSignIn, startProviderSignIn } from '../contract/identities.ts'
import { getCurrentLocale } from '../i18n/t.ts'
import { getSafeRedirect } from '../routes.ts'
import { readStorage, writeStorage } from '../storage.ts'
import { SIGN_IN_TARGET_KEY } from '../storage-keys.ts'
import { callAfterSignOut } from './call-after-sign-out.ts'
import { getPathAfterSignIn } from './path-after-sign-in.ts'

export interface ProviderResponse {
  providerId: string
  /** Query string with which the provider redirected the browser back. */
  response: string
}

/**
 * Returns the response of a provider from the URL of this page, and removes it from the URL. Returns null when the URL
 * contains no response.
 */
export function takeProviderResponse(): ProviderResponse | null {
  const [, providerId, response] = /^#provider=([a-z0-9-]+)&(.+)$/.exec(location.hash) ?? []
  if (!providerId || !response) return null
  history.replaceState(history.state, '', location.pathname + location.search)
  return { providerId, response }
}

/** Stores the path to open after the sign-in, and opens the sign-in page of a provider. Throws `ApiError`. */
export async function openProvider(providerId: string, invitation?: string): Promise<void> {
  writeStorage('sessionStorage', SIGN_IN_TARGET_KEY, getPathAfterSignIn())
  const { url } = await callApi(startProviderSignIn, {
    params: { id: providerId },
    body: { locale: getCurrentLocale(), ...(invitation && { invitation }) },
  })
  location.assign(url)
}

/** Returns the path of the page that the user requested before the sign-in page of the provider was opened. */
export const getRequestedPath = (): string =>
  getSafeRedirect(readStorage('sessionStorage', SIGN_IN_TARGET_KEY))

/**
 * Signs in with the response of a provider. If the account has a second factor, returns the token with which
 * `completeSignIn` (second-factor.ts) completes the sign-in; otherwise null. Throws `ApiError`.
 */
export async function signInWithProvider({
  providerId,
  response,
}: ProviderResponse): Promise<SecondFactorNeeded | null> {
  const reply = await callAfterSignOut(completeProviderSignIn, {
    params: { id: providerId },
    body: { response },
  })
  if ('sign_in_token' in reply) return reply
  startSessionWithTokens(reply)
  return null
}
