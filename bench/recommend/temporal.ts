import { cosine } from '../../server/recommend/content.ts'
import { buildModel, type Model } from '../../server/recommend/model.ts'
import { topPicks } from '../../server/recommend/picks.ts'
import { fixed, hits, mean, ndcg, withInterval } from './metrics.ts'
import { interactions, type Rating, type RatingSet, signals, split } from './movielens.ts'

export interface Lists {
  readonly lists: number[][]
  readonly relevant: Set<number>[]
}

/** Year in which the user's training ratings end. Titles released later are not recommended. */
export const yearOf = (ratings: readonly Rating[]): number =>
  new Date(ratings.at(-1)!.at * 1000).getUTCFullYear()

export const likes = (ratings: readonly Rating[]): Set<number> =>
  new Set(ratings.filter((rating) => rating.rating >= 4).map((rating) => rating.key))

export interface Variation {
  readonly diversity?: number
  /** Also recommends titles that are not released yet, as the reference runs do. */
  readonly unreleased?: boolean
}

/** Ten picks from the product's own functions, for every user with at least one relevant title. */
export function productLists(
  dataset: RatingSet,
  model: Model,
  parts: ReturnType<typeof split>,
  variation: Variation = {},
): Lists {
  const lists: number[][] = []
  const relevant: Set<number>[] = []
  parts.train.forEach((ratings, user) => {
    const relevantTitles = likes(parts.test[user]!)
    if (relevantTitles.size === 0) return
    const lastYear = yearOf(ratings)
    const scope = (key: number): boolean =>
      variation.unreleased === true || (dataset.titles[key]!.year ?? 0) <= lastYear
    const options = variation.diversity === undefined ? {} : { diversity: variation.diversity }
    lists.push(topPicks(model, signals(ratings), { limit: 10, scope, ...options }).map((pick) => pick.key))
    relevant.push(relevantTitles)
  })
  return { lists, relevant }
}

/** For the same users, the ten most rated titles that the user has not rated. */
export function popularLists(
  dataset: RatingSet,
  parts: ReturnType<typeof split>,
  ratingCounts: ArrayLike<number> = counts(dataset, parts),
): Lists {
  const titlesByPopularity = [...dataset.titles.keys()].sort(
    (a, b) => ratingCounts[b]! - ratingCounts[a]! || a - b,
  )
  const lists: number[][] = []
  const relevant: Set<number>[] = []
  parts.train.forEach((ratings, user) => {
    const relevantTitles = likes(parts.test[user]!)
    if (relevantTitles.size === 0) return
    const seen = new Set(ratings.map((rating) => rating.key))
    lists.push(titlesByPopularity.filter((key) => !seen.has(key)).slice(0, 10))
    relevant.push(relevantTitles)
  })
  return { lists, relevant }
}

export function counts(dataset: RatingSet, parts: ReturnType<typeof split>): Uint32Array {
  const ratingCounts = new Uint32Array(dataset.titles.length)
  for (const ratings of parts.train) for (const { key } of ratings) ratingCounts[key]!++
  return ratingCounts
}

export function report(
  name: string,
  dataset: RatingSet,
  ratingCounts: Uint32Array,
  model: Model,
  { lists, relevant }: Lists,
) {
  const ndcgValues = lists.map((list, index) =>
    ndcg(list, relevant[index]!, 10, Math.min(10, relevant[index]!.size)),
  )
  const hitValues = lists.map((list, index) => (hits(list, relevant[index]!, 10) > 0 ? 1 : 0))
  const popularity = mean(lists.flat().map((key) => ratingCounts[key]!))
  const coveredTitles = new Set(lists.flat()).size
  const similarityWithinLists = mean(
    lists.map((list) =>
      mean(list.flatMap((a, i) => list.slice(i + 1).map((b) => cosine(model.content, a, b)))),
    ),
  )
  console.log(
    `${name.padEnd(34)} users ${lists.length}  NDCG@10 ${withInterval(ndcgValues)}  HR@10 ${withInterval(hitValues)}  ` +
      `titles shown ${coveredTitles} (${fixed(coveredTitles / dataset.titles.length)} of all)  ratings per shown title ${fixed(popularity, 1)}  ` +
      `similarity within a list ${fixed(similarityWithinLists, 3)}`,
  )
  return { ndcg: mean(ndcgValues), hr: mean(hitValues) }
}

export function temporal(dataset: RatingSet): boolean {
  const parts = split(dataset.users)
  const ratingCounts = counts(dataset, parts)
  const startMs = performance.now()
  const model = buildModel(dataset.titles, interactions(parts.train), { version: 'bench' })
  console.log(
    `trained in ${fixed((performance.now() - startMs) / 1000, 1)} s, through ${model.crowd.titles.side}`,
  )
  report('TopPopular', dataset, ratingCounts, model, popularLists(dataset, parts))
  const result = report(
    'top picks (product)',
    dataset,
    ratingCounts,
    model,
    productLists(dataset, model, parts),
  )
  report(
    'top picks, no diversity',
    dataset,
    ratingCounts,
    model,
    productLists(dataset, model, parts, { diversity: 0 }),
  )
  report(
    'top picks, unreleased in scope',
    dataset,
    ratingCounts,
    model,
    productLists(dataset, model, parts, { unreleased: true }),
  )
  const votes = dataset.titles.map((title) => title.votes)
  const emptyModel = buildModel(dataset.titles, [], { version: 'bench' })
  report('without ratings: votes', dataset, ratingCounts, emptyModel, popularLists(dataset, parts, votes))
  report(
    'without ratings: top picks',
    dataset,
    ratingCounts,
    emptyModel,
    productLists(dataset, emptyModel, parts),
  )
  return result.ndcg >= 0.112 && result.hr >= 0.46
}
