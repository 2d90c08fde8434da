import { topGenres } from '../../server/recommend/genre-rows.ts'
import { buildModel, refreshModel } from '../../server/recommend/model.ts'
import { loadModel, packModel } from '../../server/recommend/pack.ts'
import { topPicks } from '../../server/recommend/picks.ts'
import { similar } from '../../server/recommend/similar.ts'
import { fixed, percentile, random } from './metrics.ts'
import { syntheticInteractions, syntheticSignals, syntheticTitles } from './synthetic.ts'

const megabytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MB`

function timed<T>(work: () => T): { result: T; ms: number } {
  const started = performance.now()
  const result = work()
  return { result, ms: performance.now() - started }
}

const spread = (times: readonly number[]): string =>
  `p50 ${fixed(percentile(times, 50), 1)}  p95 ${fixed(percentile(times, 95), 1)}  p99 ${fixed(percentile(times, 99), 1)} ms`

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
      [20, undefined].map(
        (shown) => timed(() => topPicks(model, signals.slice(0, shown), { limit: 15, scope })).ms,
      ),
    )
    const rows = mine.map(
      (signals) => timed(() => topGenres(model, signals, { limit: 15, genres: 5, scope })).ms,
    )
    const likes = Array.from({ length: 2000 }, (_, at) => {
      const key = Math.floor(size * draw() ** (at % 2 ? 1 : 6))
      return timed(() => similar(model, key, { limit: 15, scope })).ms
    })
    console.log(`  top picks ${spread(picks)}\n  similar   ${spread(likes)}\n  genre rows ${spread(rows)}`)
    within = percentile(picks, 95) <= 30 && percentile(likes, 95) <= 15
  }
  return within
}
