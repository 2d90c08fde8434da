/** Persistent limits on failures (security.md, starting limits). Counters live in the database and survive restarts. */
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { clearFailures, countFailure, type Failures, readFailures } from '../queries/rate-limit.ts'

export interface Limit {
  /** Failures that go unpunished within the window. */
  free: number
  windowMs: number
}
export const LIMITERS = {
  loginAccount: { free: 10, windowMs: 15 * 60_000 },
  loginAddress: { free: 30, windowMs: 15 * 60_000 },
  invitationAddress: { free: 20, windowMs: 3_600_000 },
  password: { free: 10, windowMs: 15 * 60_000 },
} as const satisfies Record<string, Limit>
type Kind = keyof typeof LIMITERS

const FIRST_DELAY_MS = 30_000
const LONGEST_DELAY_MS = 3_600_000

/** Throws 429 while the bucket is over its limit; then each further failure doubles the wait, up to an hour. Never a lock for good. */
export async function refuseWhenLimited(deps: Deps, kind: Kind, key: string): Promise<void> {
  const found = await readFailures(deps.database.primary, `${kind}:${key}`)
  if (!found || found.count < LIMITERS[kind].free) return
  const wait = found.window_ends_at - deps.now()
  if (wait > 0) throw new Problem('rate_limited', { retryAfter: wait / 1000 })
}

/** Counts one failure. */
export async function noteFailure(deps: Deps, kind: Kind, key: string): Promise<void> {
  await countFailure(deps.database.primary, `${kind}:${key}`, (before) =>
    next(LIMITERS[kind], before, deps.now()),
  )
}

function next({ free, windowMs }: Limit, before: Failures | undefined, now: number): Failures {
  const forgotten = !before || now > before.window_ends_at + (before.count < free ? 0 : LONGEST_DELAY_MS)
  if (forgotten) return { count: 1, window_ends_at: now + windowMs }
  const count = before.count + 1
  if (count < free) return { count, window_ends_at: before.window_ends_at }
  const delay = Math.min(FIRST_DELAY_MS * 2 ** Math.min(count - free, 20), LONGEST_DELAY_MS)
  return { count, window_ends_at: now + delay }
}

export async function forgetFailures(deps: Deps, kind: Kind, key: string): Promise<void> {
  await clearFailures(deps.database.primary, `${kind}:${key}`)
}
