import { Problem } from '../../core/problem.ts'
import type { Deps } from '../deps.ts'

/**
 * Maximum number of requests per account and minute. For lookups it is twice the value of security.md, because a household
 * watches on several screens. A browser requests later byte ranges of a video from the same address, more often.
 */
const MAX_REQUESTS = { lookup: 60, continuation: 600 }
const WINDOW_MS = 60_000

const windows = new WeakMap<Deps, Map<string, { startMs: number; count: number }>>()

/** Counts a request for the sources of a title; throws 429 when the account exceeds the limit. Counted per process. */
export function limitLookupRate(
  deps: Deps,
  account: string,
  kind: keyof typeof MAX_REQUESTS = 'lookup',
): void {
  const counts = windows.get(deps) ?? new Map<string, { startMs: number; count: number }>()
  windows.set(deps, counts)
  if (counts.size > 10_000) counts.clear()
  const now = deps.now()
  const key = `${kind} ${account}`
  const before = counts.get(key)
  const current = before && now - before.startMs < WINDOW_MS ? before : { startMs: now, count: 0 }
  counts.set(key, current)
  current.count += 1
  if (current.count > MAX_REQUESTS[kind])
    throw new Problem('rate_limited', { retryAfterSeconds: (current.startMs + WINDOW_MS - now) / 1000 })
}
