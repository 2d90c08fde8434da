/** Metrics of this process in the Prometheus text format (exposition format 0.0.4). Counters, gauges and one histogram need no client library. */
import cluster from 'node:cluster'
import {
  DURATION_BUCKETS_SECONDS,
  getEventLoopDelayMs,
  getSlowQueryCount,
  listRequestHistograms,
} from '../../core/process-metrics.ts'
import { selectJobCounts, selectLoginCounts } from '../../queries/metrics.ts'
import type { Deps } from '../deps.ts'

type Labels = Record<string, string>

const startedAtSeconds = Date.now() / 1_000
/** Label that distinguishes the cluster workers, because each has its own counters. */
const workerLabel = { worker: String(cluster.worker?.id ?? 0) }

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
  for (const { method, route, status, counts, sumSeconds, count } of listRequestHistograms()) {
    const labels = formatLabels({ method, route, status: String(status), ...workerLabel })
    for (const [index, bucketSeconds] of DURATION_BUCKETS_SECONDS.entries())
      lines.push(`${name}_bucket{${labels},le="${bucketSeconds}"} ${counts[index]}`)
    lines.push(`${name}_bucket{${labels},le="+Inf"} ${count}`)
    lines.push(`${name}_sum{${labels}} ${sumSeconds}`, `${name}_count{${labels}} ${count}`)
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
      [[workerLabel, getEventLoopDelayMs() / 1_000]],
    ),
    ...formatMetric(
      'marquee_slow_queries_total',
      'counter',
      'Queries slower than the setting slow_query_ms.',
      [[workerLabel, getSlowQueryCount()]],
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
