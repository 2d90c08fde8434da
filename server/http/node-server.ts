/** The HTTP server of Node.js with timeouts, load shedding and a shutdown that finishes running requests. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { serve } from '@hono/node-server'
import type { Hono } from 'hono'
import { admission, rejectWhenOverloaded } from './admission.ts'
import { enforceRequestTimeout } from './request-timeout.ts'

/**
 * Limits for slow clients (security.md). Headers must arrive within 10 s; request-timeout.ts limits the body. Idle
 * connections stay open for longer than proxies keep theirs (60 s). Otherwise the server could close a connection on
 * which a proxy is just sending a request.
 */
const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 0, keepAliveTimeout: 75_000 }
/**
 * During shutdown, requests on open connections are still served, with `Connection: close`. Idle connections are closed
 * at this interval.
 */
const CLOSE_IDLE_INTERVAL_MS = 700

interface ServerOptions {
  app: Hono
  host: string
  port: number
  isUpload: (request: IncomingMessage) => boolean
}

interface RunningServer {
  server: Server
  /** Stops accepting connections. `onClosed` runs when the last connection is closed. */
  close: (onClosed: () => void) => void
}

export function startHttpServer({ app, host, port, isUpload }: ServerOptions): RunningServer {
  let isClosing = false
  const closeConnectionWhenClosing =
    (listener: RequestListener): RequestListener =>
    (request, response) => {
      if (isClosing) response.setHeader('Connection', 'close')
      listener(request, response)
    }
  const server = serve({
    fetch: app.fetch,
    hostname: host,
    port,
    createServer: ((_: object, listener: RequestListener) =>
      createServer(
        TIMEOUTS,
        closeConnectionWhenClosing(rejectWhenOverloaded(listener)),
      )) as typeof createServer,
  }) as Server
  enforceRequestTimeout(server, isUpload)
  admission.startMeasuring()
  const close = (onClosed: () => void) => {
    isClosing = true
    // http.Server.close() would also close idle connections at once, although a request may be in transit on them.
    NetServer.prototype.close.call(server, onClosed)
    setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_INTERVAL_MS).unref()
  }
  return { server, close }
}
