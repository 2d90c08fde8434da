/**
 * Follows redirects of media servers and add-ons. The target of every redirect is checked (`isAllowed`) before it is
 * requested.
 */
import type { IncomingMessage } from 'node:http'
import { isRedirect, UpstreamError } from './guarded-request.ts'

const MAX_REDIRECTS = 5

export interface FollowedResponse {
  response: IncomingMessage
  /**
   * URL of the last request, after all redirects. Relative URLs in the response, such as those of a playlist, are
   * relative to this URL.
   */
  url: URL
}
interface RedirectOptions {
  url: URL
  headers: Record<string, string>
  sendRequest: (url: URL, headers: Record<string, string>) => Promise<IncomingMessage>
  /** True if a response of `fromUrl` may redirect to `targetUrl`. */
  isAllowed: (targetUrl: URL, fromUrl: URL) => boolean
}

/**
 * Headers without information about the caller. Requests to origins other than the origin of the first URL have only
 * these headers.
 */
const HEADERS_FOR_OTHER_ORIGINS = new Set(['accept', 'accept-language', 'range', 'user-agent'])

/**
 * Sends a request, follows its redirects, and returns the last response with its URL. Throws `UpstreamError` for a
 * target that is not allowed, and after MAX_REDIRECTS redirects.
 */
export async function followRedirects({
  url,
  headers,
  sendRequest,
  isAllowed,
}: RedirectOptions): Promise<FollowedResponse> {
  let currentUrl = url
  // After a redirect to another origin, requests have no credentials, even after a redirect back to the first origin.
  let sentHeaders = headers
  for (let redirectCount = 0; redirectCount <= MAX_REDIRECTS; redirectCount++) {
    const response = await sendRequest(currentUrl, sentHeaders)
    if (!isRedirect(response)) return { response, url: currentUrl }
    response.destroy()
    const targetUrl = URL.parse(response.headers.location ?? '', currentUrl)
    if (!targetUrl || targetUrl.username || targetUrl.password || !isAllowed(targetUrl, currentUrl))
      throw new UpstreamError('redirect is not allowed')
    targetUrl.hash = ''
    if (targetUrl.origin !== url.origin) sentHeaders = selectHeadersForOtherOrigins(headers)
    currentUrl = targetUrl
  }
  throw new UpstreamError('too many redirects')
}

export const selectHeadersForOtherOrigins = (headers: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => HEADERS_FOR_OTHER_ORIGINS.has(name.toLowerCase())),
  )
