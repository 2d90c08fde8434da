import { isUnavailable } from './db/unavailable.ts'

/** The one error type of the server: what the caller is told (api.md, section 1). Detail goes to the log, never here. */
export const PROBLEMS = {
  validation_error: [422, 'The request does not fit.'],
  unauthorized: [401, 'You are not signed in.'],
  forbidden: [403, 'You do not have permission to do this.'],
  profile_locked: [403, 'This profile is locked.'],
  invalid_pin: [403, 'Invalid PIN'],
  not_found: [404, 'Not found.'],
  conflict: [409, 'This conflicts with what is already there.'],
  payload_too_large: [413, 'The request is too large.'],
  unsupported_media_type: [415, 'This kind of body is not accepted.'],
  rate_limited: [429, 'Too many attempts. Try again later.'],
  server_error: [500, 'Something went wrong on the server'],
  upstream_error: [502, 'Another service did not answer as it should.'],
  overloaded: [503, 'The server is busy. Try again shortly.'],
} as const

export type ProblemType = keyof typeof PROBLEMS
export type FieldErrors = Record<string, string[]>

interface ProblemWords {
  /** Replaces the type's own text; constant, never built from input. */
  message?: string
  /** Codes per field; never values. */
  errors?: FieldErrors
  /** Seconds, sent as Retry-After. */
  retryAfter?: number
  /** For the log alone. */
  cause?: unknown
}

export class Problem extends Error {
  readonly type: ProblemType
  readonly status: number
  readonly errors: FieldErrors
  readonly retryAfter: number | undefined

  constructor(type: ProblemType, words: ProblemWords = {}) {
    super(words.message ?? PROBLEMS[type][1], { cause: words.cause })
    this.type = type
    this.status = PROBLEMS[type][0]
    this.errors = words.errors ?? {}
    this.retryAfter = words.retryAfter
  }

  /** The error object of the specification, section 3. */
  body() {
    return { type: this.type, status_code: this.status, message: this.message, errors: this.errors }
  }
}

/** What the caller is told of any error: a database that is away or full means 503, come back; the rest is 500. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  return isUnavailable(error)
    ? new Problem('overloaded', { retryAfter: 2, cause: error })
    : new Problem('server_error', { cause: error })
}

/** A field that does not fit, by code. */
export function invalid(field: string, ...codes: string[]): Problem {
  return new Problem('validation_error', { errors: { [field]: codes } })
}
