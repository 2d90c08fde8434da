/** Client of the operator's stream resolver (`STREAM_UPSTREAM_URL`): looks up the streams of a title and fetches media. */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { canConnect, createGuardedLookup, type ResolveHost, resolveWithSystemDns } from './upstream-guard.ts'
import { type UpstreamReply, upstreamReplySchema } from './upstream-reply.ts'

/** Thrown when the upstream fails or sends an invalid response. The message is for the log, not for viewers. */
export class UpstreamError extends Error {}
/** Thrown when the account has too many lookups in progress. */
export class UpstreamBusyError extends Error {}

export interface UpstreamQuery {
  type: 'movie' | 'tv'
  imdbId: string
  season?: number
  episode?: number
  quality: string
  title: string
  year: number | null
}
export interface Upstream {
  /**
   * Returns null if the upstream has no streams for the title. `accountId` is used to limit concurrent lookups.
   * Throws `UpstreamError` or `UpstreamBusyError`.
   */
  lookupStreams: (query: UpstreamQuery, accountId: string) => Promise<UpstreamReply | null>
  /** Resolves a URL from a reply against `base`. Returns null unless its origin is one that the operator allowed. */
  resolveAllowedUrl: (url: string, base?: URL) => URL | null
  /** Streams the response of an allowed URL. Throws `UpstreamError`. The caller reads or destroys the response. */
  fetchMedia: (
    url: string,
    headers: Record<string, string>,
    method?: 'GET' | 'HEAD',
  ) => Promise<IncomingMessage>
}
interface UpstreamOptions {
  base: URL
  /** Origins that media may come from, in addition to the origin of `base`. */
  mediaOrigins: string[]
  now?: () => number
  /** Resolves host names; replaced in tests. */
  resolve?: ResolveHost
}

const CONNECT_TIMEOUT_MS = 5_000
const RESPONSE_TIMEOUT_MS = 10_000
const IDLE_TIMEOUT_MS = 60_000
const MAX_BODY_BYTES = 2 * 1024 * 1024
const MAX_CONCURRENT_LOOKUPS = 4
/** After this many consecutive failures, lookups fail at once for FAILURE_PAUSE_MS. */
const MAX_FAILURES = 5
const FAILURE_PAUSE_MS = 30_000

export function createUpstream({
  base,
  mediaOrigins,
  now = Date.now,
  resolve = resolveWithSystemDns,
}: UpstreamOptions): Upstream {
  const origins = new Set([base.origin, ...mediaOrigins])
  const request = createRequest(base, resolve)
  const activeLookups = new Map<string, number>()
  let failureCount = 0
  let pausedUntilMs = 0

  return {
    async lookupStreams(query, accountId) {
      if (now() < pausedUntilMs) throw new UpstreamError('lookups are paused after repeated failures')
      const activeCount = activeLookups.get(accountId) ?? 0
      if (activeCount >= MAX_CONCURRENT_LOOKUPS) throw new UpstreamBusyError('too many concurrent lookups')
      activeLookups.set(accountId, activeCount + 1)
      try {
        const reply = await sendLookup(request, buildLookupUrl(base, query))
        failureCount = 0
        return reply
      } catch (error) {
        failureCount += 1
        if (failureCount >= MAX_FAILURES) pausedUntilMs = now() + FAILURE_PAUSE_MS
        throw error instanceof UpstreamError ? error : new UpstreamError('lookup failed', { cause: error })
      } finally {
        const remainingCount = (activeLookups.get(accountId) ?? 1) - 1
        if (remainingCount > 0) activeLookups.set(accountId, remainingCount)
        else activeLookups.delete(accountId)
      }
    },
    resolveAllowedUrl(url, relativeTo = base) {
      const absoluteUrl = URL.parse(url, relativeTo)
      if (!absoluteUrl || !origins.has(absoluteUrl.origin) || absoluteUrl.username || absoluteUrl.password)
        return null
      absoluteUrl.hash = ''
      return absoluteUrl
    },
    fetchMedia: (url, headers, method) => {
      const parsedUrl = URL.parse(url)
      if (!parsedUrl || !origins.has(parsedUrl.origin))
        return Promise.reject(new UpstreamError('URL is not allowed'))
      return request(parsedUrl, headers, method)
    },
  }
}

type SendRequest = ReturnType<typeof createRequest>

async function sendLookup(request: SendRequest, url: URL): Promise<UpstreamReply | null> {
  const response = await request(url, { Accept: 'application/json' })
  const timer = setTimeout(
    () => response.destroy(new UpstreamError('response body timed out')),
    RESPONSE_TIMEOUT_MS,
  )
  try {
    if (response.statusCode === 404) return null
    if (response.statusCode !== 200) throw new UpstreamError(`responded with status ${response.statusCode}`)
    return parseReply(await readUpstreamBody(response))
  } finally {
    clearTimeout(timer)
    response.destroy()
  }
}

function buildLookupUrl(base: URL, query: UpstreamQuery): URL {
  const titlePath =
    query.type === 'tv' ? `tv/${query.imdbId}/${query.season}/${query.episode}` : `movie/${query.imdbId}`
  const url = new URL(base.origin)
  url.pathname = `${base.pathname.replace(/\/+$/, '')}/stream/${titlePath}`
  url.searchParams.set('quality', query.quality)
  url.searchParams.set('title', query.title)
  if (query.year !== null) url.searchParams.set('year', String(query.year))
  return url
}

function createRequest(base: URL, resolve: ResolveHost) {
  const lookup = createGuardedLookup(resolve)
  const agents = {
    'http:': new HttpAgent({ keepAlive: true }),
    'https:': new HttpsAgent({ keepAlive: true }),
  }
  const credentials = base.username
    ? `Basic ${Buffer.from(`${decodeURIComponent(base.username)}:${decodeURIComponent(base.password)}`).toString('base64')}`
    : null
  return (url: URL, headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') =>
    new Promise<IncomingMessage>((resolveResponse, reject) => {
      const host = url.hostname.replace(/^\[|\]$/g, '')
      // A literal IP address skips the DNS lookup, so it is checked here.
      if (isIP(host) !== 0 && !canConnect(host, host)) throw new UpstreamError('IP address is not allowed')
      const isSecure = url.protocol === 'https:'
      const outgoing = (isSecure ? httpsRequest : httpRequest)(url, {
        agent: agents[isSecure ? 'https:' : 'http:'],
        lookup,
        method,
        timeout: IDLE_TIMEOUT_MS,
        headers: {
          'Accept-Encoding': 'identity',
          'User-Agent': 'Marquee',
          ...headers,
          ...(credentials && url.origin === base.origin ? { Authorization: credentials } : {}),
        },
      })
      const abort = (reason: string) => outgoing.destroy(new UpstreamError(reason))
      const connectTimer = setTimeout(abort, CONNECT_TIMEOUT_MS, 'connection timed out')
      const responseTimer = setTimeout(abort, RESPONSE_TIMEOUT_MS, 'response timed out')
      outgoing.on('socket', (socket) => {
        if (!socket.connecting) clearTimeout(connectTimer)
        else socket.once(isSecure ? 'secureConnect' : 'connect', () => clearTimeout(connectTimer))
      })
      outgoing.on('timeout', () => abort('connection was idle too long'))
      outgoing.on('close', () => {
        clearTimeout(connectTimer)
        clearTimeout(responseTimer)
      })
      outgoing.on('error', (error) =>
        reject(
          error instanceof UpstreamError ? error : new UpstreamError('request failed', { cause: error }),
        ),
      )
      outgoing.on('response', (response) => {
        clearTimeout(responseTimer)
        const reason = findRejectionReason(response)
        if (!reason) return resolveResponse(response)
        response.destroy()
        reject(new UpstreamError(reason))
      })
      outgoing.end()
    })
}

/**
 * Returns why a response is rejected, or null. Redirects are not followed, because their target is not checked;
 * compressed bodies are not supported.
 */
function findRejectionReason({ statusCode = 0, headers }: IncomingMessage): string | null {
  if (statusCode >= 300 && statusCode < 400 && statusCode !== 304) return 'redirect is not allowed'
  return (headers['content-encoding'] ?? 'identity') === 'identity'
    ? null
    : 'compressed response is not supported'
}

/** Reads the body of a response. Throws `UpstreamError` if it is longer than `maxBytes` or incomplete. */
export async function readUpstreamBody(
  response: IncomingMessage,
  maxBytes = MAX_BODY_BYTES,
): Promise<Buffer> {
  if (Number(response.headers['content-length'] ?? 0) > maxBytes)
    throw new UpstreamError('response body is too large')
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes) throw new UpstreamError('response body is too large')
    chunks.push(chunk)
  }
  if (!response.complete) throw new UpstreamError('response body is incomplete')
  return Buffer.concat(chunks)
}

function parseReply(bytes: Buffer): UpstreamReply | null {
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    throw new UpstreamError('response is not JSON', { cause: error })
  }
  const parsed = upstreamReplySchema.safeParse(value)
  if (!parsed.success) throw new UpstreamError('response does not match the schema', { cause: parsed.error })
  return parsed.data.sources.length > 0 ? parsed.data : null
}
