import { sendPendingSignOut } from '../client/auth.ts'
import { type CallInput, callApi } from '../client/call.ts'
import { pendingSignOut } from '../client/stored-session.ts'
import type { Endpoint, ReplyOf } from '../contract/endpoint.ts'

/**
 * Calls an endpoint that signs in. If an earlier sign-out has not reached the server, sends that sign-out first,
 * because it needs the cookie of the old session, which the sign-in replaces.
 */
export async function callAfterSignOut<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
): Promise<ReplyOf<E>> {
  if (pendingSignOut.get()) await sendPendingSignOut()
  return callApi(endpoint, input)
}
