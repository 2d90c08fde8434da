/**
 * The HTTP server of Node.js with limits for slow clients, load shedding, and error responses for malformed requests.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { getRequestListener, RequestError } from '@hono/node-server'
import type { Config } from '../core/config.ts'
import { observeRequest } from '../core/process-metrics.ts'
import { rejectWhenOverloaded } from './admission.ts'
import { type BodyLimits, collectBodies } from './body-collector.ts'
import { rejectAmbiguousHost, respondToMalformedRequests } from './malformed-requests.ts'
import { getProblemResponse } from './problem-response.ts'
import { findRateLimitAddress, isForwarded, parseTrustedProxies } from './request.ts'
import { convertToOriginForm } from './request-target.ts'
import { enforceRequestTimeout } from './request-timeout.ts'
import { runRequestsInTurns } from './request-turns.ts'
import { COMMON_SECURITY_HEADERS } from './response-headers.ts'

/**
 * Limits for slow clients (security.md). Headers must arrive within 10 s; body-collector.ts and request-timeout.ts
 * limit the body. Idle connections stay open for longer than proxies keep them (60 s). Otherwise the server could close
 * a connection just when a proxy sends a request.
 */
const TIMEOUTS_MS = {
  headersTimeout: 10_000,
  connectionsCheckingInterval: 100,
  requestTimeout: 0,
  keepAliveTimeout: 75_000,
}
/**
 * A connection that neither sends nor accepts data for this long is closed, for example when its client does not read.
 * Must be longer than STALL_TIMEOUT_MS, after which the stream of a paused video ends (routes/media/media-send.ts).
 */
const INACTIVITY_TIMEOUT_MS = 900_000
/**
 * Maximum number of connections that wait to be accepted. With the default of Node.js (511), the operating system drops
 * some connections of a burst, and their clients retry only after a second.
 */
export const CONNECTION_BACKLOG = 4_096
const LIVENESS_URL_PATTERN = /^\/api\/health\/live(?:\?|$)/
const LIVENESS_BODY = JSON.stringify({ status: 'ok' })

interface HttpServerOptions {
  config: Pick<Config, 'host' | 'trustedProxies'>
  fetch: Parameters<typeof getRequestListener>[0]
  /** True for requests whose body the app reads itself. */
  isUpload: (request: IncomingMessage) => boolean
  /** True after a stop signal. Every response then closes its connection. */
  isStopping: () => boolean
  /** `headersTimeoutMs` and `bodyLimits` replace the default limits, in tests only. */
  headersTimeoutMs?: number
  bodyLimits?: BodyLimits
}

export function createHttpServer(options: HttpServerOptions): Server {
  const { config, isUpload, isStopping, bodyLimits } = options
  const trustedProxyList = parseTrustedProxies(config.trustedProxies)
  const appListener = getRequestListener(options.fetch, {
    hostname: config.host,
    errorHandler: createAdapterError,
  })
  const findAddress = (request: IncomingMessage) => findRateLimitAddress(request, trustedProxyList)
  const turnListener = runRequestsInTurns((request, response) => void appListener(request, response), {
    findAddress,
    isForwarded: (request) => isForwarded(request, trustedProxyList),
  })
  const bodyCollector = collectBodies(turnListener, {
    isUpload,
    findAddress,
    ...(bodyLimits && { limits: bodyLimits }),
  })
  const listener = respondToLivenessProbe(
    rejectWhenOverloaded(rejectAmbiguousHost(convertToOriginForm(bodyCollector))),
  )
  const headersTimeoutMs = options.headersTimeoutMs ?? TIMEOUTS_MS.headersTimeout
  const server = createServer(
    { ...TIMEOUTS_MS, headersTimeout: headersTimeoutMs, requireHostHeader: false },
    (request, response) => {
      if (isStopping()) response.setHeader('Connection', 'close')
      listener(request, response)
    },
  )
  server.setTimeout(INACTIVITY_TIMEOUT_MS)
  enforceRequestTimeout(server, isUpload)
  respondToMalformedRequests(server)
  return server
}

/**
 * Responds to liveness checks before the request reaches any part of the server that can be full or slow. Tests call
 * the app without a socket, so they reach the route `/api/health/live` of the app instead.
 */
function respondToLivenessProbe(listener: RequestListener): RequestListener {
  return (request, response) => {
    const { method, url = '' } = request
    if ((method !== 'GET' && method !== 'HEAD') || !LIVENESS_URL_PATTERN.test(url))
      return listener(request, response)
    observeRequest({ method, route: '/api/health/live', status: 200 }, 0)
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(LIVENESS_BODY),
      ...COMMON_SECURITY_HEADERS,
    })
    response.end(method === 'HEAD' ? undefined : LIVENESS_BODY)
  }
}

/** Converts an error of Hono's adapter, such as an invalid Host header, to the error response of the API. */
function createAdapterError(error: unknown): Response {
  const { status, headers, body } = getProblemResponse(
    error instanceof RequestError ? 'bad_request' : 'server_error',
  )
  return new Response(body, { status, headers })
}
