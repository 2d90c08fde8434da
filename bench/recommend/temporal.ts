import { cosine } from '../../server/recommend/content.ts'
import { buildModel, type Model } from '../../server/recommend/model.ts'
import { topPicks } from '../../server/recommend/picks.ts'
import { fixed, hits, mean, ndcg, withInterval } from './metrics.ts'
import { interactions, type Rating, type RatingSet, signals, split } from './movielens.ts'

export interface Lists {
  readonly lists: number[][]
  readonly relevant: Set<number>[]
}

/** The year in which a user's known history ends: what comes out later cannot be offered yet. */
export const yearOf = (row: readonly Rating[]): number => new Date(row.at(-1)!.at * 1000).getUTCFullYear()

export const likes = (row: readonly Rating[]): Set<number> =>
  new Set(row.filter((one) => one.rating >= 4).map((one) => one.key))

export interface Variation {
  readonly diversity?: number
  /** Leave the release year out of the scope, as the reference runs do. */
  readonly unreleased?: boolean
}

/** Ten picks for every user with something to find, through the calls the product makes. */
export function productLists(
  set: RatingSet,
  model: Model,
  parts: ReturnType<typeof split>,
  how: Variation = {},
): Lists {
  const lists: number[][] = []
  const relevant: Set<number>[] = []
  parts.train.forEach((row, user) => {
    const wanted = likes(parts.test[user]!)
    if (wanted.size === 0) return
    const now = yearOf(row)
    const scope = (key: number): boolean => how.unreleased === true || (set.titles[key]!.year ?? 0) <= now
    const options = how.diversity === undefined ? {} : { diversity: how.diversity }
    lists.push(topPicks(model, signals(row), { limit: 10, scope, ...options }).map((pick) => pick.key))
    relevant.push(wanted)
  })
  return { lists, relevant }
}

/** The most met titles a user has not met. */
export function popularLists(
  set: RatingSet,
  parts: ReturnType<typeof split>,
  count: ArrayLike<number> = counts(set, parts),
): Lists {
  const order = [...set.titles.keys()].sort((a, b) => count[b]! - count[a]! || a - b)
  const lists: number[][] = []
  const relevant: Set<number>[] = []
  parts.train.forEach((row, user) => {
    const wanted = likes(parts.test[user]!)
    if (wanted.size === 0) return
    const seen = new Set(row.map((one) => one.key))
    lists.push(order.filter((key) => !seen.has(key)).slice(0, 10))
    relevant.push(wanted)
  })
  return { lists, relevant }
}

export function counts(set: RatingSet, parts: ReturnType<typeof split>): Uint32Array {
  const count = new Uint32Array(set.titles.length)
  for (const row of parts.train) for (const { key } of row) count[key]!++
  return count
}

export function report(
  name: string,
  set: RatingSet,
  count: Uint32Array,
  model: Model,
  { lists, relevant }: Lists,
) {
  const gains = lists.map((list, at) => ndcg(list, relevant[at]!, 10, Math.min(10, relevant[at]!.size)))
  const found = lists.map((list, at) => (hits(list, relevant[at]!, 10) > 0 ? 1 : 0))
  const popularity = mean(lists.flat().map((key) => count[key]!))
  const covered = new Set(lists.flat()).size
  const within = mean(
    lists.map((list) =>
      mean(list.flatMap((a, i) => list.slice(i + 1).map((b) => cosine(model.content, a, b)))),
    ),
  )
  console.log(
    `${name.padEnd(34)} users ${lists.length}  NDCG@10 ${withInterval(gains)}  HR@10 ${withInterval(found)}  ` +
      `titles shown ${covered} (${fixed(covered / set.titles.length)} of all)  ratings per shown title ${fixed(popularity, 1)}  ` +
      `likeness within a list ${fixed(within, 3)}`,
  )
  return { ndcg: mean(gains), hr: mean(found) }
}

export function temporal(set: RatingSet): boolean {
  const parts = split(set.users)
  const count = counts(set, parts)
  const started = performance.now()
  const model = buildModel(set.titles, interactions(parts.train), { version: 'bench' })
  console.log(
    `trained in ${fixed((performance.now() - started) / 1000, 1)} s, through ${model.crowd.titles.side}`,
  )
  report('TopPopular', set, count, model, popularLists(set, parts))
  const result = report('top picks (product)', set, count, model, productLists(set, model, parts))
  report('top picks, no diversity', set, count, model, productLists(set, model, parts, { diversity: 0 }))
  report(
    'top picks, unreleased in scope',
    set,
    count,
    model,
    productLists(set, model, parts, { unreleased: true }),
  )
  const votes = set.titles.map((title) => title.votes)
  const alone = buildModel(set.titles, [], { version: 'bench' })
  report('alone on a server: votes', set, count, alone, popularLists(set, parts, votes))
  report('alone on a server: top picks', set, count, alone, productLists(set, alone, parts))
  return result.ndcg >= 0.112 && result.hr >= 0.46
}
