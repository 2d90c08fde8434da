/** Registration with an invitation. */
import { startSessionWithTokens } from '../client/auth.ts'
import { callApi } from '../client/call.ts'
import { registerUser } from '../contract/auth.ts'

export async function signUp(
  invitation: string,
  credentials: { email: string; password: string },
): Promise<void> {
  startSessionWithTokens(await callApi(registerUser, { body: credentials, bearer: invitation }))
}
