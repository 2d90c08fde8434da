import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'

/** Lookups of one account per minute (security.md, starting limits, doubled: a household watches on several screens). */
const MOST = 60
const WINDOW_MS = 60_000

const windows = new WeakMap<Deps, Map<string, { from: number; count: number }>>()

/** Throws 429 for an account that asks faster than anybody watches. Counted per process. */
export function refuseHaste(deps: Deps, account: string): void {
  const counts = windows.get(deps) ?? new Map<string, { from: number; count: number }>()
  windows.set(deps, counts)
  if (counts.size > 10_000) counts.clear()
  const now = deps.now()
  const before = counts.get(account)
  const current = before && now - before.from < WINDOW_MS ? before : { from: now, count: 0 }
  counts.set(account, current)
  current.count += 1
  if (current.count > MOST)
    throw new Problem('rate_limited', { retryAfter: (current.from + WINDOW_MS - now) / 1000 })
}
