import type { Context } from 'hono'
import { toErrorFields } from '../../core/log.ts'
import { toProblem } from '../../core/problem.ts'
import type { Deps } from '../../services/deps.ts'
import { createMediaHeaders } from './media-headers.ts'

/**
 * Converts any error to the error response of the API, with the headers of media. Only unexpected errors are logged as
 * errors. A failing media server or an unavailable database is logged only as a warning, because a player sends many
 * requests and each of them logs the failure. `not_found` is not logged.
 */
export function createMediaErrorResponse(c: Context, { log }: Pick<Deps, 'log'>, error: unknown): Response {
  const problem = toProblem(error)
  const { type, status, cause = problem, retryAfterSeconds } = problem
  const level = type === 'server_error' ? 'error' : 'warn'
  if (type !== 'not_found') log[level]('media_failed', toErrorFields(cause))
  return c.json(problem.toResponseBody(), status as 404, {
    ...createMediaHeaders(),
    ...(retryAfterSeconds !== undefined && { 'Retry-After': String(Math.ceil(retryAfterSeconds)) }),
  })
}
