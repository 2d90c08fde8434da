import { Problem } from '../core/problem.ts'
import { isDatabaseUnavailable } from '../db/unavailable.ts'

/** Converts any error to a problem: 503 with Retry-After when the database is unavailable, otherwise 500. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  return isDatabaseUnavailable(error)
    ? new Problem('overloaded', { retryAfterSeconds: 2, cause: error })
    : new Problem('server_error', { cause: error })
}
