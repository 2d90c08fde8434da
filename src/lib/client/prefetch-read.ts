import type { Endpoint } from '../contract/endpoint.ts'
import { buildEndpointUrl } from '../endpoint-url.ts'
import { buildReadKey, type CallInput, fetchEndpointOnce } from './call.ts'
import { getProfileSession } from './profile-session.ts'

/** Time for which a prefetched response may be used. */
const PREFETCH_LIFETIME_MS = 30_000

/** Requests a read before it is needed. The next `callApi` with the same input uses the response. */
export function prefetchRead<E extends Endpoint>(endpoint: E, input: CallInput<E>): void {
  const session = getProfileSession()
  const { prefetchedResponses, reads } = session
  const url = buildEndpointUrl(endpoint, input)
  const readKey = buildReadKey(url, input)
  for (const [prefetchedKey, { expiresAtMs }] of prefetchedResponses)
    if (expiresAtMs < Date.now()) prefetchedResponses.delete(prefetchedKey)
  if (prefetchedResponses.has(readKey) || reads.has(readKey)) return
  const response = fetchEndpointOnce(endpoint, url, input, session)
  response.catch(() => {})
  prefetchedResponses.set(readKey, { expiresAtMs: Date.now() + PREFETCH_LIFETIME_MS, response })
}
