/** Measurements of this process: request durations, slow queries and the event loop delay. `/api/metrics` shows them. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

export const DURATION_BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const
const LOOP_RESOLUTION_MS = 20
const WINDOW_MS = 60_000

interface ObservedRequest {
  method: string
  /** Route pattern of the contract, so that ids never become labels. */
  route: string
  status: number
}
interface RequestHistogram extends ObservedRequest {
  /** Number of requests up to each of `DURATION_BUCKETS_SECONDS`. */
  counts: number[]
  sumSeconds: number
  count: number
}

const requestHistograms = new Map<string, RequestHistogram>()
let slowQueryCount = 0

/** Records the duration of a request. */
export function observeRequest({ method, route, status }: ObservedRequest, durationMs: number): void {
  const key = `${method} ${route} ${status}`
  let histogram = requestHistograms.get(key)
  if (!histogram) {
    const counts = DURATION_BUCKETS_SECONDS.map(() => 0)
    histogram = { method, route, status, counts, sumSeconds: 0, count: 0 }
    requestHistograms.set(key, histogram)
  }
  const seconds = durationMs / 1_000
  histogram.sumSeconds += seconds
  histogram.count += 1
  for (const [index, limit] of DURATION_BUCKETS_SECONDS.entries())
    if (seconds <= limit) histogram.counts[index] = (histogram.counts[index] ?? 0) + 1
}

export function listRequestHistograms(): Iterable<RequestHistogram> {
  return requestHistograms.values()
}

export function countSlowQuery(): void {
  slowQueryCount += 1
}

/** Returns the number of slow queries since the start of the process. */
export function getSlowQueryCount(): number {
  return slowQueryCount
}

const loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS })
loop.enable()
let previousDelayMs = 0
const windowTimer = setInterval(() => {
  previousDelayMs = currentDelayMs()
  loop.reset()
}, WINDOW_MS)
windowTimer.unref()

function currentDelayMs(): number {
  const p99Ms = loop.percentile(99) / 1e6
  return Number.isFinite(p99Ms) ? Math.max(0, p99Ms - LOOP_RESOLUTION_MS) : 0
}

/** Event loop delay in ms: 99th percentile of the last one to two minutes. */
export function eventLoopDelayMs(): number {
  return Math.round(Math.max(previousDelayMs, currentDelayMs()) * 10) / 10
}
