/** Sign-in. It is separate from session.ts, because most pages do not need it. */
import { startSessionWithTokens } from '../client/auth.ts'
import type { SecondFactorNeeded } from '../contract/auth.ts'
import { loginUser } from '../contract/auth.ts'
import { callAfterSignOut } from './call-after-sign-out.ts'

/**
 * Signs in. If the account has a second factor, returns the token with which `completeSignIn` (second-factor.ts)
 * completes the sign-in; otherwise null. Throws `ApiError`.
 */
export async function signIn(credentials: {
  email: string
  password: string
}): Promise<SecondFactorNeeded | null> {
  const reply = await callAfterSignOut(loginUser, { body: credentials })
  if ('sign_in_token' in reply) return reply
  startSessionWithTokens(reply)
  return null
}
