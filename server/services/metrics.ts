/** Figures of this process in Prometheus' text format (exposition format 0.0.4). A registry of our own: three kinds are all we need. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Deps } from '../deps.ts'
import { jobCounts, loginCounts } from '../queries/metrics.ts'

/** Seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const
const LOOP_EVERY_MS = 20
const WINDOW_MS = 60_000
type Labels = Record<string, string>

interface Histogram {
  counts: number[]
  sum: number
  count: number
}

const requests = new Map<string, Histogram>()
const slow = { count: 0 }
const startedAt = Date.now() / 1_000

/** One request: its route as the contract spells it, so that ids never become labels. */
export function observeRequest(labels: { method: string; route: string; status: number }, ms: number): void {
  const key = written({ method: labels.method, route: labels.route, status: `${labels.status}` })
  let found = requests.get(key)
  if (!found) {
    found = { counts: BUCKETS.map(() => 0), sum: 0, count: 0 }
    requests.set(key, found)
  }
  const seconds = ms / 1_000
  found.sum += seconds
  found.count += 1
  for (const [at, limit] of BUCKETS.entries())
    if (seconds <= limit) found.counts[at] = (found.counts[at] ?? 0) + 1
}

export function countSlowQuery(): void {
  slow.count += 1
}

const loop = monitorEventLoopDelay({ resolution: LOOP_EVERY_MS })
loop.enable()
let before = 0
const turn = setInterval(() => {
  before = lateness()
  loop.reset()
}, WINDOW_MS)
turn.unref()

function lateness(): number {
  const p99 = loop.percentile(99) / 1e6
  return Number.isFinite(p99) ? Math.max(0, p99 - LOOP_EVERY_MS) : 0
}

/** How late the process was for its own timers, 99th percentile of the last minute or two, ms. */
export function eventLoopMs(): number {
  return Math.round(Math.max(before, lateness()) * 10) / 10
}

function written(labels: Labels): string {
  const parts = Object.entries(labels).map(
    ([name, value]) =>
      `${name}="${value.replace(/[\\"\n]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`))}"`,
  )
  return parts.join(',')
}

function family(name: string, type: 'counter' | 'gauge', help: string, values: [Labels, number][]): string[] {
  const line = ([labels, value]: [Labels, number]) => {
    const inner = written(labels)
    return `${name}${inner ? `{${inner}}` : ''} ${value}`
  }
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...values.map(line)]
}

function requestLines(): string[] {
  const name = 'marquee_http_request_duration_seconds'
  const lines = [`# HELP ${name} Time to answer, by route of the contract.`, `# TYPE ${name} histogram`]
  for (const [labels, { counts, sum, count }] of requests) {
    for (const [at, limit] of BUCKETS.entries())
      lines.push(`${name}_bucket{${labels},le="${limit}"} ${counts[at]}`)
    lines.push(`${name}_bucket{${labels},le="+Inf"} ${count}`)
    lines.push(`${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${count}`)
  }
  return lines
}

/** The whole page. Jobs and logins are counted in the database, so that every process of a service tells the same. */
export async function metricsText({ database }: Deps): Promise<string> {
  const [jobs, logins] = [await jobCounts(database.primary), await loginCounts(database.primary)]
  const { heapUsed, rss } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  const lines = [
    ...requestLines(),
    ...family(
      'marquee_event_loop_lag_seconds',
      'gauge',
      'How late timers are, 99th percentile of a minute.',
      [[{}, eventLoopMs() / 1_000]],
    ),
    ...family('marquee_slow_queries_total', 'counter', 'Queries above the setting slow_query_ms.', [
      [{}, slow.count],
    ]),
    ...family(
      'marquee_jobs',
      'gauge',
      'Jobs in the table, by kind and status.',
      jobs.map(({ n, ...labels }) => [labels, n]),
    ),
    ...family(
      'marquee_logins_total',
      'counter',
      'Attempts to sign in that the audit log holds, by outcome.',
      logins.map(({ n, ...labels }) => [labels, n]),
    ),
    ...family('process_resident_memory_bytes', 'gauge', 'Memory of the process.', [[{}, rss]]),
    ...family('nodejs_heap_used_bytes', 'gauge', 'Memory in use by JavaScript.', [[{}, heapUsed]]),
    ...family('process_cpu_seconds_total', 'counter', 'Time of the processor.', [
      [{}, (user + system) / 1e6],
    ]),
    ...family('process_start_time_seconds', 'gauge', 'When the process started.', [[{}, startedAt]]),
  ]
  return `${lines.join('\n')}\n`
}
