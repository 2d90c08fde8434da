/**
 * Measurements of this process, such as request durations, slow queries, memory, CPU time and event loop delay.
 * `/api/metrics` returns them.
 */
import cluster from 'node:cluster'
import { monitorEventLoopDelay } from 'node:perf_hooks'

export const DURATION_BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const
const LOOP_DELAY_RESOLUTION_MS = 20
const LOOP_DELAY_WINDOW_MS = 60_000

interface ObservedRequest {
  method: string
  /** Path pattern of the route, such as `/movies/{id}`, so that metric labels contain no ids. */
  route: string
  status: number
}
interface RequestHistogram extends ObservedRequest {
  /** For each bucket of `DURATION_BUCKETS_SECONDS`, the number of requests that took at most that long. */
  bucketCounts: number[]
  sumSeconds: number
  count: number
}

const requestHistograms = new Map<string, RequestHistogram>()
let slowQueryCount = 0

export function observeRequest({ method, route, status }: ObservedRequest, durationMs: number): void {
  const histogramKey = `${method} ${route} ${status}`
  let histogram = requestHistograms.get(histogramKey)
  if (!histogram) {
    const bucketCounts = DURATION_BUCKETS_SECONDS.map(() => 0)
    histogram = { method, route, status, bucketCounts, sumSeconds: 0, count: 0 }
    requestHistograms.set(histogramKey, histogram)
  }
  const durationSeconds = durationMs / 1_000
  histogram.sumSeconds += durationSeconds
  histogram.count += 1
  for (const [index, bucketSeconds] of DURATION_BUCKETS_SECONDS.entries())
    if (durationSeconds <= bucketSeconds)
      histogram.bucketCounts[index] = (histogram.bucketCounts[index] ?? 0) + 1
}

export function countSlowQuery(): void {
  slowQueryCount += 1
}

const loopDelayHistogram = monitorEventLoopDelay({ resolution: LOOP_DELAY_RESOLUTION_MS })
loopDelayHistogram.enable()
let previousWindowDelayMs = 0
const delayWindowTimer = setInterval(() => {
  previousWindowDelayMs = getCurrentLoopDelayMs()
  loopDelayHistogram.reset()
}, LOOP_DELAY_WINDOW_MS)
delayWindowTimer.unref()

function getCurrentLoopDelayMs(): number {
  const p99Ms = loopDelayHistogram.percentile(99) / 1e6
  return Number.isFinite(p99Ms) ? Math.max(0, p99Ms - LOOP_DELAY_RESOLUTION_MS) : 0
}

/**
 * Returns the event loop delay in milliseconds: the higher of the 99th percentiles of the current minute and of the
 * minute before.
 */
export function getEventLoopDelayMs(): number {
  return Math.round(Math.max(previousWindowDelayMs, getCurrentLoopDelayMs()) * 10) / 10
}

/** Measurements of one process. They are plain data, because workers send them to each other. */
export interface ProcessMetrics {
  /** Number of the cluster worker; 0 if WORKERS is 1, because the server then has no workers. */
  workerId: number
  requestHistograms: RequestHistogram[]
  eventLoopDelayMs: number
  slowQueryCount: number
  residentBytes: number
  heapUsedBytes: number
  cpuSeconds: number
  startedAtSeconds: number
}

const startedAtSeconds = Date.now() / 1_000

export function measureProcess(): ProcessMetrics {
  const { heapUsed, rss } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return {
    workerId: cluster.worker?.id ?? 0,
    requestHistograms: [...requestHistograms.values()],
    eventLoopDelayMs: getEventLoopDelayMs(),
    slowQueryCount,
    residentBytes: rss,
    heapUsedBytes: heapUsed,
    cpuSeconds: (user + system) / 1e6,
    startedAtSeconds,
  }
}
