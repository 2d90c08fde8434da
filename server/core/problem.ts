import { isDatabaseUnavailable, isMissingReference } from './database-unavailable.ts'

/**
 * Status code and default message of every API error type. The default message is sent to the caller, so it contains no
 * details of the cause; `ProblemOptions.cause` is only logged.
 */
const PROBLEMS = {
  bad_request: [400, 'The server could not read the request.'],
  validation_error: [422, 'The request is not valid.'],
  unauthorized: [401, 'You are not signed in.'],
  forbidden: [403, 'You do not have permission to do this.'],
  profile_locked: [403, 'This profile is locked.'],
  invalid_pin: [403, 'Invalid PIN'],
  not_found: [404, 'Not found.'],
  method_not_allowed: [405, 'This address does not accept this method.'],
  request_timeout: [408, 'The request did not arrive in time.'],
  conflict: [409, 'This conflicts with existing data.'],
  payload_too_large: [413, 'The request is too large.'],
  unsupported_media_type: [415, 'This content type is not supported.'],
  rate_limited: [429, 'Too many attempts. Try again later.'],
  headers_too_large: [431, 'The address or the headers of the request are too long.'],
  server_error: [500, 'Something went wrong on the server'],
  upstream_error: [502, 'Another service did not respond correctly.'],
  overloaded: [503, 'The server is busy. Try again shortly.'],
} as const

export type ProblemType = keyof typeof PROBLEMS
export const PROBLEM_TYPES = Object.keys(PROBLEMS) as ProblemType[]
export type FieldErrors = Record<string, string[]>

interface ProblemOptions {
  /** Replaces the default message of the type. It must be a constant text, never built from input. */
  message?: string
  /** Error codes by field name. They never contain the values of the fields. */
  errors?: FieldErrors
  /** Sent as the Retry-After header. */
  retryAfterSeconds?: number
  /** Sent as the Allow header. */
  allowedMethods?: readonly string[]
  /** Written to the log only. */
  cause?: unknown
  /**
   * Id of an object that the request refers to but the caller does not own. The id is recorded in the audit log and
   * never sent to the caller.
   */
  deniedObjectId?: string
}

/** The error that handlers and services throw. http/error-response.ts turns it into the HTTP response. */
export class Problem extends Error {
  readonly type: ProblemType
  readonly status: number
  readonly errors: FieldErrors
  readonly retryAfterSeconds: number | undefined
  readonly allowedMethods: readonly string[] | undefined
  readonly deniedObjectId: string | undefined

  constructor(type: ProblemType, options: ProblemOptions = {}) {
    super(options.message ?? PROBLEMS[type][1], { cause: options.cause })
    this.type = type
    this.status = PROBLEMS[type][0]
    this.errors = options.errors ?? {}
    this.retryAfterSeconds = options.retryAfterSeconds
    this.allowedMethods = options.allowedMethods
    this.deniedObjectId = options.deniedObjectId
  }

  /** Returns the body of the error response. */
  toResponseBody() {
    return { type: this.type, status_code: this.status, message: this.message, errors: this.errors }
  }
}

/**
 * Returns a problem unchanged, and converts any other error to a problem: 503 with Retry-After when the database is
 * unavailable, 404 when a write refers to a row that was deleted during the request, otherwise 500.
 */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (isMissingReference(error)) return new Problem('not_found', { cause: error })
  return isDatabaseUnavailable(error)
    ? new Problem('overloaded', { retryAfterSeconds: 2, cause: error })
    : new Problem('server_error', { cause: error })
}

/** Returns a `validation_error` for one field. `codes` are error codes, which do not change between releases. */
export function createFieldProblem(field: string, ...codes: string[]): Problem {
  return new Problem('validation_error', { errors: { [field]: codes } })
}

/**
 * Throws an error that occurred while a request body was read, for example because the client closed the connection or
 * the body cannot be parsed. Throws it as `bad_request`, because the ECONNRESET of a client would otherwise count as an
 * unavailable database. A `Problem` is thrown unchanged.
 */
export function throwBodyError(error: unknown): never {
  throw error instanceof Problem ? error : new Problem('bad_request', { cause: error })
}
