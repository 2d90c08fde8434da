/**
 * Sends requests to servers that the operator named. IP addresses are checked, and time and size are limited.
 * Redirects are rejected unless the caller follows them.
 */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { canConnect, createGuardedLookup, type ResolveHost } from './upstream-guard.ts'

/** Thrown when the upstream fails or sends an invalid response. The message is for the log, not for viewers. */
export class UpstreamError extends Error {
  /** HTTP status of the response, if there was one. */
  status: number | undefined
}
/**
 * Thrown when the upstream has closed an idle connection while the next GET or HEAD request was sent.
 * `createRequestSender` then sends the request again.
 */
class IdleConnectionClosedError extends UpstreamError {}
const CONNECT_TIMEOUT_MS = 5_000
const RESPONSE_TIMEOUT_MS = 10_000
const IDLE_TIMEOUT_MS = 60_000
const MAX_BODY_BYTES = 2 * 1024 * 1024
const BODY_TIMEOUT_MS = 30_000

interface GuardedRequestOptions {
  /** Headers with credentials, which are sent to the origin of the base URL only. */
  ownOriginHeaders?: Record<string, string>
  /** True if the host of the base URL may have a private IP address even if its name looks public. */
  isHostTrusted?: boolean
  /** Longest time until the headers of a response arrive. */
  responseTimeoutMs?: number
  /** True to return redirects to the caller, which checks their target. Otherwise they are rejected. */
  shouldReturnRedirects?: boolean
}
interface RequestContent {
  method?: 'GET' | 'HEAD' | 'POST'
  body?: string | Uint8Array | undefined
}

/**
 * Returns a function that sends requests with checked IP addresses. The credentials of `baseUrl` are sent only to the
 * origin of `baseUrl`.
 */
export function createRequestSender(
  baseUrl: URL,
  resolveHost: ResolveHost,
  {
    ownOriginHeaders = {},
    isHostTrusted = false,
    shouldReturnRedirects = false,
    responseTimeoutMs = RESPONSE_TIMEOUT_MS,
  }: GuardedRequestOptions = {},
) {
  const guardedLookup = createGuardedLookup(resolveHost, isHostTrusted ? baseUrl.hostname : null)
  const agentsByProtocol = {
    'http:': new HttpAgent({ keepAlive: true }),
    'https:': new HttpsAgent({ keepAlive: true }),
  }
  const credentials = baseUrl.username
    ? {
        Authorization: `Basic ${Buffer.from(`${decodeURIComponent(baseUrl.username)}:${decodeURIComponent(baseUrl.password)}`).toString('base64')}`,
      }
    : {}
  const sendOnce = (url: URL, headers: Record<string, string>, { method = 'GET', body }: RequestContent) =>
    new Promise<IncomingMessage>((resolveResponse, reject) => {
      const host = url.hostname.replace(/^\[|\]$/g, '')
      // A literal IP address skips the DNS lookup, so it is checked here.
      if (isIP(host) !== 0 && !canConnect(host, host)) throw new UpstreamError('IP address is not allowed')
      const isSecure = url.protocol === 'https:'
      const outgoingRequest = (isSecure ? httpsRequest : httpRequest)(url, {
        // If the upstream closes a reused connection, it is unknown whether the upstream has processed the request. A
        // POST request must not be processed twice, so it never reuses a connection.
        agent: method !== 'POST' && agentsByProtocol[isSecure ? 'https:' : 'http:'],
        lookup: guardedLookup,
        method,
        timeout: IDLE_TIMEOUT_MS,
        headers: {
          'Accept-Encoding': 'identity',
          'User-Agent': 'Marquee',
          ...headers,
          ...(url.origin === baseUrl.origin ? { ...credentials, ...ownOriginHeaders } : {}),
        },
      })
      const abortRequest = (reason: string) => outgoingRequest.destroy(new UpstreamError(reason))
      const connectTimer = setTimeout(abortRequest, CONNECT_TIMEOUT_MS, 'connection timed out')
      const responseTimer = setTimeout(abortRequest, responseTimeoutMs, 'response timed out')
      outgoingRequest.on('socket', (socket) => {
        if (!socket.connecting) clearTimeout(connectTimer)
        else socket.once(isSecure ? 'secureConnect' : 'connect', () => clearTimeout(connectTimer))
      })
      outgoingRequest.on('timeout', () => abortRequest('connection was idle too long'))
      outgoingRequest.on('close', () => {
        clearTimeout(connectTimer)
        clearTimeout(responseTimer)
      })
      outgoingRequest.on('error', (error: NodeJS.ErrnoException) => {
        if (error instanceof UpstreamError) return reject(error)
        const wasClosedWhileIdle =
          outgoingRequest.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '')
        const errorClass = wasClosedWhileIdle ? IdleConnectionClosedError : UpstreamError
        reject(new errorClass('request failed', { cause: error }))
      })
      outgoingRequest.on('response', (response) => {
        clearTimeout(responseTimer)
        const rejectionReason =
          shouldReturnRedirects && isRedirect(response) ? null : findRejectionReason(response)
        if (!rejectionReason) return resolveResponse(response)
        response.destroy()
        reject(new UpstreamError(rejectionReason))
      })
      outgoingRequest.end(body)
    })
  return async (
    url: URL,
    headers: Record<string, string>,
    content: RequestContent = {},
  ): Promise<IncomingMessage> => {
    for (;;) {
      try {
        return await sendOnce(url, headers, content)
      } catch (error) {
        // Each such error removes an idle connection from the agent, so the loop ends.
        if (!(error instanceof IdleConnectionClosedError)) throw error
      }
    }
  }
}

export const isRedirect = ({ statusCode = 0 }: IncomingMessage) =>
  statusCode >= 300 && statusCode < 400 && statusCode !== 304

/** Returns why a response is rejected, or null. Compressed bodies are not supported. */
function findRejectionReason(response: IncomingMessage): string | null {
  if (isRedirect(response)) return 'redirect is not allowed'
  return (response.headers['content-encoding'] ?? 'identity') === 'identity'
    ? null
    : 'compressed response is not supported'
}

/**
 * Reads the body of a response. Throws `UpstreamError` and closes the connection if the body is longer than `maxBytes`,
 * incomplete, or not received within `timeoutMs`. IDLE_TIMEOUT_MS alone is not enough, because a server that sends a
 * byte now and then is never idle for that long.
 */
export async function readUpstreamBody(
  response: IncomingMessage,
  maxBytes = MAX_BODY_BYTES,
  timeoutMs = BODY_TIMEOUT_MS,
): Promise<Buffer> {
  const timer = setTimeout(() => response.destroy(new UpstreamError('body timed out')), timeoutMs)
  try {
    return await collectBody(response, maxBytes)
  } catch (error) {
    response.destroy()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function collectBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
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
