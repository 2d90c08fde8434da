import { buildModel } from '../../server/recommend/model.ts'
import { recommendTitles } from '../../server/recommend/picks.ts'
import {
  computeMean,
  computeRatioInterval,
  countHits,
  createSeededRandom,
  formatFixed,
  formatMeanWithInterval,
} from './metrics.ts'
import { type RatingDataset, splitByTime, toInteractions, toSignals } from './movielens.ts'
import { countRatings, getLastRatingYear, getLikedKeys } from './temporal.ts'

type SplitRatings = ReturnType<typeof splitByTime>

const FOLD_COUNT = 5

const computeRecallAt15 = (pickedKeys: readonly number[], relevantKeys: ReadonlySet<number>): number =>
  countHits(pickedKeys, relevantKeys, 15) / relevantKeys.size

interface RecallComparison {
  readonly ourRecalls: number[]
  readonly popularRecalls: number[]
}

/** Trains a model without the users of one fold, and ranks the titles by their number of training ratings. */
function trainWithoutFold(
  dataset: RatingDataset,
  ratingsByUser: RatingDataset['ratingsByUser'],
  fold: number,
) {
  const trainingRatings = ratingsByUser.map((ratings, user) =>
    user % FOLD_COUNT === fold ? [] : [...ratings],
  )
  const model = buildModel(dataset.titles, toInteractions(trainingRatings), { version: 'bench' })
  const ratingCounts = countRatings(dataset, { train: trainingRatings, test: [] })
  return {
    model,
    popularityRanking: [...ratingCounts.keys()].sort((a, b) => ratingCounts[b]! - ratingCounts[a]! || a - b),
  }
}

/**
 * Evaluates new profiles in five folds: the model is trained without the users of the fold that is evaluated. The
 * profile consists of the last `shownLikeCount` likes of the user's training part. Relevant titles are the likes of the
 * test part. Both lists, the recommendations and the most popular titles, omit the titles of the profile and unreleased
 * titles.
 */
export function evaluateNewProfiles(
  dataset: RatingDataset,
  splitRatings: SplitRatings,
  shownLikeCount: number,
): RecallComparison {
  const comparison: RecallComparison = { ourRecalls: [], popularRecalls: [] }
  for (let fold = 0; fold < FOLD_COUNT; fold++) {
    const { model, popularityRanking } = trainWithoutFold(dataset, splitRatings.train, fold)
    splitRatings.train.forEach((ratings, user) => {
      const relevantKeys = getLikedKeys(splitRatings.test[user]!)
      const likedSignals = toSignals(ratings).filter((_, index) => ratings[index]!.rating >= 4)
      if (user % FOLD_COUNT !== fold || relevantKeys.size === 0 || likedSignals.length < shownLikeCount)
        return
      const shownSignals = likedSignals.slice(-shownLikeCount).map(({ weight: _, ...signal }) => signal)
      const lastRatingYear = getLastRatingYear(ratings)
      const isReleased = (key: number): boolean => (dataset.titles[key]!.year ?? 0) <= lastRatingYear
      const seenKeys = new Set(shownSignals.map((signal) => signal.titleKey!))
      const pickedKeys = recommendTitles(model, shownSignals, { limit: 15, scope: isReleased }).map(
        (pick) => pick.key,
      )
      comparison.ourRecalls.push(computeRecallAt15(pickedKeys, relevantKeys))
      const popularKeys = popularityRanking
        .filter((key) => !seenKeys.has(key) && isReleased(key))
        .slice(0, 15)
      comparison.popularRecalls.push(computeRecallAt15(popularKeys, relevantKeys))
    })
  }
  return comparison
}

/**
 * Evaluates users whose ratings the model does not contain (strong generalisation). No target applies to these figures.
 * The profile consists of one random like of the user; all other likes of the user are relevant, whether they are
 * earlier or later. `ourRecalls` and `popularRecalls` are recall@15. `cappedRecall` is recall@15 divided by its highest
 * possible value, because a user can have more than 15 relevant titles.
 */
export function evaluateSingleLike(
  dataset: RatingDataset,
): RecallComparison & { readonly cappedRecall: RecallComparison } {
  const nextRandom = createSeededRandom(5)
  const comparison = { ourRecalls: [] as number[], popularRecalls: [] as number[] }
  const cappedRecall = { ourRecalls: [] as number[], popularRecalls: [] as number[] }
  for (let fold = 0; fold < FOLD_COUNT; fold++) {
    const { model, popularityRanking } = trainWithoutFold(dataset, dataset.ratingsByUser, fold)
    dataset.ratingsByUser.forEach((ratings, user) => {
      const likedKeys = [...getLikedKeys(ratings)]
      if (user % FOLD_COUNT !== fold || likedKeys.length < 2) return
      const titleKey = likedKeys[Math.floor(nextRandom() * likedKeys.length)]!
      const relevantKeys = new Set(likedKeys.filter((key) => key !== titleKey))
      const lastRatingYear = getLastRatingYear(ratings)
      const isReleased = (key: number): boolean => (dataset.titles[key]!.year ?? 0) <= lastRatingYear
      const signal = { kind: 'liked', titleKey, at: 0 } as const
      const pickedKeys = recommendTitles(model, [signal], { limit: 15, scope: isReleased }).map(
        (pick) => pick.key,
      )
      const popularKeys = popularityRanking.filter((key) => key !== titleKey && isReleased(key)).slice(0, 15)
      const inverseMaxRecall = relevantKeys.size / Math.min(15, relevantKeys.size)
      for (const [ranking, keys] of [
        ['ourRecalls', pickedKeys] as const,
        ['popularRecalls', popularKeys] as const,
      ]) {
        comparison[ranking].push(computeRecallAt15(keys, relevantKeys))
        cappedRecall[ranking].push(computeRecallAt15(keys, relevantKeys) * inverseMaxRecall)
      }
    })
  }
  return { ...comparison, cappedRecall }
}

/**
 * Evaluates new titles: the titles of one fold (a fifth of all). Their ratings are removed from the training data and
 * from the signals of each user. The relevant titles are the new titles that the user likes in the test part.
 * `rankingScope` selects whether only the new titles or all unseen titles are ranked.
 */
export function evaluateNewTitles(
  dataset: RatingDataset,
  splitRatings: SplitRatings,
  rankingScope: 'new' | 'all',
  fold = 0,
) {
  const nextRandom = createSeededRandom(11)
  const foldsByTitleKey = dataset.titles.map(() => Math.floor(nextRandom() * FOLD_COUNT))
  const isNewTitle = (key: number): boolean => foldsByTitleKey[key] === fold
  const trainingRatings = splitRatings.train.map((ratings) =>
    ratings.filter((rating) => !isNewTitle(rating.titleKey)),
  )
  const model = buildModel(dataset.titles, toInteractions(trainingRatings), { version: 'bench' })
  const ratingCounts = countRatings(dataset, { train: trainingRatings, test: [] })
  const voteCounts = dataset.titles.map((title) => title.votes)
  const tieBreakers = dataset.titles.map(() => nextRandom())
  const sortByScore = (computeScore: (key: number) => number): number[] =>
    [...dataset.titles.keys()].sort(
      (a, b) => computeScore(b) - computeScore(a) || tieBreakers[a]! - tieBreakers[b]!,
    )
  const ratingCountRanking = sortByScore((key) => ratingCounts[key]!)
  const voteRanking = sortByScore((key) => voteCounts[key]!)
  const comparison: RecallComparison & { voteRecalls: number[] } = {
    ourRecalls: [],
    popularRecalls: [],
    voteRecalls: [],
  }
  splitRatings.train.forEach((ratings, user) => {
    const relevantKeys = new Set([...getLikedKeys(splitRatings.test[user]!)].filter(isNewTitle))
    if (relevantKeys.size === 0) return
    const lastRatingYear = getLastRatingYear(ratings)
    const seenKeys = new Set(ratings.map((rating) => rating.titleKey))
    const isRecommendable = (key: number): boolean =>
      !seenKeys.has(key) &&
      (rankingScope === 'all' || isNewTitle(key)) &&
      (dataset.titles[key]!.year ?? 0) <= lastRatingYear
    const pickedKeys = recommendTitles(model, toSignals(trainingRatings[user]!), {
      limit: 15,
      scope: isRecommendable,
    }).map((pick) => pick.key)
    comparison.ourRecalls.push(computeRecallAt15(pickedKeys, relevantKeys))
    comparison.popularRecalls.push(
      computeRecallAt15(ratingCountRanking.filter(isRecommendable).slice(0, 15), relevantKeys),
    )
    comparison.voteRecalls.push(
      computeRecallAt15(voteRanking.filter(isRecommendable).slice(0, 15), relevantKeys),
    )
  })
  return comparison
}

const formatRatio = (ourRecalls: readonly number[], popularRecalls: readonly number[]): string =>
  `${formatFixed(computeMean(ourRecalls) / computeMean(popularRecalls), 2)} times`

/**
 * Lowest accepted recall, as a multiple of the recall of TopPopular. The first value applies to new profiles with a
 * single known like. The second value applies to new profiles with several likes, and to new titles.
 */
const MIN_RECALL_RATIO_ONE_LIKE = 1.5
const MIN_RECALL_RATIO = 2

/**
 * Prints the recall of new profiles and new titles. Returns true if both reach their target. The targets of new
 * profiles are MIN_RECALL_RATIO_ONE_LIKE and MIN_RECALL_RATIO. New titles, ranked only among new titles, must reach
 * MIN_RECALL_RATIO times the recall of TopPopular.
 */
export function evaluateColdStart(
  dataset: RatingDataset,
  splitRatings: SplitRatings = splitByTime(dataset.ratingsByUser),
): boolean {
  let isTargetMet = true
  for (const shownLikeCount of [1, 3, 5]) {
    const { ourRecalls, popularRecalls } = evaluateNewProfiles(dataset, splitRatings, shownLikeCount)
    isTargetMet &&=
      computeMean(ourRecalls) >=
      (shownLikeCount === 1 ? MIN_RECALL_RATIO_ONE_LIKE : MIN_RECALL_RATIO) * computeMean(popularRecalls)
    console.log(
      `  profile shows ${shownLikeCount} like(s)  users ${ourRecalls.length}  recall@15 ${formatMeanWithInterval(ourRecalls)}  ` +
        `TopPopular ${formatFixed(computeMean(popularRecalls))}  ${formatRatio(ourRecalls, popularRecalls)} ` +
        `[${computeRatioInterval(ourRecalls, popularRecalls)
          .map((intervalBound) => formatFixed(intervalBound, 2))
          .join(', ')}]`,
    )
  }
  const { cappedRecall, ...uncappedRecall } = evaluateSingleLike(dataset)
  for (const [name, { ourRecalls, popularRecalls }] of [
    ['recall@15', uncappedRecall] as const,
    ['of at most 15', cappedRecall] as const,
  ])
    console.log(
      `  any like shown, all others relevant (no target)  users ${ourRecalls.length}  ${name} ${formatMeanWithInterval(ourRecalls)}  ` +
        `TopPopular ${formatMeanWithInterval(popularRecalls)}  ${formatRatio(ourRecalls, popularRecalls)}`,
    )
  for (const rankingScope of ['new', 'all'] as const) {
    const comparisons = Array.from({ length: FOLD_COUNT }, (_, fold) =>
      evaluateNewTitles(dataset, splitRatings, rankingScope, fold),
    )
    const ourRecalls = comparisons.flatMap((comparison) => comparison.ourRecalls)
    const popularRecalls = comparisons.flatMap((run) => run.popularRecalls)
    const voteRecalls = comparisons.flatMap((run) => run.voteRecalls)
    if (rankingScope === 'new')
      isTargetMet &&= computeMean(ourRecalls) >= MIN_RECALL_RATIO * computeMean(popularRecalls)
    console.log(
      `  titles never trained on, ranked among ${rankingScope === 'new' ? 'new titles' : 'all titles'}  ` +
        `lists ${ourRecalls.length}  recall@15 ${formatMeanWithInterval(ourRecalls)}  TopPopular ${formatFixed(computeMean(popularRecalls))}  ` +
        `catalogue votes ${formatFixed(computeMean(voteRecalls))}  ${formatRatio(ourRecalls, voteRecalls)} the votes`,
    )
  }
  return isTargetMet
}
