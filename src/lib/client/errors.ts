/** The one error type of the browser: the error object of the specification, section 3. */
export class ApiError extends Error {
  readonly type: string
  readonly status: number
  readonly errors: Record<string, string[]>
  /** Seconds to wait, where the server said so. */
  readonly retryAfter: number | null

  constructor(given: {
    type: string
    status: number
    message: string
    errors?: Record<string, string[]>
    retryAfter?: number | null
  }) {
    super(given.message)
    this.type = given.type
    this.status = given.status
    this.errors = given.errors ?? {}
    this.retryAfter = given.retryAfter ?? null
  }
}

export function networkError(): ApiError {
  return new ApiError({
    type: 'network_error',
    status: 0,
    message: 'A network error occurred. Please check your connection and try again.',
  })
}

/** A body that is not our error object still becomes one. */
export async function errorFrom(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '')
  const body = parse(text)
  return new ApiError({
    type: typeof body['type'] === 'string' ? body['type'] : 'server_error',
    status: response.status,
    message:
      typeof body['message'] === 'string' ? body['message'] : text.slice(0, 200) || response.statusText,
    errors: (body['errors'] ?? {}) as Record<string, string[]>,
    retryAfter: Number(response.headers.get('retry-after')) || null,
  })
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
