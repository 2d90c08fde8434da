import { Problem } from '../../core/problem.ts'
import type { Deps } from '../deps.ts'

/** Maximum number of lookups per account and minute: twice the value of security.md, because a household watches on several screens. */
const MAX_LOOKUPS = 60
const WINDOW_MS = 60_000

const windows = new WeakMap<Deps, Map<string, { startMs: number; count: number }>>()

/** Counts a stream lookup; throws 429 when the account exceeds the limit. Counted per process. */
export function limitLookupRate(deps: Deps, account: string): void {
  const counts = windows.get(deps) ?? new Map<string, { startMs: number; count: number }>()
  windows.set(deps, counts)
  if (counts.size > 10_000) counts.clear()
  const now = deps.now()
  const before = counts.get(account)
  const current = before && now - before.startMs < WINDOW_MS ? before : { startMs: now, count: 0 }
  counts.set(account, current)
  current.count += 1
  if (current.count > MAX_LOOKUPS)
    throw new Problem('rate_limited', { retryAfterSeconds: (current.startMs + WINDOW_MS - now) / 1000 })
}
