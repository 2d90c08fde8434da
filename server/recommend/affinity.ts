import { computeContentSimilarity } from './content.ts'
import { computeEaseWeight } from './ease.ts'
import { getPopularityFactor, type RecommendationModel } from './model.ts'
import { computeSequenceWeight } from './sequence.ts'

/**
 * Returns the weight of title `fromKey` in the score of title `toKey`: the sum of EASE regression, sequence model and content
 * similarity. The collaborative parts shrink towards 0 when few profiles interacted with both titles (ridge and shrinkage).
 * Content similarity does not shrink, so it dominates such pairs.
 */
export function computeTitleAffinity(model: RecommendationModel, fromKey: number, toKey: number): number {
  const contentAffinity =
    model.contentWeight *
    computeContentSimilarity(model.content, fromKey, toKey) *
    getPopularityFactor(model, toKey)
  return contentAffinity + computeCollaborativeAffinity(model, fromKey, toKey)
}

/** Returns the collaborative part of `computeTitleAffinity`; 0 when a title is not in the collaborative model. */
export function computeCollaborativeAffinity(
  model: RecommendationModel,
  fromKey: number,
  toKey: number,
): number {
  const fromColumn = model.columnByKey[fromKey] ?? -1
  const toColumn = model.columnByKey[toKey] ?? -1
  if (fromColumn < 0 || toColumn < 0 || fromColumn === toColumn) return 0
  return (
    computeEaseWeight(model.crowd, fromColumn, toColumn) +
    computeSequenceWeight(model.crowd, fromColumn, toColumn)
  )
}
