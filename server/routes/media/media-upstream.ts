/**
 * Passes media from the operator's stream resolvers and media servers to the client. The client never receives the URLs
 * of the resolvers and media servers. This server sets the content types and headers.
 */
import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import { convertToWebVtt, MAX_SUBTITLE_BYTES } from '../../../src/lib/rules/webvtt.ts'
import { Problem } from '../../core/problem.ts'
import { selectHeadersForOtherOrigins } from '../../providers/follow-redirects.ts'
import { PLAYLIST_TYPE } from '../../providers/library/media-types.ts'
import { readUpstreamBody, UpstreamError } from '../../providers/upstream.ts'
import type { Deps } from '../../services/deps.ts'
import type { MediaClaim, MediaLocation } from '../../services/playback/media-url.ts'
import { MAX_PLAYLIST_BYTES } from '../../services/playback/playlist.ts'
import { signPlaylistParts } from '../../services/playback/playlist-parts.ts'
import { findMediaProvider, formatMediaRequestOptions } from '../../services/playback/upstream-request.ts'
import { createUpstreamBody } from './media-body.ts'
import { createMediaHeaders, createTextMediaResponse } from './media-headers.ts'
import type { MediaResponse } from './media-send.ts'

/**
 * Returns the response of the stream resolver or media server; null when the resolver or server does not have the file,
 * or is no longer set up.
 * @throws Problem `upstream_error` when the request fails or the response is unusable.
 */
export async function fetchUpstreamMedia(
  c: Context,
  deps: Deps,
  claim: MediaClaim,
): Promise<MediaResponse | null> {
  const providerWithHeaders = findMediaProvider(deps, claim.location)
  const { name, hint = 'application/octet-stream' } = claim.location
  if (!providerWithHeaders) return null
  const { provider, headers } = providerWithHeaders
  const isHeadRequest = c.req.method === 'HEAD'
  const range = isHeadRequest ? undefined : /^bytes=(?:\d+-\d*|-\d+)$/.exec(c.req.header('range') ?? '')?.[0]
  try {
    const isText = hint === PLAYLIST_TYPE || hint.startsWith('text/vtt')
    const { response, url } = await provider.upstream.fetchMedia(
      name,
      { ...headers, ...(range && !isText && { Range: range }) },
      isHeadRequest && !isText ? 'HEAD' : 'GET',
    )
    if (response.statusCode === 404 || response.statusCode === 410) return discardResponse(response)
    if (isText) {
      const location = describeRedirectedLocation(claim.location, url, providerWithHeaders)
      return await createTextResponse(c, deps, { ...claim, location }, response)
    }
    return createPassThroughResponse(response, hint, isHeadRequest)
  } catch (error) {
    throw error instanceof UpstreamError ? new Problem('upstream_error', { cause: error }) : error
  }
}

/**
 * Returns the location of a playlist after redirects. The final URL is needed because the URLs in the playlist are
 * relative to that URL. After a redirect to another origin, the parts of the playlist are requested only with headers
 * that contain no information about the caller.
 */
function describeRedirectedLocation(
  location: MediaLocation,
  url: URL,
  { provider, headers }: NonNullable<ReturnType<typeof findMediaProvider>>,
): MediaLocation {
  if (url.origin === URL.parse(location.name)?.origin) return { ...location, name: url.href }
  const requestOptions = formatMediaRequestOptions({
    providerId: provider.id,
    headers: selectHeadersForOtherOrigins(headers),
  })
  return { ...location, name: url.href, base: requestOptions }
}

async function createTextResponse(c: Context, deps: Deps, claim: MediaClaim, response: IncomingMessage) {
  if (response.statusCode !== 200) {
    response.destroy()
    throw new UpstreamError(`status ${response.statusCode}`)
  }
  const { hint = '', lang } = claim.location
  if (hint !== PLAYLIST_TYPE)
    return createTextMediaResponse(
      c,
      convertToWebVtt(await readUpstreamBody(response, MAX_SUBTITLE_BYTES), lang),
      hint,
    )
  const playlistText = (await readUpstreamBody(response, MAX_PLAYLIST_BYTES)).toString('utf8')
  const playlist = await signPlaylistParts(deps, claim, playlistText)
  if (playlist === null) throw new UpstreamError('playlist refers to a disallowed URL or is too long')
  return createTextMediaResponse(c, playlist, PLAYLIST_TYPE)
}

function createPassThroughResponse(
  response: IncomingMessage,
  contentType: string,
  isHeadRequest: boolean,
): MediaResponse {
  const { statusCode = 0, headers } = response
  const contentRange = /^bytes (?:\d+-\d+|\*)\/(?:\d+|\*)$/.exec(headers['content-range'] ?? '')?.[0]
  const contentLength = /^\d{1,15}$/.exec(headers['content-length'] ?? '')?.[0]
  const isExpectedStatus = statusCode === 200 || (statusCode === 206 && contentRange) || statusCode === 416
  if (!isExpectedStatus) {
    response.destroy()
    throw new UpstreamError(`status ${statusCode}`)
  }
  const responseHeaders: Record<string, string> = {
    ...createMediaHeaders(),
    'Content-Type': contentType,
    ...(statusCode === 206 || headers['accept-ranges'] === 'bytes' ? { 'Accept-Ranges': 'bytes' } : {}),
    ...(contentRange && statusCode !== 200 ? { 'Content-Range': contentRange } : {}),
    ...(contentLength && statusCode !== 416 ? { 'Content-Length': contentLength } : {}),
  }
  if (!isHeadRequest && statusCode !== 416)
    return { status: statusCode, headers: responseHeaders, body: createUpstreamBody(response) }
  response.destroy()
  return { status: statusCode, headers: responseHeaders, body: null }
}

function discardResponse(response: IncomingMessage): null {
  response.destroy()
  return null
}
