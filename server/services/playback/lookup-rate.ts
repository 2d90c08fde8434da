import { FixedWindowCounter } from '../../core/fixed-window-counter.ts'
import { Problem } from '../../core/problem.ts'
import type { Deps } from '../deps.ts'

/**
 * Maximum number of requests per account and minute. For lookups it is twice the value of security.md, because a household
 * watches on several screens. A browser requests later byte ranges of a video from the same address, more often.
 */
const MAX_REQUESTS = { lookup: 60, continuation: 600 }
const WINDOW_MS = 60_000

const counters = new WeakMap<Deps, FixedWindowCounter>()

/** Counts a request for the sources of a title; throws 429 when the account exceeds the limit. Counted per process. */
export function limitLookupRate(
  deps: Deps,
  account: string,
  kind: keyof typeof MAX_REQUESTS = 'lookup',
): void {
  const counter = counters.get(deps) ?? new FixedWindowCounter()
  counters.set(deps, counter)
  const limits = { limit: MAX_REQUESTS[kind], windowMs: WINDOW_MS, nowMs: deps.now() }
  const waitMs = counter.consume(`${kind} ${account}`, limits)
  if (waitMs > 0) throw new Problem('rate_limited', { retryAfterSeconds: waitMs / 1000 })
}
