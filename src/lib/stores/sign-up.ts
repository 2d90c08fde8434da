/** Registration with an invitation. */
import { startSessionWithTokens } from '../client/auth.ts'
import { ApiError } from '../client/errors.ts'
import { registerUser } from '../contract/auth.ts'
import { callAfterSignOut } from './call-after-sign-out.ts'
import { signIn } from './sign-in.ts'

/**
 * Creates the account and signs in. If an earlier attempt has used the invitation and its reply was lost, signs in to
 * the account of that attempt. Throws `ApiError`, with status 401 when the invitation cannot be used.
 */
export async function signUp(
  invitation: string,
  credentials: { email: string; password: string },
): Promise<void> {
  try {
    startSessionWithTokens(await callAfterSignOut(registerUser, { body: credentials, bearer: invitation }))
  } catch (error) {
    const isInvitationRejected = error instanceof ApiError && error.status === 401
    if (!isInvitationRejected || (await signIn(credentials)) !== null) throw error
  }
}
