import type { Context } from 'hono'
import { isStorageFault } from '../core/database-unavailable.ts'
import { toErrorFields } from '../core/log.ts'
import { toProblem } from '../core/problem.ts'
import type { Deps } from '../services/deps.ts'

/** Converts any error to the error response of the API, and logs server errors. */
export function createErrorResponse(
  c: Context,
  error: unknown,
  { database, log }: Pick<Deps, 'database' | 'log'>,
  requestId?: string,
): Response {
  const problem = toProblem(error)
  // The storage monitor logs a full or failing disk once. Failed requests do not log the same fault again.
  const isReportedFault = database.storage.getFault() !== null && isStorageFault(problem.cause)
  // A request that is rejected on purpose, for example because too many requests wait, is no fault. Its status is in
  // the metrics and in the request log.
  const isDeliberateRejection = problem.type === 'overloaded' && problem.cause === undefined
  if (problem.status >= 500 && !isReportedFault && !isDeliberateRejection)
    log.error('request_failed', { request: requestId, ...toErrorFields(problem.cause ?? problem) })
  if (problem.retryAfterSeconds !== undefined)
    c.header('Retry-After', String(Math.max(1, Math.ceil(problem.retryAfterSeconds))))
  if (problem.type === 'unauthorized') c.header('WWW-Authenticate', createAuthenticateHeader(c))
  if (problem.allowedMethods) c.header('Allow', problem.allowedMethods.join(', '))
  return c.json(problem.toResponseBody(), problem.status as 400)
}

/** Returns the challenge that every response with status 401 must contain (RFC 9110, §11.6.1; RFC 6750, §3). */
const createAuthenticateHeader = (c: Context) =>
  c.req.header('authorization') === undefined ? 'Bearer' : 'Bearer error="invalid_token"'
