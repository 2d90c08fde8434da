/**
 * HTTP client of the TMDB API v3. It limits the request rate, retries temporary failures with exponential backoff, and
 * fails immediately on permanent ones.
 */

import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod/mini'
import { combineSignals } from '../../core/combine-signals.ts'
import { ImporterError } from '../importer.ts'

/** TMDB allows about forty requests per second from one IP address. */
const REQUESTS_PER_SECOND = 30
const MAX_ATTEMPTS = 7
const REQUEST_TIMEOUT_MS = 20_000
const INITIAL_BACKOFF_MS = 500
const MAX_RETRY_DELAY_MS = 60_000
const MAX_RESPONSE_BYTES = 32 * 1024 * 1024
const RETRYABLE_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504])

/** Thrown when TMDB cannot be used. The message gives the reason. */
export class TmdbError extends ImporterError {}

/** Returns the error for a response, or a part of a response, that is not as TMDB documents it. */
export const createUnexpectedResponseError = (part: string) =>
  new TmdbError(`TMDB returned an unexpected response for ${part}`)

/** Parses the response to a request. Throws `TmdbError` if it is not as TMDB documents it. */
export function parseTmdbResponse<T extends z.ZodMiniType>(
  schema: T,
  body: unknown,
  path: string,
): z.output<T> {
  const parseResult = z.safeParse(schema, body)
  if (!parseResult.success) throw createUnexpectedResponseError(path)
  return parseResult.data
}

export interface TmdbClientOptions {
  /** Base URL without a trailing slash. */
  baseUrl: string
  token: string
  signal?: AbortSignal | undefined
  requestsPerSecond?: number
  /** Maximum wait after the first failure. The maximum doubles with each further failure, up to MAX_RETRY_DELAY_MS. */
  initialBackoffMs?: number
}

export class TmdbClient {
  readonly #options: TmdbClientOptions
  /** Time of `performance.now()` at which the next request may be sent. */
  #nextRequestMs = 0
  requestCount = 0

  constructor(options: TmdbClientOptions) {
    this.#options = options
  }

  /**
   * Returns the JSON at a path; null if TMDB has nothing there (404). Throws `TmdbError` if TMDB does not send the
   * JSON.
   */
  async get(path: string, query: Record<string, string> = {}): Promise<unknown> {
    const url = `${this.#options.baseUrl}${path}?${new URLSearchParams(query)}`
    for (let attempt = 1; ; attempt++) {
      await this.#waitForTurn()
      const outcome = await this.#tryGet(url, path)
      if ('body' in outcome) return outcome.body
      const waitMs = outcome.waitMs ?? this.#computeBackoffMs(attempt)
      this.#delayNextRequest(waitMs)
      if (attempt === MAX_ATTEMPTS)
        throw new TmdbError(
          `TMDB did not answer ${path} in ${MAX_ATTEMPTS} attempts: ${outcome.reason}. Run the import again to continue.`,
        )
      await wait(waitMs, undefined, { signal: this.#options.signal })
    }
  }

  /** Sends the request once. A temporary failure is returned; a permanent one is thrown as `TmdbError`. */
  async #tryGet(url: string, path: string): Promise<{ body: unknown } | { reason: string; waitMs?: number }> {
    this.requestCount += 1
    let response: Response
    let bodyText: string
    try {
      response = await fetch(url, {
        headers: { Authorization: `Bearer ${this.#options.token}`, Accept: 'application/json' },
        redirect: 'error',
        signal: combineSignals(this.#options.signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)),
      })
      bodyText = await readText(response)
    } catch (error) {
      this.#options.signal?.throwIfAborted()
      return { reason: (error as Error).message }
    }
    if (response.status === 404) return { body: null }
    if (RETRYABLE_STATUSES.has(response.status)) {
      const waitMs = parseRetryAfterMs(response.headers.get('retry-after'))
      return { reason: `status ${response.status}`, ...(waitMs !== undefined && { waitMs }) }
    }
    if (response.status === 401 || response.status === 403) {
      throw new TmdbError('TMDB rejected TMDB_API_TOKEN: it must be an API read access token.')
    }
    if (!response.ok) throw new TmdbError(`TMDB responded to ${path} with status ${response.status}`)
    try {
      return { body: JSON.parse(bodyText) }
    } catch {
      return { reason: 'the response is not JSON' }
    }
  }

  /** Waits until the next request may be sent. Requests are spaced evenly, to stay within the rate limit. */
  async #waitForTurn(): Promise<void> {
    const nowMs = performance.now()
    const sendAtMs = Math.max(nowMs, this.#nextRequestMs)
    this.#nextRequestMs = sendAtMs + 1000 / (this.#options.requestsPerSecond ?? REQUESTS_PER_SECOND)
    await wait(sendAtMs - nowMs, undefined, { signal: this.#options.signal })
  }

  /** Delays all requests, not only the one that failed. */
  #delayNextRequest(delayMs: number): void {
    this.#nextRequestMs = Math.max(this.#nextRequestMs, performance.now() + delayMs)
  }

  /** Returns a random wait that becomes longer with each failure. `failureCount` is 1 after the first failure. */
  #computeBackoffMs(failureCount: number): number {
    const maxBackoffMs = Math.min(
      MAX_RETRY_DELAY_MS,
      (this.#options.initialBackoffMs ?? INITIAL_BACKOFF_MS) * 2 ** (failureCount - 1),
    )
    return maxBackoffMs * (0.5 + Math.random() / 2)
  }
}

/**
 * Returns the wait that a Retry-After header states in seconds or as a date (RFC 9110, section 10.2.3), but at most
 * MAX_RETRY_DELAY_MS. Returns undefined for a missing or invalid header.
 */
export function parseRetryAfterMs(headerValue: string | null, nowMs = Date.now()): number | undefined {
  if (headerValue === null) return undefined
  const retryAfterMs = /^\d+$/.test(headerValue.trim())
    ? Number(headerValue) * 1000
    : Date.parse(headerValue) - nowMs
  return Number.isNaN(retryAfterMs) ? undefined : Math.min(MAX_RETRY_DELAY_MS, Math.max(0, retryAfterMs))
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let sizeBytes = 0
  for await (const chunk of response.body ?? []) {
    sizeBytes += chunk.length
    if (sizeBytes > MAX_RESPONSE_BYTES) throw new Error('the response is too large')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
