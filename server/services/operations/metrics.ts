/**
 * Renders the metrics of all processes of this machine in the Prometheus text format (exposition format 0.0.4).
 * No client library is used, because the code for counters, gauges and one histogram is short.
 */
import { DURATION_BUCKETS_SECONDS, type ProcessMetrics } from '../../core/process-metrics.ts'
import { collectProcessMetrics } from '../../providers/worker-metrics.ts'
import { selectJobCounts, selectLoginCounts } from '../../queries/metrics.ts'
import type { Deps } from '../deps.ts'

type MetricLabels = Record<string, string>

function formatLabels(labels: MetricLabels): string {
  const labelTexts = Object.entries(labels).map(
    ([name, value]) =>
      `${name}="${value.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`))}"`,
  )
  return labelTexts.join(',')
}

function formatMetric(
  metricName: string,
  type: 'counter' | 'gauge',
  help: string,
  samples: [MetricLabels, number][],
): string[] {
  const formatSample = ([labels, sampleValue]: [MetricLabels, number]) => {
    const labelText = formatLabels(labels)
    return `${metricName}${labelText ? `{${labelText}}` : ''} ${sampleValue}`
  }
  return [`# HELP ${metricName} ${help}`, `# TYPE ${metricName} ${type}`, ...samples.map(formatSample)]
}

function formatRequestHistograms(processes: readonly ProcessMetrics[]): string[] {
  const metricName = 'marquee_http_request_duration_seconds'
  const lines = [`# HELP ${metricName} Request duration by route.`, `# TYPE ${metricName} histogram`]
  for (const { workerId, requestHistograms } of processes)
    for (const {
      method,
      route,
      status,
      bucketCounts,
      sumSeconds,
      count: requestCount,
    } of requestHistograms) {
      const labels = formatLabels({ method, route, status: String(status), worker: String(workerId) })
      for (const [index, bucketSeconds] of DURATION_BUCKETS_SECONDS.entries())
        lines.push(`${metricName}_bucket{${labels},le="${bucketSeconds}"} ${bucketCounts[index]}`)
      lines.push(`${metricName}_bucket{${labels},le="+Inf"} ${requestCount}`)
      lines.push(
        `${metricName}_sum{${labels}} ${sumSeconds}`,
        `${metricName}_count{${labels}} ${requestCount}`,
      )
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
  const createProcessSamples = (readValue: (metrics: ProcessMetrics) => number) =>
    processes.map((metrics): [MetricLabels, number] => [
      { worker: String(metrics.workerId) },
      readValue(metrics),
    ])
  const lines = [
    ...formatRequestHistograms(processes),
    ...formatMetric(
      'marquee_event_loop_lag_seconds',
      'gauge',
      'Event loop delay, 99th percentile of the last one to two minutes.',
      createProcessSamples(({ eventLoopDelayMs }) => eventLoopDelayMs / 1_000),
    ),
    ...formatMetric(
      'marquee_slow_queries_total',
      'counter',
      'Queries slower than the setting slow_query_ms.',
      createProcessSamples(({ slowQueryCount }) => slowQueryCount),
    ),
    ...formatMetric(
      'marquee_jobs',
      'gauge',
      'Jobs by kind and status.',
      jobs.map(({ count: jobCount, ...labels }) => [labels, jobCount]),
    ),
    ...formatMetric(
      'marquee_audit_logins',
      // The type is not `counter`, because the number decreases when the maintenance deletes old audit events.
      'gauge',
      'Sign-in attempts in the audit log, by outcome.',
      logins.map(({ count: loginCount, ...labels }) => [labels, loginCount]),
    ),
    ...formatMetric(
      'process_resident_memory_bytes',
      'gauge',
      'Resident memory size.',
      createProcessSamples(({ residentBytes }) => residentBytes),
    ),
    ...formatMetric(
      'nodejs_heap_used_bytes',
      'gauge',
      'JavaScript heap in use.',
      createProcessSamples(({ heapUsedBytes }) => heapUsedBytes),
    ),
    ...formatMetric(
      'process_cpu_seconds_total',
      'counter',
      'User and system CPU time.',
      createProcessSamples(({ cpuSeconds }) => cpuSeconds),
    ),
    ...formatMetric(
      'process_start_time_seconds',
      'gauge',
      'Start time of the process since the Unix epoch.',
      createProcessSamples(({ startedAtSeconds }) => startedAtSeconds),
    ),
  ]
  return `${lines.join('\n')}\n`
}
