import { computeContentSimilarity } from './content.ts'
import { computeEaseWeight } from './ease.ts'
import { getPopularityFactor, type RecommendationModel } from './model.ts'
import { computeSequenceWeight } from './sequence.ts'

/**
 * Returns the weight of title `fromKey` in the score of title `toKey`: the sum of the EASE weight, the sequence weight
 * and the content affinity. The content affinity is the content similarity of both titles, multiplied by
 * `model.contentWeight` and by the popularity factor of `toKey`. If few profiles interacted with both titles, the EASE
 * weight and the sequence weight shrink towards 0, and the content affinity dominates the sum.
 */
export function computeTitleAffinity(model: RecommendationModel, fromKey: number, toKey: number): number {
  const contentAffinity =
    model.contentWeight *
    computeContentSimilarity(model.content, fromKey, toKey) *
    getPopularityFactor(model, toKey)
  return contentAffinity + computeCollaborativeAffinity(model, fromKey, toKey)
}

/**
 * Returns the part of `computeTitleAffinity` that comes from the collaborative model: the sum of the EASE weight and
 * the sequence weight. Returns 0 when a title is not in the collaborative model, and when both keys are equal.
 */
export function computeCollaborativeAffinity(
  model: RecommendationModel,
  fromKey: number,
  toKey: number,
): number {
  const fromColumn = model.columnByKey[fromKey] ?? -1
  const toColumn = model.columnByKey[toKey] ?? -1
  if (fromColumn < 0 || toColumn < 0 || fromColumn === toColumn) return 0
  return (
    computeEaseWeight(model.collaborative, fromColumn, toColumn) +
    computeSequenceWeight(model.collaborative, fromColumn, toColumn)
  )
}
