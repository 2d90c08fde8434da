import { sendPendingSignOut } from '../client/auth.ts'
import { type CallInput, callApi } from '../client/call.ts'
import { pendingSignOut } from '../client/stored-session.ts'
import type { Endpoint, ReplyOf } from '../contract/endpoint.ts'

/**
 * Calls an endpoint that signs in. Before that, repeats a sign-out that has not reached the server: the sign-in replaces
 * the cookie without which that session cannot be signed out.
 */
export async function callAfterSignOut<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
): Promise<ReplyOf<E>> {
  if (pendingSignOut.get()) await sendPendingSignOut()
  return callApi(endpoint, input)
}
