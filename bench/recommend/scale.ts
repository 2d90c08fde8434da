import { recommendGenreRows } from '../../server/recommend/genre-rows.ts'
import { buildModel, refreshModel } from '../../server/recommend/model.ts'
import { loadModel, packModel } from '../../server/recommend/pack.ts'
import { recommendTitles } from '../../server/recommend/picks.ts'
import { findSimilarTitles } from '../../server/recommend/similar.ts'
import { startCpuTimer } from '../processor-time.ts'
import { getQuantile } from '../statistics.ts'
import { createSeededRandom, formatFixed } from './metrics.ts'
import { createSignals, generateInteractions, generateTitles } from './synthetic.ts'

const formatByteSize = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MB`

/**
 * Runs `runTask` and measures wall time and CPU time in ms. Other load on the machine changes the CPU time less
 * than the wall time.
 */
function measureRun<T>(runTask: () => T): { result: T; wallMs: number; cpuMs: number } {
  const readCpuMs = startCpuTimer()
  const startMs = performance.now()
  const result = runTask()
  const wallMs = performance.now() - startMs
  return { result, wallMs, cpuMs: readCpuMs() }
}

interface Duration {
  readonly wallMs: number
  readonly cpuMs: number
}

function measureDuration(runTask: () => unknown): Duration {
  const { wallMs, cpuMs } = measureRun(runTask)
  return { wallMs, cpuMs }
}

function formatQuantiles(durations: readonly Duration[]): string {
  const formatQuantile = (durationKind: 'wallMs' | 'cpuMs', fraction: number): string =>
    formatFixed(
      getQuantile(
        durations.map((duration) => duration[durationKind]),
        fraction,
      ),
      1,
    )
  return (
    `p50 ${formatQuantile('wallMs', 0.5)}  p95 ${formatQuantile('wallMs', 0.95)}  p99 ${formatQuantile('wallMs', 0.99)} ms` +
    ` (CPU ${formatQuantile('cpuMs', 0.5)}  ${formatQuantile('cpuMs', 0.95)}  ${formatQuantile('cpuMs', 0.99)})`
  )
}

const computeP95Ms = (durations: readonly Duration[]): number =>
  getQuantile(
    durations.map(({ wallMs }) => wallMs),
    0.95,
  )

/**
 * Measures training, refresh, loading and serving for each number of titles. Returns true if the targets are met for
 * the last of these numbers.
 */
export function measureServing(titleCounts: readonly number[], profileCount = 200): boolean {
  let isTargetMet = true
  for (const titleCount of titleCounts) {
    const interactions = generateInteractions(titleCount, profileCount)
    const modelOptions = { version: `bench-${titleCount}` }
    const trainingRun = measureRun(() => buildModel(generateTitles(titleCount), interactions, modelOptions))
    const refreshRun = measureRun(() => refreshModel(trainingRun.result, interactions, modelOptions))
    const packedModel = packModel(trainingRun.result)
    const loadingRun = measureRun(() => loadModel(packedModel))
    console.log(
      `${titleCount} titles, ${profileCount} profiles, ${interactions.length} interactions: trained in ${formatFixed(trainingRun.wallMs / 1000, 1)} s ` +
        `(including generation of the titles), collaborative model refreshed in ${formatFixed(refreshRun.wallMs, 0)} ms, packed ` +
        `${formatByteSize(packedModel.byteLength)}, loaded in ${formatFixed(loadingRun.wallMs, 0)} ms, process ${formatByteSize(process.memoryUsage().rss)}`,
    )
    const model = loadingRun.result
    const signalsByProfile = Array.from({ length: profileCount }, (_, profile) =>
      createSignals(interactions.filter((interaction) => interaction.profile === profile)),
    )
    const nextRandom = createSeededRandom(9)
    const isInScope = (key: number): boolean => key % 10 !== 0
    const pickDurations = signalsByProfile.flatMap((signals) =>
      [20, undefined].map((signalCount) =>
        measureDuration(() =>
          recommendTitles(model, signals.slice(0, signalCount), { limit: 15, scope: isInScope }),
        ),
      ),
    )
    const genreRowDurations = signalsByProfile.map((signals) =>
      measureDuration(() => recommendGenreRows(model, signals, { limit: 15, maxRows: 5, scope: isInScope })),
    )
    const similarDurations = Array.from({ length: 2000 }, (_, index) => {
      const titleKey = Math.floor(titleCount * nextRandom() ** (index % 2 ? 1 : 6))
      return measureDuration(() => findSimilarTitles(model, titleKey, { limit: 15, scope: isInScope }))
    })
    console.log(
      `  top picks ${formatQuantiles(pickDurations)}\n  similar   ${formatQuantiles(similarDurations)}\n  genre rows ${formatQuantiles(genreRowDurations)}`,
    )
    isTargetMet = computeP95Ms(pickDurations) <= 30 && computeP95Ms(similarDurations) <= 15
  }
  return isTargetMet
}
