/** Error responses that are sent without the app: for rejected, malformed and late requests. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Problem, type ProblemType } from '../core/problem.ts'
import { observeRequest } from '../core/process-metrics.ts'
import { COMMON_SECURITY_HEADERS } from './response-headers.ts'

const RETRY_AFTER_SECONDS = 1
const RETRYABLE_PROBLEM_TYPES: ReadonlySet<ProblemType> = new Set(['overloaded', 'request_timeout'])
/**
 * After `closeWithProblem` has sent a response, the connection stays open for at most this long, while data of the
 * client is read and discarded. The client can then read the response before the connection ends.
 */
const LINGER_MS = 1_000

interface ProblemResponse {
  status: number
  headers: Record<string, string>
  body: string
}

const responseByType = new Map<ProblemType, ProblemResponse>()

/** Returns the error response for a problem type, in the error format of the API. Each response is built only once. */
export function getProblemResponse(type: ProblemType): ProblemResponse {
  const existingResponse = responseByType.get(type)
  if (existingResponse) return existingResponse
  const problem = new Problem(type)
  const body = JSON.stringify(problem.toResponseBody())
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    ...(RETRYABLE_PROBLEM_TYPES.has(type) && { 'Retry-After': String(RETRY_AFTER_SECONDS) }),
    ...COMMON_SECURITY_HEADERS,
  }
  const response = { status: problem.status, headers, body }
  responseByType.set(type, response)
  return response
}

/**
 * Sends an error response to a request that no handler has answered. The request is counted in the metrics but not
 * logged.
 */
export function sendProblem(request: IncomingMessage, response: ServerResponse, type: ProblemType): void {
  const { status, headers, body } = getProblemResponse(type)
  observeRequest({ method: request.method ?? '', route: 'none', status }, 0)
  response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body)
}

const closingSockets = new WeakSet<Socket>()

/**
 * Writes an error response to a socket that has no usable request, and closes the socket. The socket is not destroyed
 * immediately, because unread data would reset the connection before the client has read the response.
 */
export function closeWithProblem(socket: Socket, type: ProblemType): void {
  if (closingSockets.has(socket)) return
  closingSockets.add(socket)
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const { status, headers, body } = getProblemResponse(type)
  observeRequest({ method: 'none', route: 'none', status }, 0)
  const headerLines = Object.entries({ ...headers, Connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headerLines.join('\r\n')}\r\n\r\n${body}`)
  socket.resume()
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
