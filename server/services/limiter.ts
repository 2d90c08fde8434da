/** Rate limits on failed attempts (security.md, starting limits). The counters are stored in the database and survive restarts. */
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { clearFailures, countFailure, type Failures, readFailures } from '../queries/rate-limit.ts'

export interface Limit {
  /** Failures within the window that cause no delay. */
  free: number
  windowMs: number
}
export const LIMITERS = {
  loginAccount: { free: 10, windowMs: 15 * 60_000 },
  loginAddress: { free: 30, windowMs: 15 * 60_000 },
  invitationAddress: { free: 20, windowMs: 3_600_000 },
  password: { free: 10, windowMs: 15 * 60_000 },
} as const satisfies Record<string, Limit>
type LimiterName = keyof typeof LIMITERS

const FIRST_DELAY_MS = 30_000
const LONGEST_DELAY_MS = 3_600_000

/** Throws 429 while the counter is above its limit. Each further failure doubles the delay, up to an hour; no lock is permanent. */
export async function refuseWhenLimited(deps: Deps, kind: LimiterName, key: string): Promise<void> {
  const failures = await readFailures(deps.database.primary, `${kind}:${key}`)
  const { free }: Limit = LIMITERS[kind]
  if (!failures || failures.count < free) return
  const waitMs = failures.window_ends_at - deps.now()
  if (waitMs > 0) throw new Problem('rate_limited', { retryAfter: waitMs / 1000 })
}

export async function noteFailure(deps: Deps, kind: LimiterName, key: string): Promise<void> {
  await countFailure(deps.database.primary, `${kind}:${key}`, (before) =>
    countNextFailure(LIMITERS[kind], before, deps.now()),
  )
}

function countNextFailure({ free, windowMs }: Limit, before: Failures | undefined, now: number): Failures {
  const isExpired = !before || now > before.window_ends_at + (before.count < free ? 0 : LONGEST_DELAY_MS)
  if (isExpired) return { count: 1, window_ends_at: now + windowMs }
  const count = before.count + 1
  if (count < free) return { count, window_ends_at: before.window_ends_at }
  const delayMs = Math.min(FIRST_DELAY_MS * 2 ** Math.min(count - free, 20), LONGEST_DELAY_MS)
  return { count, window_ends_at: now + delayMs }
}

export async function forgetFailures(deps: Deps, kind: LimiterName, key: string): Promise<void> {
  await clearFailures(deps.database.primary, `${kind}:${key}`)
}
