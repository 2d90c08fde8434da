/**
 * How many calls a process takes on at once. What it cannot do in time it refuses at once and cheaply, so that under any load
 * the work it has begun is finished: 503 with Retry-After. The limit follows what happens: when the event loop is late for its
 * own timers, or calls take long because something behind it is slow, the process takes on less.
 */
import type { RequestListener } from 'node:http'
import { PROBLEMS } from '../problem.ts'
import { observeRequest } from '../services/metrics.ts'

/** Below the queue for connections to the database (db/postgres.ts): what is let in is not refused half-way. */
export const MOST = 192
/** Enough to keep every connection to the database busy, beside a full queue of passwords (services/password-hash.ts). */
export const LEAST = 48
const EVERY_MS = 50
/** A turn of the loop that took so much longer than it should is one too many. */
const LATE_MS = 100
/** A call that took so long waited for others. */
const SLOW_MS = 1_000
const RETRY_AFTER_S = 1

/** Watched by machines that would end or replace a process which does not answer. */
const ALWAYS = /^\/api\/(health\/|metrics$)/

export class Admission {
  #limit = MOST
  #inFlight = 0
  #slow = false
  get limit(): number {
    return this.#limit
  }
  full(path: string): boolean {
    return this.#inFlight >= this.#limit && !ALWAYS.test(path)
  }
  /** False: refuse. After true, `leave` when the call is answered, with how long that took. */
  enter(path: string): boolean {
    if (this.full(path)) return false
    this.#inFlight += 1
    return true
  }
  leave(ms = 0): void {
    this.#inFlight -= 1
    if (ms > SLOW_MS) this.#slow = true
  }
  /** How late a turn of the event loop was: a third less after a late one, a little more after one in time. */
  turn(lateMs: number): void {
    const less = lateMs > LATE_MS || this.#slow
    this.#slow = false
    this.#limit = less ? Math.max(LEAST, Math.floor(this.#limit * 0.7)) : Math.min(MOST, this.#limit + 8)
  }
  /** Looks at the event loop of this process from now on. */
  watch(): NodeJS.Timeout {
    let due = performance.now() + EVERY_MS
    const timer = setInterval(() => {
      const now = performance.now()
      this.turn(now - due)
      due = now + EVERY_MS
    }, EVERY_MS)
    return timer.unref()
  }
}

/** Of this process: it has one event loop, however many apps. */
export const admission = new Admission()

const BODY = JSON.stringify({
  type: 'overloaded',
  status_code: PROBLEMS.overloaded[0],
  message: PROBLEMS.overloaded[1],
  errors: {},
})
const HEADERS = {
  'Content-Type': 'application/json',
  'Content-Length': Buffer.byteLength(BODY),
  'Retry-After': RETRY_AFTER_S,
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
}

/** Before everything else, so that a call that is refused costs next to nothing: it is counted, not logged. */
export function refuseEarly(listener: RequestListener, gate: Admission = admission): RequestListener {
  return (request, response) => {
    const { url = '/', method = '' } = request
    if (!url.startsWith('/api/') || !gate.full(url)) return listener(request, response)
    observeRequest({ method, route: 'none', status: 503 }, 0)
    response.writeHead(503, HEADERS).end(BODY)
  }
}
