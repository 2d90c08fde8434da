/**
 * Requests of the OpenID Connect client: checked IP addresses, no redirects, limits on time and size. The
 * configuration of a provider contains URLs of endpoints. Endpoints outside the origin of the issuer must be public.
 */
import type { CustomFetch } from 'openid-client'
import { createRequestSender, readUpstreamBody, UpstreamError } from './guarded-request.ts'
import { isPublicHostName, type ResolveHost } from './upstream-guard.ts'

const MAX_BODY_BYTES = 256 * 1024
const BODY_TIMEOUT_MS = 10_000

/** True for the origin of the issuer itself, and for public hosts over HTTPS. */
export function isAllowedEndpoint(issuer: URL, endpoint: URL): boolean {
  if (endpoint.origin === issuer.origin) return true
  return endpoint.protocol === 'https:' && isPublicHostName(endpoint.hostname)
}

/** True when the provider could not be reached; false when it sent an invalid response. */
export function isUnreachableError(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof UpstreamError) return /failed|timed out|idle/.test(cause.message)
    if (cause.name === 'TimeoutError') return true
  }
  return false
}

export function createOpenIdFetch(
  issuer: URL,
  { resolveHost, isPrivateNetworkAllowed }: { resolveHost: ResolveHost; isPrivateNetworkAllowed: boolean },
): CustomFetch {
  const sendRequest = createRequestSender(issuer, resolveHost, { isHostTrusted: isPrivateNetworkAllowed })
  return async (address, { method, headers, body }) => {
    const url = new URL(address)
    if (!isAllowedEndpoint(issuer, url)) throw new UpstreamError('endpoint is not allowed')
    const isPost = method === 'POST'
    const response = await sendRequest(
      url,
      { ...headers },
      { method: isPost ? 'POST' : 'GET', ...(isPost && { body: String(body ?? '') }) },
    )
    const bodyBytes = await readUpstreamBody(response, MAX_BODY_BYTES, BODY_TIMEOUT_MS)
    const contentType = response.headers['content-type']
    return new Response(bodyBytes.length > 0 ? new Uint8Array(bodyBytes) : null, {
      status: response.statusCode ?? 502,
      ...(contentType && { headers: { 'Content-Type': contentType } }),
    })
  }
}
