/** Measures latencies and compares them with the performance budget of a catalogue of a million titles. */
import type { Database } from '../../server/db/database.ts'
import type { MachineLoad } from '../machine-load.ts'
import { getQuantile } from '../statistics.ts'

export interface LatencyQuantiles {
  p50Ms: number
  p90Ms: number
  p95Ms: number
  p99Ms: number
}

/**
 * Upper limits of the 95th percentile of the latency in ms, at a million titles, with the database files in the file
 * cache of the operating system.
 */
const BUDGETS_MS_BY_DATABASE_KIND: Readonly<Record<Database['kind'], Readonly<Record<string, number>>>> = {
  sqlite: {
    'lists with random filters': 5,
    'search, every keystroke': 12,
    'detail by slug': 1,
    'five home rows in parallel': 15,
  },
  postgres: {
    'lists with random filters': 15,
    'search, every keystroke': 40,
  },
}
/** Factor by which the budgets grow when the database files are not in the file cache. */
const COLD_CACHE_BUDGET_FACTOR = 3
const MIN_BUDGET_TITLE_COUNT = 1_000_000

/** Runs `sendRequest` for each sample, one after the other, and returns percentiles of the latencies. */
export async function measureLatency(
  sampleCount: number,
  sendRequest: (sampleIndex: number) => Promise<unknown>,
): Promise<LatencyQuantiles> {
  const durationsMs: number[] = []
  for (let sampleIndex = 0; sampleIndex < sampleCount; sampleIndex++) {
    const startMs = performance.now()
    await sendRequest(sampleIndex)
    durationsMs.push(performance.now() - startMs)
  }
  const [p50Ms = 0, p90Ms = 0, p95Ms = 0, p99Ms = 0] = [0.5, 0.9, 0.95, 0.99].map((fraction) =>
    getQuantile(durationsMs, fraction),
  )
  return { p50Ms, p90Ms, p95Ms, p99Ms }
}

/**
 * Returns a text such as " (budget 5: met)". On a busy machine, the text says that there is no verdict. Returns an
 * empty text if `budget` is undefined, or if the catalogue has fewer than a million titles.
 */
export function formatVerdict(
  measuredValue: number,
  budget: number | undefined,
  { titleCount, isMachineBusy }: { titleCount: number; isMachineBusy: boolean },
): string {
  if (budget === undefined || titleCount < MIN_BUDGET_TITLE_COUNT) return ''
  const verdict = isMachineBusy
    ? 'no verdict, the machine was busy'
    : measuredValue <= budget
      ? 'met'
      : 'MISSED'
  return ` (budget ${budget}: ${verdict})`
}

export function printLatency(
  label: string,
  latency: LatencyQuantiles,
  {
    titleCount,
    machineLoad,
    isFileCacheCold,
    kind: databaseKind,
  }: { titleCount: number; machineLoad: MachineLoad; isFileCacheCold: boolean; kind: Database['kind'] },
): void {
  const { p50Ms, p90Ms, p95Ms, p99Ms } = latency
  const budget = BUDGETS_MS_BY_DATABASE_KIND[databaseKind][label]
  const verdict = formatVerdict(p95Ms, budget && budget * (isFileCacheCold ? COLD_CACHE_BUDGET_FACTOR : 1), {
    titleCount,
    isMachineBusy: machineLoad.isBusy,
  })
  const quantilesText = [p50Ms, p90Ms, p95Ms, p99Ms].map((ms) => ms.toFixed(1)).join(' / ')
  console.log(
    `${isFileCacheCold ? 'cold files, ' : ''}${label}: ${quantilesText} ms${verdict}; ${machineLoad.summary}`,
  )
}
