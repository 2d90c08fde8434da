import { buildCrowd } from '../../server/recommend/crowd.ts'
import { addEase } from '../../server/recommend/ease.ts'
import { table } from './data.ts'
import { fixed, hits, mean, ndcg, withInterval } from './metrics.ts'

/** The closed form against published EASE figures: is it the model it says it is. */

type Pair = readonly [user: number, item: number]

const near = (value: number, published: number): boolean => Math.abs(value - published) <= 0.005

function byUser(pairs: readonly Pair[]): Map<number, number[]> {
  const users = new Map<number, number[]>()
  for (const [user, item] of pairs) {
    const row = users.get(user)
    if (row) row.push(item)
    else users.set(user, [item])
  }
  return users
}

/** EASE over all titles with implicit ones; answers the scores of a user by title. */
function ease(train: readonly Pair[], ridge: number) {
  const started = performance.now()
  const crowd = buildCrowd(
    train.map(([profile, titleKey]) => ({ profile, titleKey, at: 0, value: 1 })),
    { ridge, minSupport: 1 },
  )
  const columnOf = new Map([...crowd.keys].map((key, column) => [key, column]))
  const out = new Float64Array(crowd.keys.length)
  const seconds = (performance.now() - started) / 1000
  console.log(
    `  ${crowd.profiles} profiles, ${crowd.keys.length} titles, ${train.length} interactions: trained in ` +
      `${fixed(seconds, 1)} s through ${crowd.titles.side}, ${fixed(crowd.titles.cells.byteLength / 2 ** 20, 0)} MB`,
  )
  return (items: readonly number[]): ((item: number) => number) => {
    out.fill(0)
    addEase(
      crowd,
      items.map((item) => ({ column: columnOf.get(item)!, weight: 1 })),
      out,
    )
    return (item) => out[columnOf.get(item) ?? -1] ?? Number.NEGATIVE_INFINITY
  }
}

/** ML-100K, the MCRec split; the ideal list of NDCG is not cut. */
export function mcrec(): boolean {
  const train = table('recsys/ml100k/mcrec_train.tsv.gz').map(([u, i]): Pair => [Number(u), Number(i)])
  const test = byUser(table('recsys/ml100k/mcrec_test.tsv.gz').map(([u, i]): Pair => [Number(u), Number(i)]))
  const known = byUser(train)
  const items = [...new Set([...known.values(), ...test.values()].flat())]
  const scores = ease(train, 200)
  const precision: number[] = []
  const recall: number[] = []
  const gain: number[] = []
  for (const [user, wanted] of test) {
    const relevant = new Set(wanted)
    const seen = new Set(known.get(user))
    const score = scores(known.get(user) ?? [])
    const list = items
      .filter((item) => !seen.has(item))
      .map((item) => ({ item, score: score(item) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, 10)
      .map(({ item }) => item)
    precision.push(hits(list, relevant, 10) / 10)
    recall.push(hits(list, relevant, 10) / relevant.size)
    gain.push(ndcg(list, relevant, 10, relevant.size))
  }
  console.log(
    `  P@10 ${withInterval(precision)} (published .3739)  R@10 ${withInterval(recall)} (.2430)  ` +
      `NDCG@10 ${withInterval(gain)} (.2905)`,
  )
  return near(mean(precision), 0.3739) && near(mean(recall), 0.243) && near(mean(gain), 0.2905)
}

/** ML-1M, one held-out title among 99 given ones: a check of correctness, not a goal (sampled metrics are biased). */
export function leaveOneOut(): boolean {
  const held = table('recsys/ml1m/ncf_test.tsv.gz')
  const out = new Map(held.map(([user, item]) => [Number(user), Number(item)]))
  const train = table('recsys/ml1m/interactions.tsv.gz')
    .map(([u, i]): Pair => [Number(u), Number(i)])
    .filter(([user, item]) => out.get(user) !== item)
  const known = byUser(train)
  const scores = ease(train, 1000)
  const rate: number[] = []
  const gain: number[] = []
  for (const [user, item, negatives] of held) {
    const score = scores(known.get(Number(user)) ?? [])
    const own = score(Number(item))
    const above = negatives!.split(' ').filter((other) => score(Number(other)) > own).length
    rate.push(above < 10 ? 1 : 0)
    gain.push(above < 10 ? 1 / Math.log2(above + 2) : 0)
  }
  console.log(`  HR@10 ${withInterval(rate)} (published .7192)  NDCG@10 ${withInterval(gain)} (.4494)`)
  return near(mean(rate), 0.7192) && near(mean(gain), 0.4494)
}
