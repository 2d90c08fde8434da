/**
 * Renders the metrics of all processes of this machine in the Prometheus text format (exposition format
 * 0.0.4). There is no client library, because counters, gauges and one histogram need none.
 */
import { DURATION_BUCKETS_SECONDS, type ProcessMetrics } from '../../core/process-metrics.ts'
import { collectProcessMetrics } from '../../providers/worker-metrics.ts'
import { selectJobCounts, selectLoginCounts } from '../../queries/metrics.ts'
import type { Deps } from '../deps.ts'

type Labels = Record<string, string>

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

function formatRequestHistograms(processes: readonly ProcessMetrics[]): string[] {
  const name = 'marquee_http_request_duration_seconds'
  const lines = [`# HELP ${name} Request duration by route.`, `# TYPE ${name} histogram`]
  for (const { worker, requests } of processes)
    for (const { method, route, status, counts, sumSeconds, count } of requests) {
      const labels = formatLabels({ method, route, status: String(status), worker: String(worker) })
      for (const [index, bucketSeconds] of DURATION_BUCKETS_SECONDS.entries())
        lines.push(`${name}_bucket{${labels},le="${bucketSeconds}"} ${counts[index]}`)
      lines.push(`${name}_bucket{${labels},le="+Inf"} ${count}`)
      lines.push(`${name}_sum{${labels}} ${sumSeconds}`, `${name}_count{${labels}} ${count}`)
    }
  return lines
}

/**
 * Renders the metrics of all processes of this machine. Jobs and logins are counted in the shared database,
 * so every machine reports the same counts.
 */
export async function renderMetrics({ database }: Deps): Promise<string> {
  const [jobs, logins] = [await selectJobCounts(database.primary), await selectLoginCounts(database.primary)]
  const processes = await collectProcessMetrics()
  const byProcess = (read: (metrics: ProcessMetrics) => number) =>
    processes.map((metrics): [Labels, number] => [{ worker: String(metrics.worker) }, read(metrics)])
  const lines = [
    ...formatRequestHistograms(processes),
    ...formatMetric(
      'marquee_event_loop_lag_seconds',
      'gauge',
      'Event loop delay, 99th percentile of the last one to two minutes.',
      byProcess(({ eventLoopDelayMs }) => eventLoopDelayMs / 1_000),
    ),
    ...formatMetric(
      'marquee_slow_queries_total',
      'counter',
      'Queries slower than the setting slow_query_ms.',
      byProcess(({ slowQueryCount }) => slowQueryCount),
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
    ...formatMetric(
      'process_resident_memory_bytes',
      'gauge',
      'Resident memory size.',
      byProcess(({ residentBytes }) => residentBytes),
    ),
    ...formatMetric(
      'nodejs_heap_used_bytes',
      'gauge',
      'JavaScript heap in use.',
      byProcess(({ heapUsedBytes }) => heapUsedBytes),
    ),
    ...formatMetric(
      'process_cpu_seconds_total',
      'counter',
      'User and system CPU time.',
      byProcess(({ cpuSeconds }) => cpuSeconds),
    ),
    ...formatMetric(
      'process_start_time_seconds',
      'gauge',
      'Start time of the process since the Unix epoch.',
      byProcess(({ startedAtSeconds }) => startedAtSeconds),
    ),
  ]
  return `${lines.join('\n')}\n`
}
