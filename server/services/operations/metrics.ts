/** Metrics of this process in the Prometheus text format (exposition format 0.0.4). Counters, gauges and one histogram need no client library. */
import cluster from 'node:cluster'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { selectJobCounts, selectLoginCounts } from '../../queries/metrics.ts'
import type { Deps } from '../deps.ts'

const BUCKET_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const
const LOOP_RESOLUTION_MS = 20
const WINDOW_MS = 60_000
type Labels = Record<string, string>

interface Histogram {
  counts: number[]
  sum: number
  count: number
}

const requestHistograms = new Map<string, Histogram>()
const slowQueries = { count: 0 }
const startedAtSeconds = Date.now() / 1_000
/** Label that tells the cluster workers apart: each has its own counters. */
const workerLabel = { worker: String(cluster.worker?.id ?? 0) }

/** Records the duration of a request. `route` is the route pattern of the contract, so that ids never become labels. */
export function observeRequest(labels: { method: string; route: string; status: number }, ms: number): void {
  const key = formatLabels({
    method: labels.method,
    route: labels.route,
    status: `${labels.status}`,
    ...workerLabel,
  })
  let histogram = requestHistograms.get(key)
  if (!histogram) {
    histogram = { counts: BUCKET_SECONDS.map(() => 0), sum: 0, count: 0 }
    requestHistograms.set(key, histogram)
  }
  const seconds = ms / 1_000
  histogram.sum += seconds
  histogram.count += 1
  for (const [index, limit] of BUCKET_SECONDS.entries())
    if (seconds <= limit) histogram.counts[index] = (histogram.counts[index] ?? 0) + 1
}

export function countSlowQuery(): void {
  slowQueries.count += 1
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

function formatLabels(labels: Labels): string {
  const parts = Object.entries(labels).map(
    ([name, value]) =>
      `${name}="${value.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`))}"`,
  )
  return parts.join(',')
}

function formatMetric(
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  values: [Labels, number][],
): string[] {
  const formatSample = ([labels, value]: [Labels, number]) => {
    const labelText = formatLabels(labels)
    return `${name}${labelText ? `{${labelText}}` : ''} ${value}`
  }
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...values.map(formatSample)]
}

function formatRequestHistograms(): string[] {
  const name = 'marquee_http_request_duration_seconds'
  const lines = [`# HELP ${name} Request duration by route.`, `# TYPE ${name} histogram`]
  for (const [labels, { counts, sum, count }] of requestHistograms) {
    for (const [index, limit] of BUCKET_SECONDS.entries())
      lines.push(`${name}_bucket{${labels},le="${limit}"} ${counts[index]}`)
    lines.push(`${name}_bucket{${labels},le="+Inf"} ${count}`)
    lines.push(`${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${count}`)
  }
  return lines
}

/** Renders all metrics. Jobs and logins are counted in the database, so that every process reports the same values. */
export async function renderMetrics({ database }: Deps): Promise<string> {
  const [jobs, logins] = [await selectJobCounts(database.primary), await selectLoginCounts(database.primary)]
  const { heapUsed, rss } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const lines = [
    ...formatRequestHistograms(),
    ...formatMetric(
      'marquee_event_loop_lag_seconds',
      'gauge',
      'Event loop delay, 99th percentile of the last one to two minutes.',
      [[workerLabel, eventLoopDelayMs() / 1_000]],
    ),
    ...formatMetric(
      'marquee_slow_queries_total',
      'counter',
      'Queries slower than the setting slow_query_ms.',
      [[workerLabel, slowQueries.count]],
    ),
    ...formatMetric(
      'marquee_jobs',
      'gauge',
      'Jobs by kind and status.',
      jobs.map(({ count: n, ...labels }) => [labels, n]),
    ),
    ...formatMetric(
      'marquee_logins_total',
      'counter',
      'Sign-in attempts in the audit log, by outcome.',
      logins.map(({ count: n, ...labels }) => [labels, n]),
    ),
    ...formatMetric('process_resident_memory_bytes', 'gauge', 'Resident memory size.', [[workerLabel, rss]]),
    ...formatMetric('nodejs_heap_used_bytes', 'gauge', 'JavaScript heap in use.', [[workerLabel, heapUsed]]),
    ...formatMetric('process_cpu_seconds_total', 'counter', 'User and system CPU time.', [
      [workerLabel, (user + system) / 1e6],
    ]),
    ...formatMetric(
      'process_start_time_seconds',
      'gauge',
      'Start time of the process since the Unix epoch.',
      [[workerLabel, startedAtSeconds]],
    ),
  ]
  return `${lines.join('\n')}\n`
}
