/** An error response of the API, or a failed connection with status 0. */
export class ApiError extends Error {
  readonly type: string
  readonly status: number
  readonly errors: Record<string, string[]>
  /** Seconds to wait before the next attempt, from the Retry-After header. */
  readonly retryAfterSeconds: number | null

  constructor(init: {
    type: string
    status: number
    message: string
    errors?: Record<string, string[]>
    retryAfterSeconds?: number | null
  }) {
    super(init.message)
    this.type = init.type
    this.status = init.status
    this.errors = init.errors ?? {}
    this.retryAfterSeconds = init.retryAfterSeconds ?? null
  }
}

/**
 * Returns whether no server could answer the request. This is the case when no response arrived, and when a server or a
 * proxy responded with 502 (bad gateway) or a higher status, usually 503 (unavailable) or 504 (timeout).
 */
export const isUnavailableError = ({ status }: ApiError) => !status || status > 501

export function createNetworkError(): ApiError {
  return new ApiError({
    type: 'network_error',
    status: 0,
    message: 'A network error occurred. Please check your connection and try again.',
  })
}

/** Converts an error response to an `ApiError`, even when its body is not an error object of the API. */
export async function readApiError(response: Response): Promise<ApiError> {
  const bodyText = await response.text().catch(() => '')
  const errorBody = parseJsonObject(bodyText)
  return new ApiError({
    type: typeof errorBody['type'] === 'string' ? errorBody['type'] : 'server_error',
    status: response.status,
    message:
      typeof errorBody['message'] === 'string'
        ? errorBody['message']
        : bodyText.slice(0, 200) || response.statusText,
    errors: (errorBody['errors'] ?? {}) as Record<string, string[]>,
    retryAfterSeconds: Number(response.headers.get('retry-after')) || null,
  })
}

function parseJsonObject(json: string): Record<string, unknown> {
  try {
    const parsedJson: unknown = JSON.parse(json)
    return typeof parsedJson === 'object' && parsedJson !== null
      ? (parsedJson as Record<string, unknown>)
      : {}
  } catch {
    return {}
  }
}
