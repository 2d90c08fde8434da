/** Checks the EASE implementation against published results. */
import { trainCollaborativeModel } from '../../server/recommend/collaborative.ts'
import { addEaseScores } from '../../server/recommend/ease.ts'
import { readTsvRows } from './data.ts'
import { computeMean, computeNdcg, countHits, formatFixed, formatMeanWithInterval } from './metrics.ts'

type UserItemPair = readonly [user: number, item: number]

const matchesPublishedValue = (computedValue: number, publishedValue: number): boolean =>
  Math.abs(computedValue - publishedValue) <= 0.005

function groupItemsByUser(pairs: readonly UserItemPair[]): Map<number, number[]> {
  const itemsByUser = new Map<number, number[]>()
  for (const [user, item] of pairs) {
    const items = itemsByUser.get(user)
    if (items) items.push(item)
    else itemsByUser.set(user, [item])
  }
  return itemsByUser
}

/**
 * Trains EASE on implicit feedback (every interaction has the value 1). The returned function takes the items of a user
 * and returns a function that scores any item for this user. The scores of one user overwrite those of the previous
 * user.
 */
function trainEase(trainingPairs: readonly UserItemPair[], ridge: number) {
  const startMs = performance.now()
  const model = trainCollaborativeModel(
    trainingPairs.map(([profile, titleKey]) => ({ profile, titleKey, at: 0, value: 1 })),
    { ridge, minSupport: 1 },
  )
  const columnByKey = new Map([...model.keys].map((key, column) => [key, column]))
  const scores = new Float64Array(model.keys.length)
  const seconds = (performance.now() - startMs) / 1000
  console.log(
    `  ${model.profiles} profiles, ${model.keys.length} titles, ${trainingPairs.length} interactions: trained in ` +
      `${formatFixed(seconds, 1)} s through ${model.titles.side}, ${formatFixed(model.titles.cells.byteLength / 2 ** 20, 0)} MB`,
  )
  return (items: readonly number[]): ((item: number) => number) => {
    scores.fill(0)
    addEaseScores(
      model,
      items.map((item) => ({ column: columnByKey.get(item)!, weight: 1 })),
      scores,
    )
    return (item) => scores[columnByKey.get(item) ?? -1] ?? Number.NEGATIVE_INFINITY
  }
}

/**
 * Returns true if the metrics of EASE on the MCRec split of ML-100K match the published figures. The ideal list of NDCG
 * contains all relevant items, not only ten.
 */
export function evaluateMcrecSplit(): boolean {
  const trainingPairs = readTsvRows('recsys/ml100k/mcrec_train.tsv.gz').map(
    ([user, item]): UserItemPair => [Number(user), Number(item)],
  )
  const testItemsByUser = groupItemsByUser(
    readTsvRows('recsys/ml100k/mcrec_test.tsv.gz').map(
      ([user, item]): UserItemPair => [Number(user), Number(item)],
    ),
  )
  const trainItemsByUser = groupItemsByUser(trainingPairs)
  const allItems = [...new Set([...trainItemsByUser.values(), ...testItemsByUser.values()].flat())]
  const createScorer = trainEase(trainingPairs, 200)
  const precisions: number[] = []
  const recalls: number[] = []
  const ndcgValues: number[] = []
  for (const [user, testItems] of testItemsByUser) {
    const relevantItems = new Set(testItems)
    const seenItems = new Set(trainItemsByUser.get(user))
    const scoreItem = createScorer(trainItemsByUser.get(user) ?? [])
    const topItems = allItems
      .filter((item) => !seenItems.has(item))
      .map((item) => ({ item, score: scoreItem(item) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, 10)
      .map(({ item }) => item)
    precisions.push(countHits(topItems, relevantItems, 10) / 10)
    recalls.push(countHits(topItems, relevantItems, 10) / relevantItems.size)
    ndcgValues.push(computeNdcg(topItems, relevantItems, 10, relevantItems.size))
  }
  console.log(
    `  P@10 ${formatMeanWithInterval(precisions)} (published .3739)  R@10 ${formatMeanWithInterval(recalls)} (.2430)  ` +
      `NDCG@10 ${formatMeanWithInterval(ndcgValues)} (.2905)`,
  )
  return (
    matchesPublishedValue(computeMean(precisions), 0.3739) &&
    matchesPublishedValue(computeMean(recalls), 0.243) &&
    matchesPublishedValue(computeMean(ndcgValues), 0.2905)
  )
}

/**
 * Returns true if the metrics of EASE on ML-1M, with one held-out title among 99 negatives, match the published
 * figures. The comparison only checks the correctness of the implementation, because metrics with sampled negatives are
 * biased.
 */
export function evaluateLeaveOneOut(): boolean {
  const heldOutRows = readTsvRows('recsys/ml1m/ncf_test.tsv.gz')
  const heldOutItemByUser = new Map(heldOutRows.map(([user, item]) => [Number(user), Number(item)]))
  const trainingPairs = readTsvRows('recsys/ml1m/interactions.tsv.gz')
    .map(([user, item]): UserItemPair => [Number(user), Number(item)])
    .filter(([user, item]) => heldOutItemByUser.get(user) !== item)
  const trainItemsByUser = groupItemsByUser(trainingPairs)
  const createScorer = trainEase(trainingPairs, 1000)
  const hitRates: number[] = []
  const ndcgValues: number[] = []
  for (const [user, item, negativesText] of heldOutRows) {
    const scoreItem = createScorer(trainItemsByUser.get(Number(user)) ?? [])
    const heldOutScore = scoreItem(Number(item))
    const rank = negativesText!
      .split(' ')
      .filter((negativeItem) => scoreItem(Number(negativeItem)) > heldOutScore).length
    hitRates.push(rank < 10 ? 1 : 0)
    ndcgValues.push(rank < 10 ? 1 / Math.log2(rank + 2) : 0)
  }
  console.log(
    `  HR@10 ${formatMeanWithInterval(hitRates)} (published .7192)  NDCG@10 ${formatMeanWithInterval(ndcgValues)} (.4494)`,
  )
  return (
    matchesPublishedValue(computeMean(hitRates), 0.7192) &&
    matchesPublishedValue(computeMean(ndcgValues), 0.4494)
  )
}
