/**
 * Load shedding: limits the number of requests that a process handles at once. Requests above the limit are rejected
 * immediately with 503 and Retry-After, so that accepted requests still finish in time. The limit decreases when event
 * loop timers fire late, or when requests take long because the database or another service is slow. A request counts
 * only after its body was read (body-collector.ts), so that slow clients do not occupy the limit.
 */

import type { RequestListener } from 'node:http'
import { sendProblem } from './problem-response.ts'

/**
 * Highest value of the limit. It must be lower than the queue length for database connections (db/postgres.ts), so that
 * the queue never rejects an accepted request.
 */
export const MAX_ADMISSION_LIMIT = 192
/**
 * Lowest value of the limit. Requests that wait for a password hash count against the limit. This value must therefore
 * be higher than the length of the queue for password hashes (MAX_QUEUED_HASHES in services/auth/password-hash.ts).
 * Even when that queue is full, the remaining requests can then use all database connections.
 */
export const MIN_ADMISSION_LIMIT = 48
const SAMPLE_INTERVAL_MS = 50
/** Event loop delay above which the process counts as overloaded. */
const MAX_LOOP_DELAY_MS = 100
/** Duration above which a request counts as slow. */
const SLOW_REQUEST_MS = 1_000

/**
 * Metrics and health checks are always accepted. Orchestrators restart a process that does not respond to health
 * checks.
 */
const ALWAYS_ACCEPTED_URL_PATTERN = /^\/api\/(health\/|metrics(\?|$))/
/** True for metrics and health checks. `url` is a path with or without a query. */
export const isAlwaysAccepted = (url: string) => ALWAYS_ACCEPTED_URL_PATTERN.test(url)

export class Admission {
  #limit = MAX_ADMISSION_LIMIT
  #inFlight = 0
  #hadSlowRequest = false
  get limit(): number {
    return this.#limit
  }
  isFull(url: string): boolean {
    return this.#inFlight >= this.#limit && !isAlwaysAccepted(url)
  }
  /**
   * Returns false when the request must be rejected. When it returns true, the caller must call `releaseRequest` once:
   * with the duration of the request when the response is complete, or without a duration when an upload starts.
   */
  tryAdmitRequest(path: string): boolean {
    if (this.isFull(path)) return false
    this.#inFlight += 1
    return true
  }
  releaseRequest(durationMs = 0): void {
    this.#inFlight -= 1
    if (durationMs > SLOW_REQUEST_MS) this.#hadSlowRequest = true
  }
  /**
   * Adjusts the limit after a measurement of the event loop delay. The limit decreases by 30 % when the delay exceeds
   * MAX_LOOP_DELAY_MS, or when a slow request ended since the previous measurement. Otherwise the limit increases by 8
   * requests. It stays between MIN_ADMISSION_LIMIT and MAX_ADMISSION_LIMIT.
   */
  recordLoopDelay(delayMs: number): void {
    const isOverloaded = delayMs > MAX_LOOP_DELAY_MS || this.#hadSlowRequest
    this.#hadSlowRequest = false
    this.#limit = isOverloaded
      ? Math.max(MIN_ADMISSION_LIMIT, Math.floor(this.#limit * 0.7))
      : Math.min(MAX_ADMISSION_LIMIT, this.#limit + 8)
  }
  /** Starts to measure the event loop delay of this process every SAMPLE_INTERVAL_MS. Returns the timer. */
  startMeasuringLoopDelay(): NodeJS.Timeout {
    let nextSampleAtMs = performance.now() + SAMPLE_INTERVAL_MS
    const timer = setInterval(() => {
      const nowMs = performance.now()
      this.recordLoopDelay(nowMs - nextSampleAtMs)
      nextSampleAtMs = nowMs + SAMPLE_INTERVAL_MS
    }, SAMPLE_INTERVAL_MS)
    return timer.unref()
  }
}

/** The limit of this process. All apps share it, because the apps of a process share one event loop. */
export const admission = new Admission()

/**
 * While as many requests as the limit allows are in progress, rejects further `/api/` requests before any other handler
 * runs, so that a rejection costs almost nothing. Rejected requests are counted in the metrics and not logged.
 */
export function rejectWhenOverloaded(
  listener: RequestListener,
  requestAdmission: Admission = admission,
): RequestListener {
  return (request, response) => {
    const { url = '/' } = request
    if (!url.startsWith('/api/') || !requestAdmission.isFull(url)) return listener(request, response)
    sendProblem(request, response, 'overloaded')
  }
}
