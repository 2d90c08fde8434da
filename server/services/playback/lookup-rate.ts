import { FixedWindowCounter } from '../../core/fixed-window-counter.ts'
import { Problem } from '../../core/problem.ts'
import type { Deps } from '../deps.ts'

/** Maximum number of stream lookups per account and minute, enough for a household that watches on several screens. */
const MAX_LOOKUPS_PER_WINDOW = 60
const WINDOW_MS = 60_000

const countersByDeps = new WeakMap<Deps, FixedWindowCounter>()

/**
 * Counts a stream lookup. Throws 429 when the account exceeds MAX_LOOKUPS_PER_WINDOW. Each process counts
 * separately.
 */
export function limitLookupRate(deps: Deps, accountId: string): void {
  const counter = countersByDeps.get(deps) ?? new FixedWindowCounter()
  countersByDeps.set(deps, counter)
  const waitMs = counter.consume(accountId, {
    limit: MAX_LOOKUPS_PER_WINDOW,
    windowMs: WINDOW_MS,
    nowMs: deps.monotonicNow(),
  })
  if (waitMs > 0) throw new Problem('rate_limited', { retryAfterSeconds: waitMs / 1000 })
}
