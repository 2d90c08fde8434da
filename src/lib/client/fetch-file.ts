import type { Endpoint } from '../contract/endpoint.ts'
import { buildEndpointUrl } from '../endpoint-url.ts'
import { type CallInput, fetchResponse } from './call.ts'
import { createNetworkError } from './errors.ts'
import { getProfileSession, settleWhileProfileActs } from './profile-session.ts'

/**
 * Calls an endpoint that replies with a file and returns the file. Throws `ApiError`. If the profile session ends
 * before the file arrives, the promise never settles, so that the caller does not continue for another profile.
 */
export function fetchFile<E extends Endpoint>(endpoint: E, input: CallInput<E> = {}): Promise<Blob> {
  const url = buildEndpointUrl(endpoint, input)
  const readFile = async () => {
    const response = await fetchResponse(endpoint, url, input, getProfileSession())
    return response.blob().catch(() => {
      throw createNetworkError()
    })
  }
  return settleWhileProfileActs(readFile())
}
