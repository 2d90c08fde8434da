import { recommendGenreRows } from '../../server/recommend/genre-rows.ts'
import { buildModel, refreshModel } from '../../server/recommend/model.ts'
import { loadModel, packModel } from '../../server/recommend/pack.ts'
import { recommendTitles } from '../../server/recommend/picks.ts'
import { findSimilarTitles } from '../../server/recommend/similar.ts'
import { startCpuTimer } from '../processor-time.ts'
import { getQuantile } from '../statistics.ts'
import { createSeededRandom, formatFixed } from './metrics.ts'
import { createSignals, generateInteractions, generateTitles } from './synthetic.ts'

const formatMegabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MB`

/** Runs `run` and measures wall time and CPU time in ms. The CPU time does not depend on other load on the machine. */
function measureRun<T>(run: () => T): { result: T; ms: number; cpuMs: number } {
  const readCpuMs = startCpuTimer()
  const startMs = performance.now()
  const result = run()
  const ms = performance.now() - startMs
  return { result, ms, cpuMs: readCpuMs() }
}

interface Duration {
  readonly ms: number
  readonly cpuMs: number
}

function measureDuration(run: () => unknown): Duration {
  const { ms, cpuMs } = measureRun(run)
  return { ms, cpuMs }
}

function formatQuantiles(durations: readonly Duration[]): string {
  const formatQuantile = (clock: 'ms' | 'cpuMs', fraction: number): string =>
    formatFixed(
      getQuantile(
        durations.map((duration) => duration[clock]),
        fraction,
      ),
      1,
    )
  return (
    `p50 ${formatQuantile('ms', 0.5)}  p95 ${formatQuantile('ms', 0.95)}  p99 ${formatQuantile('ms', 0.99)} ms` +
    ` (CPU ${formatQuantile('cpuMs', 0.5)}  ${formatQuantile('cpuMs', 0.95)}  ${formatQuantile('cpuMs', 0.99)})`
  )
}

const computeP95Ms = (durations: readonly Duration[]): number =>
  getQuantile(
    durations.map(({ ms }) => ms),
    0.95,
  )

/**
 * Measures training, refresh, loading and serving for each size. Returns true if the targets are met at the largest
 * size.
 */
export function measureServing(sizes: readonly number[], profiles = 200): boolean {
  let isTargetMet = true
  for (const size of sizes) {
    const interactions = generateInteractions(size, profiles)
    const options = { version: `bench-${size}` }
    const training = measureRun(() => buildModel(generateTitles(size), interactions, options))
    const refresh = measureRun(() => refreshModel(training.result, interactions, options))
    const packedModel = packModel(training.result)
    const loading = measureRun(() => loadModel(packedModel))
    console.log(
      `${size} titles, ${profiles} profiles, ${interactions.length} interactions: trained in ${formatFixed(training.ms / 1000, 1)} s ` +
        `(including generation of the titles), crowd refreshed in ${formatFixed(refresh.ms, 0)} ms, packed ` +
        `${formatMegabytes(packedModel.byteLength)}, loaded in ${formatFixed(loading.ms, 0)} ms, process ${formatMegabytes(process.memoryUsage().rss)}`,
    )
    const model = loading.result
    const signalsByProfile = Array.from({ length: profiles }, (_, profile) =>
      createSignals(interactions.filter((interaction) => interaction.profile === profile)),
    )
    const nextRandom = createSeededRandom(9)
    const scope = (key: number): boolean => key % 10 !== 0
    const pickDurations = signalsByProfile.flatMap((signals) =>
      [20, undefined].map((shownCount) =>
        measureDuration(() => recommendTitles(model, signals.slice(0, shownCount), { limit: 15, scope })),
      ),
    )
    const genreRowDurations = signalsByProfile.map((signals) =>
      measureDuration(() => recommendGenreRows(model, signals, { limit: 15, maxRows: 5, scope })),
    )
    const similarDurations = Array.from({ length: 2000 }, (_, index) => {
      const key = Math.floor(size * nextRandom() ** (index % 2 ? 1 : 6))
      return measureDuration(() => findSimilarTitles(model, key, { limit: 15, scope }))
    })
    console.log(
      `  top picks ${formatQuantiles(pickDurations)}\n  similar   ${formatQuantiles(similarDurations)}\n  genre rows ${formatQuantiles(genreRowDurations)}`,
    )
    isTargetMet = computeP95Ms(pickDurations) <= 30 && computeP95Ms(similarDurations) <= 15
  }
  return isTargetMet
}
