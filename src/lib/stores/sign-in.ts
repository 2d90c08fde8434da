/** Sign-in. It is separate from session.ts, because most pages do not need it. */
import { startSessionWithTokens } from '../client/auth.ts'
import { callApi } from '../client/call.ts'
import { pendingSignOut } from '../client/stored-session.ts'
import type { AuthTokens, SecondFactorNeeded } from '../contract/auth.ts'
import { loginUser } from '../contract/auth.ts'

/** Signs in. Returns null, or the secret for the second step when the account has a second factor. Throws `ApiError`. */
export async function signIn(credentials: {
  email: string
  password: string
}): Promise<SecondFactorNeeded | null> {
  const reply = await callApi(loginUser, { body: credentials })
  if ('sign_in_token' in reply) return reply
  startSignedInSession(reply)
  return null
}

/** Starts the session of a sign-in that has just succeeded. */
export function startSignedInSession(tokens: AuthTokens): void {
  pendingSignOut.clear()
  startSessionWithTokens(tokens)
}
