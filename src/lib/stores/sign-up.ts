/** Registration with an invitation. */
import { startSessionWithTokens } from '../client/auth.ts'
import { registerUser } from '../contract/auth.ts'
import { callAfterSignOut } from './call-after-sign-out.ts'

export async function signUp(
  invitation: string,
  credentials: { email: string; password: string },
): Promise<void> {
  startSessionWithTokens(await callAfterSignOut(registerUser, { body: credentials, bearer: invitation }))
}
