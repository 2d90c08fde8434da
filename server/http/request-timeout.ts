/**
 * Request timeouts (security.md), mainly for uploads. Node.js has a single timeout for all requests, but an upload may
 * take minutes on a slow connection and other requests may not. Bodies of at most BODY_LIMIT_BYTES that are not uploads
 * have a shorter timeout (body-collector.ts).
 */
import type { IncomingMessage, Server } from 'node:http'
import { closeWithProblem } from './problem-response.ts'

interface RequestTimeout {
  /** Time in milliseconds in which a complete body must arrive. */
  timeoutMs: number
  /** An upload may exceed `timeoutMs` while at least this many bytes arrive in each period of `timeoutMs`. */
  minBytesPerPeriod: number
}
const DEFAULT_REQUEST_TIMEOUT: RequestTimeout = { timeoutMs: 30_000, minBytesPerPeriod: 30 * 1024 }

/**
 * Sends status 408 and closes the connection when a request body does not arrive within `timeoutMs`. Uploads may take
 * longer while they send at least `minBytesPerPeriod` in each period of `timeoutMs`. `isUpload` identifies uploads.
 */
export function enforceRequestTimeout(
  server: Server,
  isUpload: (request: IncomingMessage) => boolean,
  { timeoutMs, minBytesPerPeriod } = DEFAULT_REQUEST_TIMEOUT,
): void {
  server.on('request', (request: IncomingMessage) => {
    const { 'content-length': contentLength = '0', 'transfer-encoding': transferEncoding } = request.headers
    if (contentLength === '0' && !transferEncoding) return
    const { socket } = request
    const isUploadRequest = isUpload(request)
    let lastBytesRead = socket.bytesRead
    const timer = setInterval(() => {
      if (request.complete) return clearInterval(timer)
      if (isUploadRequest && socket.bytesRead - lastBytesRead >= minBytesPerPeriod) {
        lastBytesRead = socket.bytesRead
        return
      }
      clearInterval(timer)
      closeWithProblem(socket, 'request_timeout')
    }, timeoutMs)
    timer.unref()
    request.on('close', () => clearInterval(timer))
  })
}
