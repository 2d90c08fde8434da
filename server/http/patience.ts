/**
 * How long the server waits for what a client sends (security.md). Node has one limit for all requests; but a file may take
 * minutes on a slow line, and nothing else may.
 */
import type { IncomingMessage, Server } from 'node:http'

interface Patience {
  /** A body has to be here within this, in ms. */
  ms: number
  /** A file may take longer while so many bytes come in that time. */
  leastBytes: number
}
const PATIENCE: Patience = { ms: 30_000, leastBytes: 30 * 1024 }
const LATE = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n'

/** Ends connections whose request does not come to its end; `isFile` tells the requests that bring a file. */
export function limitPatience(
  server: Server,
  isFile: (request: IncomingMessage) => boolean,
  { ms, leastBytes } = PATIENCE,
): void {
  server.on('request', (request: IncomingMessage) => {
    const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers
    if (length === '0' && !coding) return
    const { socket } = request
    const file = isFile(request)
    let seen = socket.bytesRead
    const timer = setInterval(() => {
      if (request.complete) return clearInterval(timer)
      if (file && socket.bytesRead - seen >= leastBytes) {
        seen = socket.bytesRead
        return
      }
      clearInterval(timer)
      socket.end(LATE)
      socket.destroySoon()
    }, ms)
    timer.unref()
    request.on('close', () => clearInterval(timer))
  })
}
