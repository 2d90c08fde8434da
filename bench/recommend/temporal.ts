import { computeContentSimilarity } from '../../server/recommend/content.ts'
import { buildModel, type RecommendationModel } from '../../server/recommend/model.ts'
import { recommendTitles } from '../../server/recommend/picks.ts'
import { computeMean, computeNdcg, countHits, formatFixed, formatMeanWithInterval } from './metrics.ts'
import {
  type MovieLensRating,
  type RatingDataset,
  splitByTime,
  toInteractions,
  toSignals,
} from './movielens.ts'

export interface RecommendationLists {
  readonly lists: number[][]
  readonly relevantKeys: Set<number>[]
}

/** Returns the year in which the user's training ratings end. Titles of later years are not recommended. */
export const getLastRatingYear = (ratings: readonly MovieLensRating[]): number =>
  new Date(ratings.at(-1)!.atSeconds * 1000).getUTCFullYear()

export const getLikedKeys = (ratings: readonly MovieLensRating[]): Set<number> =>
  new Set(ratings.filter((rating) => rating.rating >= 4).map((rating) => rating.titleKey))

export interface PickOptions {
  readonly diversity?: number
  /** True to recommend also titles of years after the user's last training rating. */
  readonly includesUnreleased?: boolean
}

/**
 * Returns Marquee's ten recommendations, and the liked titles of the test set, for every user who likes at least one
 * title of the test set.
 */
export function listProductPicks(
  dataset: RatingDataset,
  model: RecommendationModel,
  splitRatings: ReturnType<typeof splitByTime>,
  pickOptions: PickOptions = {},
): RecommendationLists {
  const pickedKeysByUser: number[][] = []
  const relevantKeysByUser: Set<number>[] = []
  splitRatings.train.forEach((ratings, user) => {
    const relevantKeys = getLikedKeys(splitRatings.test[user]!)
    if (relevantKeys.size === 0) return
    const lastRatingYear = getLastRatingYear(ratings)
    const isRecommendable = (key: number): boolean =>
      pickOptions.includesUnreleased === true || (dataset.titles[key]!.year ?? 0) <= lastRatingYear
    const recommendOptions = pickOptions.diversity === undefined ? {} : { diversity: pickOptions.diversity }
    pickedKeysByUser.push(
      recommendTitles(model, toSignals(ratings), {
        limit: 10,
        scope: isRecommendable,
        ...recommendOptions,
      }).map((pick) => pick.key),
    )
    relevantKeysByUser.push(relevantKeys)
  })
  return { lists: pickedKeysByUser, relevantKeys: relevantKeysByUser }
}

/**
 * Returns the ten titles with the highest `ratingCounts` that the user has not rated in the training set, for the same
 * users as `listProductPicks`.
 */
export function listPopularTitles(
  dataset: RatingDataset,
  splitRatings: ReturnType<typeof splitByTime>,
  ratingCounts: ArrayLike<number> = countRatings(dataset, splitRatings),
): RecommendationLists {
  const popularityRanking = [...dataset.titles.keys()].sort(
    (a, b) => ratingCounts[b]! - ratingCounts[a]! || a - b,
  )
  const pickedKeysByUser: number[][] = []
  const relevantKeysByUser: Set<number>[] = []
  splitRatings.train.forEach((ratings, user) => {
    const relevantKeys = getLikedKeys(splitRatings.test[user]!)
    if (relevantKeys.size === 0) return
    const seenKeys = new Set(ratings.map((rating) => rating.titleKey))
    pickedKeysByUser.push(popularityRanking.filter((key) => !seenKeys.has(key)).slice(0, 10))
    relevantKeysByUser.push(relevantKeys)
  })
  return { lists: pickedKeysByUser, relevantKeys: relevantKeysByUser }
}

export function countRatings(
  dataset: RatingDataset,
  splitRatings: ReturnType<typeof splitByTime>,
): Uint32Array {
  const ratingCounts = new Uint32Array(dataset.titles.length)
  for (const ratings of splitRatings.train) for (const { titleKey } of ratings) ratingCounts[titleKey]!++
  return ratingCounts
}

export function reportMetrics(
  name: string,
  dataset: RatingDataset,
  ratingCounts: Uint32Array,
  model: RecommendationModel,
  { lists, relevantKeys }: RecommendationLists,
) {
  const ndcgValues = lists.map((list, index) =>
    computeNdcg(list, relevantKeys[index]!, 10, Math.min(10, relevantKeys[index]!.size)),
  )
  const hitValues = lists.map((list, index) => (countHits(list, relevantKeys[index]!, 10) > 0 ? 1 : 0))
  const meanRatingCount = computeMean(lists.flat().map((key) => ratingCounts[key]!))
  const coveredTitleCount = new Set(lists.flat()).size
  const similarityWithinLists = computeMean(
    lists.map((list) =>
      computeMean(
        list.flatMap((firstKey, position) =>
          list
            .slice(position + 1)
            .map((secondKey) => computeContentSimilarity(model.content, firstKey, secondKey)),
        ),
      ),
    ),
  )
  console.log(
    `${name.padEnd(34)} users ${lists.length}  NDCG@10 ${formatMeanWithInterval(ndcgValues)}  HR@10 ${formatMeanWithInterval(hitValues)}  ` +
      `titles shown ${coveredTitleCount} (${formatFixed(coveredTitleCount / dataset.titles.length)} of all)  ratings per shown title ${formatFixed(meanRatingCount, 1)}  ` +
      `similarity within a list ${formatFixed(similarityWithinLists, 3)}`,
  )
  return { ndcg: computeMean(ndcgValues), hitRate: computeMean(hitValues) }
}

export function evaluateTemporalSplit(dataset: RatingDataset): boolean {
  const splitRatings = splitByTime(dataset.ratingsByUser)
  const ratingCounts = countRatings(dataset, splitRatings)
  const startMs = performance.now()
  const model = buildModel(dataset.titles, toInteractions(splitRatings.train), { version: 'bench' })
  console.log(
    `trained in ${formatFixed((performance.now() - startMs) / 1000, 1)} s, through ${model.collaborative.titles.side}`,
  )
  reportMetrics('TopPopular', dataset, ratingCounts, model, listPopularTitles(dataset, splitRatings))
  const metricsResult = reportMetrics(
    'top picks (product)',
    dataset,
    ratingCounts,
    model,
    listProductPicks(dataset, model, splitRatings),
  )
  reportMetrics(
    'top picks, no diversity',
    dataset,
    ratingCounts,
    model,
    listProductPicks(dataset, model, splitRatings, { diversity: 0 }),
  )
  reportMetrics(
    'top picks, unreleased in scope',
    dataset,
    ratingCounts,
    model,
    listProductPicks(dataset, model, splitRatings, { includesUnreleased: true }),
  )
  const voteCounts = dataset.titles.map((title) => title.votes)
  const emptyModel = buildModel(dataset.titles, [], { version: 'bench' })
  reportMetrics(
    'without ratings: votes',
    dataset,
    ratingCounts,
    emptyModel,
    listPopularTitles(dataset, splitRatings, voteCounts),
  )
  reportMetrics(
    'without ratings: top picks',
    dataset,
    ratingCounts,
    emptyModel,
    listProductPicks(dataset, emptyModel, splitRatings),
  )
  return metricsResult.ndcg >= 0.112 && metricsResult.hitRate >= 0.46
}
