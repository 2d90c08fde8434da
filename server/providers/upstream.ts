/** Client of one stream resolver of the operator: looks up the streams of a title and fetches media. */
import { type FollowedResponse, followRedirects } from './follow-redirects.ts'
import { createRequestSender, readUpstreamBody, UpstreamError } from './guarded-request.ts'
import type { LookupProtocol, SendLookup, UpstreamQuery } from './lookup-protocol.ts'
import { createStremioProtocol, isStremioAddress } from './stremio.ts'
import { isPublicHostName, type ResolveHost, resolveWithSystemDns } from './upstream-guard.ts'
import { type UpstreamReply, upstreamReplySchema } from './upstream-reply.ts'

export { readUpstreamBody, UpstreamError } from './guarded-request.ts'

/** Thrown when the account has too many lookups in progress. */
export class UpstreamBusyError extends Error {}

export interface Upstream {
  /**
   * Returns the streams of a title; null if the upstream has none. Throws `UpstreamError` when the lookup fails or
   * lookups are paused after repeated failures. Throws `UpstreamBusyError` when the account `accountId` has too many
   * lookups in progress.
   */
  lookupStreams: (query: UpstreamQuery, accountId: string) => Promise<UpstreamReply | null>
  /** Sends the smallest request that shows whether the resolver works. Throws `UpstreamError`. */
  testResolver: () => Promise<void>
  /**
   * Resolves a URL from a reply against `baseUrl`. Returns null unless media may come from the origin of the URL
   * (`mediaOrigins`, `allowsPublicHosts`). Also returns null for a URL with a user name or password.
   */
  resolveAllowedUrl: (url: string, baseUrl?: URL) => URL | null
  /**
   * Requests an allowed URL, and returns the response as soon as its headers have arrived. Redirects of a Stremio
   * add-on are followed. Throws `UpstreamError`. The caller reads or destroys the response.
   */
  fetchMedia: (
    url: string,
    headers: Record<string, string>,
    method?: 'GET' | 'HEAD',
  ) => Promise<FollowedResponse>
}
interface UpstreamOptions {
  baseUrl: URL
  /** Origins that media may come from, in addition to the origin of `baseUrl`. */
  mediaOrigins: string[]
  /** True to allow media from every public host over HTTPS in addition. */
  allowsPublicHosts?: boolean
  now?: () => number
  /** Resolves host names; replaced in tests. */
  resolve?: ResolveHost
}

const RESPONSE_TIMEOUT_MS = 10_000
const MAX_CONCURRENT_LOOKUPS = 4
/** After this many consecutive failures, lookups fail immediately for FAILURE_PAUSE_MS. */
const MAX_CONSECUTIVE_FAILURES = 5
const FAILURE_PAUSE_MS = 30_000

export function createUpstream({
  baseUrl,
  mediaOrigins,
  allowsPublicHosts: canUsePublicHosts = false,
  now = () => performance.now(),
  resolve: resolveHost = resolveWithSystemDns,
}: UpstreamOptions): Upstream {
  const allowedOrigins = new Set([baseUrl.origin, ...mediaOrigins])
  const isStremio = isStremioAddress(baseUrl)
  const sendLookupRequest = createRequestSender(baseUrl, resolveHost)
  const sendMediaRequest = createRequestSender(baseUrl, resolveHost, { shouldReturnRedirects: isStremio })
  const protocol = isStremio ? createStremioProtocol(now) : JSON_PROTOCOL
  // Relative URLs must not inherit the user and the password of `baseUrl`. The request senders above add both, but only
  // to requests to the origin of `baseUrl`.
  const baseUrlWithoutCredentials = new URL(baseUrl)
  baseUrlWithoutCredentials.username = ''
  baseUrlWithoutCredentials.password = ''
  const sendToUpstream: SendLookup = (url) => sendLookup(sendLookupRequest, url)
  const isAllowedPublicHost = (url: URL) =>
    canUsePublicHosts && url.protocol === 'https:' && isPublicHostName(url.hostname)
  const isAllowedUrl = (url: URL) => allowedOrigins.has(url.origin) || isAllowedPublicHost(url)
  // Only the add-on itself may redirect to the configured origins, because these origins may be servers in the local
  // network.
  const isAllowedRedirect = (targetUrl: URL, fromUrl: URL) =>
    targetUrl.origin === fromUrl.origin ||
    isAllowedPublicHost(targetUrl) ||
    (fromUrl.origin === baseUrl.origin && allowedOrigins.has(targetUrl.origin))
  const activeLookupCountsByAccountId = new Map<string, number>()
  let failureCount = 0
  let pausedUntilMs = 0

  return {
    async lookupStreams(query, accountId) {
      if (now() < pausedUntilMs) throw new UpstreamError('lookups are paused after repeated failures')
      const activeLookupCount = activeLookupCountsByAccountId.get(accountId) ?? 0
      if (activeLookupCount >= MAX_CONCURRENT_LOOKUPS)
        throw new UpstreamBusyError('too many concurrent lookups')
      activeLookupCountsByAccountId.set(accountId, activeLookupCount + 1)
      try {
        const reply = await protocol.lookUp(sendToUpstream, baseUrlWithoutCredentials, query)
        failureCount = 0
        return reply
      } catch (error) {
        failureCount += 1
        if (failureCount >= MAX_CONSECUTIVE_FAILURES) pausedUntilMs = now() + FAILURE_PAUSE_MS
        throw error instanceof UpstreamError ? error : new UpstreamError('lookup failed', { cause: error })
      } finally {
        const remainingLookupCount = (activeLookupCountsByAccountId.get(accountId) ?? 1) - 1
        if (remainingLookupCount > 0) activeLookupCountsByAccountId.set(accountId, remainingLookupCount)
        else activeLookupCountsByAccountId.delete(accountId)
      }
    },
    async testResolver() {
      try {
        await protocol.testResolver(sendToUpstream, baseUrlWithoutCredentials)
      } catch (error) {
        throw error instanceof UpstreamError ? error : new UpstreamError('test failed', { cause: error })
      }
    },
    resolveAllowedUrl(url, relativeTo = baseUrlWithoutCredentials) {
      const absoluteUrl = URL.parse(url, relativeTo)
      if (!absoluteUrl || !isAllowedUrl(absoluteUrl) || absoluteUrl.username || absoluteUrl.password)
        return null
      absoluteUrl.hash = ''
      return absoluteUrl
    },
    fetchMedia: (url, headers, method = 'GET') => {
      const parsedUrl = URL.parse(url)
      if (!parsedUrl || !isAllowedUrl(parsedUrl))
        return Promise.reject(new UpstreamError('URL is not allowed'))
      return followRedirects({
        url: parsedUrl,
        headers,
        sendRequest: (targetUrl, sentHeaders) => sendMediaRequest(targetUrl, sentHeaders, { method }),
        isAllowed: isAllowedRedirect,
      })
    },
  }
}

type SendRequest = ReturnType<typeof createRequestSender>

async function sendLookup(sendRequest: SendRequest, url: URL): Promise<unknown> {
  const response = await sendRequest(url, { Accept: 'application/json' })
  try {
    if (response.statusCode === 404) return null
    if (response.statusCode !== 200) {
      const error = new UpstreamError(`responded with status ${response.statusCode}`)
      error.status = response.statusCode
      throw error
    }
    return parseJson(await readUpstreamBody(response, undefined, RESPONSE_TIMEOUT_MS))
  } finally {
    response.destroy()
  }
}

/** The JSON protocol of docs/media.md. */
const JSON_PROTOCOL: LookupProtocol = {
  async lookUp(send, baseUrl, query) {
    const body = await send(buildLookupUrl(baseUrl, query))
    return body === null ? null : parseUpstreamReply(body)
  },
  async testResolver(send, baseUrl) {
    await JSON_PROTOCOL.lookUp(send, baseUrl, {
      type: 'movie',
      imdbId: 'tt0000000',
      quality: 'auto',
      title: 'Test',
      year: null,
    })
  },
}

function buildLookupUrl(baseUrl: URL, query: UpstreamQuery): URL {
  const titlePath =
    query.type === 'tv' ? `tv/${query.imdbId}/${query.season}/${query.episode}` : `movie/${query.imdbId}`
  const url = new URL(baseUrl.origin)
  url.pathname = `${baseUrl.pathname.replace(/\/+$/, '')}/stream/${titlePath}`
  url.searchParams.set('quality', query.quality)
  url.searchParams.set('title', query.title)
  if (query.year !== null) url.searchParams.set('year', String(query.year))
  return url
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw new UpstreamError('response is not JSON', { cause: error })
  }
}

function parseUpstreamReply(replyBody: unknown): UpstreamReply | null {
  const parsedReply = upstreamReplySchema.safeParse(replyBody)
  if (!parsedReply.success)
    throw new UpstreamError('response does not match the schema', { cause: parsedReply.error })
  return parsedReply.data.sources.length > 0 ? parsedReply.data : null
}
