import { contentSimilarity } from './content.ts'
import { easeWeight } from './ease.ts'
import { getPopularityFactor, type RecommendationModel } from './model.ts'
import { sequenceWeight } from './sequence.ts'

/**
 * Returns the weight of title `from` in the score of title `to`: EASE regression, sequence model and content
 * similarity. The collaborative parts shrink towards 0 where few profiles interacted with both titles (ridge and
 * shrinkage); content similarity does not, so it dominates there.
 */
export function titleAffinity(model: RecommendationModel, from: number, to: number): number {
  const content =
    model.contentWeight * contentSimilarity(model.content, from, to) * getPopularityFactor(model, to)
  return content + collaborativeAffinity(model, from, to)
}

/** Returns the collaborative part of `titleAffinity`; 0 for titles outside the collaborative model. */
export function collaborativeAffinity(model: RecommendationModel, fromKey: number, toKey: number): number {
  const fromColumn = model.columnByKey[fromKey] ?? -1
  const toColumn = model.columnByKey[toKey] ?? -1
  if (fromColumn < 0 || toColumn < 0 || fromColumn === toColumn) return 0
  return easeWeight(model.crowd, fromColumn, toColumn) + sequenceWeight(model.crowd, fromColumn, toColumn)
}
