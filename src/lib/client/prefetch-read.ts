import type { Endpoint } from '../contract/endpoint.ts'
import { buildEndpointUrl } from '../endpoint-url.ts'
import { type CallInput, fetchEndpointOnce } from './call.ts'
import { getProfileSession } from './profile-session.ts'

/** Time for which a prefetched response may be used. */
const PREFETCH_LIFETIME_MS = 30_000

/** Requests a read before it is needed. The next `callApi` with the same input uses the response. */
export function prefetchRead<E extends Endpoint>(endpoint: E, input: CallInput<E>): void {
  const session = getProfileSession()
  const { prefetchedResponses, reads } = session
  const url = buildEndpointUrl(endpoint, input)
  for (const [prefetchedUrl, { expiresAtMs }] of prefetchedResponses)
    if (expiresAtMs < Date.now()) prefetchedResponses.delete(prefetchedUrl)
  if (prefetchedResponses.has(url) || reads.has(` ${url}`)) return
  const response = fetchEndpointOnce(endpoint, url, input, session)
  response.catch(() => {})
  prefetchedResponses.set(url, { expiresAtMs: Date.now() + PREFETCH_LIFETIME_MS, response })
}
