/** The one door to TMDB's API (v3): paced, patient with a server that is busy or broken, and quick to say what it cannot mend. */
import { setTimeout as wait } from 'node:timers/promises'

/** TMDB answers some forty a second from one address. */
const PER_SECOND = 30
const ATTEMPTS = 7
const TIMEOUT_MS = 20_000
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 60_000
const MOST_BYTES = 32 * 1024 * 1024
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504])

/** TMDB cannot be used now; the message says why in one sentence. */
export class TmdbError extends Error {}

export interface ClientOptions {
  /** Without a slash at the end. */
  base: string
  token: string
  signal?: AbortSignal | undefined
  perSecond?: number
  /** The first wait after a failure, in ms; each one doubles. */
  firstWaitMs?: number
}

export class TmdbClient {
  readonly #options: ClientOptions
  /** When the next request may go out, by performance.now(). */
  #next = 0
  requests = 0

  constructor(options: ClientOptions) {
    this.#options = options
  }

  /** The JSON at a path; null when there is nothing (404). Throws `TmdbError` when it will not be had. */
  async get(path: string, query: Record<string, string> = {}): Promise<unknown> {
    const url = `${this.#options.base}${path}?${new URLSearchParams(query)}`
    let last = ''
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      await this.#turn()
      const answer = await this.#once(url, path)
      if ('body' in answer) return answer.body
      last = answer.why
      await this.#rest(answer.waitMs ?? this.#backOff(attempt))
    }
    throw new TmdbError(
      `TMDB did not answer ${path} in ${ATTEMPTS} attempts: ${last}. Run the import again to go on.`,
    )
  }

  async #once(url: string, path: string): Promise<{ body: unknown } | { why: string; waitMs?: number }> {
    this.requests += 1
    let response: Response
    let text: string
    try {
      response = await fetch(url, {
        headers: { Authorization: `Bearer ${this.#options.token}`, Accept: 'application/json' },
        redirect: 'error',
        signal: this.#signal(AbortSignal.timeout(TIMEOUT_MS)),
      })
      text = await readText(response)
    } catch (error) {
      this.#options.signal?.throwIfAborted()
      return { why: (error as Error).message }
    }
    if (response.status === 404) return { body: null }
    if (PASSING.has(response.status)) {
      const waitMs = retryAfterMs(response.headers.get('retry-after'))
      return { why: `status ${response.status}`, ...(waitMs !== undefined && { waitMs }) }
    }
    if (response.status === 401 || response.status === 403) {
      throw new TmdbError('TMDB does not accept TMDB_API_TOKEN: it takes an API read access token.')
    }
    if (!response.ok) throw new TmdbError(`TMDB answered ${path} with status ${response.status}`)
    try {
      return { body: JSON.parse(text) }
    } catch {
      return { why: 'the answer is not JSON' }
    }
  }

  #signal(timeout: AbortSignal): AbortSignal {
    return this.#options.signal ? AbortSignal.any([this.#options.signal, timeout]) : timeout
  }

  /** Requests go out one by one, evenly. */
  async #turn(): Promise<void> {
    const now = performance.now()
    const at = Math.max(now, this.#next)
    this.#next = at + 1000 / (this.#options.perSecond ?? PER_SECOND)
    await wait(at - now, undefined, { signal: this.#options.signal })
  }

  /** All requests wait, not only the one that was refused. */
  async #rest(ms: number): Promise<void> {
    this.#next = Math.max(this.#next, performance.now() + ms)
    await wait(ms, undefined, { signal: this.#options.signal })
  }

  #backOff(attempt: number): number {
    const most = Math.min(LONGEST_WAIT_MS, (this.#options.firstWaitMs ?? FIRST_WAIT_MS) * 2 ** attempt)
    return most * (0.5 + Math.random() / 2)
  }
}

/** Seconds, or a date (RFC 9110, section 10.2.3). */
export function retryAfterMs(value: string | null, now = Date.now()): number | undefined {
  if (value === null) return undefined
  const ms = /^\d+$/.test(value.trim()) ? Number(value) * 1000 : Date.parse(value) - now
  return Number.isNaN(ms) ? undefined : Math.min(LONGEST_WAIT_MS, Math.max(0, ms))
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) throw new Error('the answer is too large')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
