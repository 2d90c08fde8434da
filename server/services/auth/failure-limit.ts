/** Rate limits on failed attempts (security.md, starting limits). The counters are stored in the database and survive restarts. */

import { Problem } from '../../core/problem.ts'
import {
  clearFailureCount,
  type FailureCount,
  selectFailureCount,
  updateFailureCount,
} from '../../queries/rate-limit.ts'
import type { Deps } from '../deps.ts'

export interface FailureLimit {
  /** Failures within the window that cause no delay. */
  allowedFailures: number
  windowMs: number
}
export const FAILURE_LIMITS = {
  loginAccount: { allowedFailures: 10, windowMs: 15 * 60_000 },
  loginAddress: { allowedFailures: 30, windowMs: 15 * 60_000 },
  invitationAddress: { allowedFailures: 20, windowMs: 3_600_000 },
  password: { allowedFailures: 10, windowMs: 15 * 60_000 },
} as const satisfies Record<string, FailureLimit>
type LimiterName = keyof typeof FAILURE_LIMITS

const FIRST_DELAY_MS = 30_000
const LONGEST_DELAY_MS = 3_600_000

/** Throws 429 while the counter is above its limit. Each further failure doubles the delay, up to an hour; no lock is permanent. */
export async function enforceFailureLimit(deps: Deps, kind: LimiterName, key: string): Promise<void> {
  const failures = await selectFailureCount(deps.database.primary, `${kind}:${key}`)
  const { allowedFailures }: FailureLimit = FAILURE_LIMITS[kind]
  if (!failures || failures.count < allowedFailures) return
  const waitMs = failures.window_ends_at - deps.now()
  if (waitMs > 0) throw new Problem('rate_limited', { retryAfterSeconds: waitMs / 1000 })
}

export async function recordFailure(deps: Deps, kind: LimiterName, key: string): Promise<void> {
  await updateFailureCount(deps.database.primary, `${kind}:${key}`, (previousCount) =>
    countNextFailure(FAILURE_LIMITS[kind], previousCount, deps.now()),
  )
}

function countNextFailure(
  { allowedFailures, windowMs }: FailureLimit,
  previousCount: FailureCount | undefined,
  nowMs: number,
): FailureCount {
  const isExpired =
    !previousCount ||
    nowMs > previousCount.window_ends_at + (previousCount.count < allowedFailures ? 0 : LONGEST_DELAY_MS)
  if (isExpired) return { count: 1, window_ends_at: nowMs + windowMs }
  const count = previousCount.count + 1
  if (count < allowedFailures) return { count, window_ends_at: previousCount.window_ends_at }
  const delayMs = Math.min(FIRST_DELAY_MS * 2 ** Math.min(count - allowedFailures, 20), LONGEST_DELAY_MS)
  return { count, window_ends_at: nowMs + delayMs }
}

export async function resetFailures(deps: Deps, kind: LimiterName, key: string): Promise<void> {
  await clearFailureCount(deps.database.primary, `${kind}:${key}`)
}
