import { topGenres } from '../../server/recommend/genre-rows.ts'
import { buildModel, refreshModel } from '../../server/recommend/model.ts'
import { loadModel, packModel } from '../../server/recommend/pack.ts'
import { topPicks } from '../../server/recommend/picks.ts'
import { similar } from '../../server/recommend/similar.ts'
import { fixed, percentile, random } from './metrics.ts'
import { syntheticInteractions, syntheticSignals, syntheticTitles } from './synthetic.ts'

const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MB`

/** Wall time, and processor time beside it: on a machine with other work only the second is ours. */
function timed<T>(work: () => T): { result: T; ms: number; cpu: number } {
  const used = process.cpuUsage()
  const started = performance.now()
  const result = work()
  const ms = performance.now() - started
  const { user, system } = process.cpuUsage(used)
  return { result, ms, cpu: (user + system) / 1000 }
}

interface Took {
  readonly ms: number
  readonly cpu: number
}

function took(work: () => unknown): Took {
  const { ms, cpu } = timed(work)
  return { ms, cpu }
}

function spread(runs: readonly Took[]): string {
  const of = (kind: 'ms' | 'cpu', p: number): string =>
    fixed(
      percentile(
        runs.map((run) => run[kind]),
        p,
      ),
      1,
    )
  return (
    `p50 ${of('ms', 50)}  p95 ${of('ms', 95)}  p99 ${of('ms', 99)} ms` +
    ` (processor ${of('cpu', 50)}  ${of('cpu', 95)}  ${of('cpu', 99)})`
  )
}

const p95 = (runs: readonly Took[]): number =>
  percentile(
    runs.map(({ ms }) => ms),
    95,
  )

/** Training, its growth, loading and serving with 200 profiles. True when the bounds hold at the largest size. */
export function scale(sizes: readonly number[], profiles = 200): boolean {
  let within = true
  for (const size of sizes) {
    const met = syntheticInteractions(size, profiles)
    const options = { version: `bench-${size}` }
    const trained = timed(() => buildModel(syntheticTitles(size), met, options))
    const refreshed = timed(() => refreshModel(trained.result, met, options))
    const packed = packModel(trained.result)
    const loaded = timed(() => loadModel(packed))
    console.log(
      `${size} titles, ${profiles} profiles, ${met.length} interactions: trained in ${fixed(trained.ms / 1000, 1)} s ` +
        `(making the titles included), crowd refreshed in ${fixed(refreshed.ms, 0)} ms, packed ` +
        `${megabytes(packed.byteLength)}, loaded in ${fixed(loaded.ms, 0)} ms, process ${megabytes(process.memoryUsage().rss)}`,
    )
    const model = loaded.result
    const mine = Array.from({ length: profiles }, (_, profile) =>
      syntheticSignals(met.filter((one) => one.profile === profile)),
    )
    const draw = random(9)
    const scope = (key: number): boolean => key % 10 !== 0
    const picks = mine.flatMap((signals) =>
      [20, undefined].map((shown) =>
        took(() => topPicks(model, signals.slice(0, shown), { limit: 15, scope })),
      ),
    )
    const rows = mine.map((signals) => took(() => topGenres(model, signals, { limit: 15, genres: 5, scope })))
    const likes = Array.from({ length: 2000 }, (_, at) => {
      const key = Math.floor(size * draw() ** (at % 2 ? 1 : 6))
      return took(() => similar(model, key, { limit: 15, scope }))
    })
    console.log(`  top picks ${spread(picks)}\n  similar   ${spread(likes)}\n  genre rows ${spread(rows)}`)
    within = p95(picks) <= 30 && p95(likes) <= 15
  }
  return within
}
