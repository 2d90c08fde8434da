/** Measurements of this process: request durations, slow queries and the event loop delay. `/api/metrics` shows them. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

export const DURATION_BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const
const LOOP_RESOLUTION_MS = 20
const WINDOW_MS = 60_000

interface ObservedRequest {
  method: string
  /** Path pattern of the route, such as `/movies/{id}`, so that metric labels contain no ids. */
  route: string
  status: number
}
interface RequestHistogram extends ObservedRequest {
  /** For each of `DURATION_BUCKETS_SECONDS`, the number of requests that took no longer. */
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
  for (const [index, bucketSeconds] of DURATION_BUCKETS_SECONDS.entries())
    if (seconds <= bucketSeconds) histogram.counts[index] = (histogram.counts[index] ?? 0) + 1
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

const loopDelayHistogram = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS })
loopDelayHistogram.enable()
let previousDelayMs = 0
const windowTimer = setInterval(() => {
  previousDelayMs = getCurrentDelayMs()
  loopDelayHistogram.reset()
}, WINDOW_MS)
windowTimer.unref()

function getCurrentDelayMs(): number {
  const p99Ms = loopDelayHistogram.percentile(99) / 1e6
  return Number.isFinite(p99Ms) ? Math.max(0, p99Ms - LOOP_RESOLUTION_MS) : 0
}

/** Returns the event loop delay in ms: 99th percentile of the last one to two minutes. */
export function getEventLoopDelayMs(): number {
  return Math.round(Math.max(previousDelayMs, getCurrentDelayMs()) * 10) / 10
}
