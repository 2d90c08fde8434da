/** Answers requests that Node.js rejects before the app receives them, in the error format of the API. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ProblemType } from '../core/problem.ts'
import { closeWithProblem, sendProblem } from './problem-response.ts'

const PROBLEM_BY_ERROR_CODE: Record<string, ProblemType> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/** Answers CONNECT requests, requests that cannot be parsed, and requests whose headers do not arrive in time. */
export function respondToMalformedRequests(server: Server): void {
  const lastExchangeBySocket = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>()
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    lastExchangeBySocket.set(request.socket, { request, response })
  })
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const socket = stream as Socket
    const lastExchange = lastExchangeBySocket.get(socket)
    const isResponding = lastExchange !== undefined && !lastExchange.response.writableFinished
    // A connection that never sent data, such as one that a browser opens in advance, is closed without a response.
    if (error.code === 'ECONNRESET' || socket.bytesRead === 0) return void socket.destroy()
    if (isResponding && lastExchange.response.headersSent) return void socket.destroy()
    // The previous request on this connection still gets its own response.
    if (isResponding && lastExchange.request.complete) {
      lastExchange.response.shouldKeepAlive = false
      return
    }
    closeWithProblem(socket, PROBLEM_BY_ERROR_CODE[error.code ?? ''] ?? 'bad_request')
  })
  server.on('connect', (_request, stream) => closeWithProblem(stream as Socket, 'bad_request'))
}

/**
 * Rejects requests with several Host headers, and HTTP/1.1 requests without one, with 400 (RFC 9112, section 3.2). A
 * proxy and this server could read different hosts. For a missing header, this check replaces the check of Node.js,
 * whose response does not have the error format of the API.
 */
export function rejectAmbiguousHost(listener: RequestListener): RequestListener {
  return (request, response) => {
    const hasHostIfRequired = Boolean(request.headers.host) || request.httpVersion !== '1.1'
    if (hasHostIfRequired && countHeader(request, 'host') <= 1) return listener(request, response)
    response.shouldKeepAlive = false
    sendProblem(request, response, 'bad_request')
  }
}

/** Returns how often the request has a header. `lowerCaseName` is the name in lower case. */
function countHeader({ rawHeaders }: IncomingMessage, lowerCaseName: string): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.toLowerCase() === lowerCaseName) count += 1
  return count
}
