import { computeCollaborativeAffinity } from './affinity.ts'
import { limits, tuning } from './constants.ts'
import { addEaseScores } from './ease.ts'
import type { RecommendationModel } from './model.ts'
import { createTitleFilter, type RecommendOptions } from './picks.ts'
import {
  computeBaseSimilarity,
  computeDifferenceFactor,
  getFranchiseBonus,
  isSameFranchise,
} from './resemblance.ts'
import { addSequenceScores } from './sequence.ts'
import { createTopK } from './top-k.ts'
import type { SimilarTitle } from './types.ts'

export interface SimilarOptions extends Omit<RecommendOptions, 'diversity'> {
  /**
   * Titles that the viewer has seen. Seen parts of the franchise come after its unseen parts. Other titles keep their
   * positions.
   */
  readonly seenTitleKeys?: ReadonlySet<number>
}

/**
 * Returns the titles most similar to a title, best first. The score is (w * base similarity + collaborative affinity) *
 * difference factor + w * franchise bonus (resemblance.ts), where w is `tuning.similarityWeight`. The collaborative
 * affinity counts as 0 if it is negative, or if the collaborative model does not contain both titles. After the
 * ranking, the parts of the same franchise are sorted by release year, unseen parts first. Returns an empty list for an
 * unknown key. The result depends on the viewer only through `scope`, `kids` and `seenTitleKeys`.
 */
export function findSimilarTitles(
  model: RecommendationModel,
  titleKey: number,
  options: SimilarOptions,
): SimilarTitle[] {
  if (!model.content.flags[titleKey]) return []
  const isAllowed = createTitleFilter(model, options, new Set([titleKey]))
  const candidates = new Set([
    ...findCandidatesByContent(model, titleKey, isAllowed),
    ...findCandidatesByCollaboration(model, titleKey, isAllowed),
  ])
  const topTitles = createTopK(options.limit)
  for (const otherKey of candidates) {
    const scoreBeforePenalties =
      tuning.similarityWeight * computeBaseSimilarity(model.content, titleKey, otherKey) +
      Math.max(0, computeCollaborativeAffinity(model, titleKey, otherKey))
    const franchiseBonus = tuning.similarityWeight * getFranchiseBonus(model.content, titleKey, otherKey)
    // The difference factor is at most 1 and is expensive, so it is computed only for titles that could be among the
    // best.
    if (!topTitles.accepts(otherKey, scoreBeforePenalties + franchiseBonus)) continue
    const score =
      scoreBeforePenalties * computeDifferenceFactor(model.content, titleKey, otherKey) + franchiseBonus
    if (topTitles.accepts(otherKey, score)) topTitles.add(otherKey, score)
  }
  return sortFranchiseParts(model, titleKey, topTitles.toSorted(), options.seenTitleKeys)
}

/**
 * Sorts the parts of the franchise of a title by release year, with the unseen parts first. Other titles keep their
 * positions.
 */
function sortFranchiseParts(
  { content }: RecommendationModel,
  titleKey: number,
  titles: SimilarTitle[],
  seenTitleKeys: ReadonlySet<number> = new Set(),
): SimilarTitle[] {
  const franchiseTitles = titles
    .filter((title) => isSameFranchise(content, titleKey, title.key))
    .sort(
      (a, b) =>
        Number(seenTitleKeys.has(a.key)) - Number(seenTitleKeys.has(b.key)) ||
        content.year[a.key]! - content.year[b.key]! ||
        a.key - b.key,
    )
  if (franchiseTitles.length < 2) return titles
  return titles.map((title) =>
    isSameFranchise(content, titleKey, title.key) ? franchiseTitles.shift()! : title,
  )
}

function findCandidatesByContent(
  model: RecommendationModel,
  titleKey: number,
  isAllowed: (key: number) => boolean,
): number[] {
  const { featureStarts, featureIds, featureWeights, inverseNorms, postingStarts, postingKeys } =
    model.content
  const scoreByKey = model.scratch.titleScores
  const scoredTitleKeys: number[] = []
  for (let index = featureStarts[titleKey]!; index < featureStarts[titleKey + 1]!; index++) {
    const featureId = featureIds[index]!
    for (
      let postingIndex = postingStarts[featureId]!;
      postingIndex < postingStarts[featureId + 1]!;
      postingIndex++
    ) {
      const otherKey = postingKeys[postingIndex]!
      if (scoreByKey[otherKey] === 0) scoredTitleKeys.push(otherKey)
      scoreByKey[otherKey]! += featureWeights[featureId]! ** 2 * inverseNorms[otherKey]!
    }
  }
  const topTitles = createTopK(limits.maxCandidates / 2)
  for (const otherKey of scoredTitleKeys) {
    if (topTitles.accepts(otherKey, scoreByKey[otherKey]!) && isAllowed(otherKey))
      topTitles.add(otherKey, scoreByKey[otherKey]!)
    scoreByKey[otherKey] = 0
  }
  return topTitles.toSorted().map((topTitle) => topTitle.key)
}

function findCandidatesByCollaboration(
  model: RecommendationModel,
  titleKey: number,
  isAllowed: (key: number) => boolean,
): number[] {
  const column = model.columnByKey[titleKey]!
  if (column < 0) return []
  const scores = new Float64Array(model.collaborative.keys.length)
  addEaseScores(model.collaborative, [{ column, weight: 1 }], scores)
  addSequenceScores(model.collaborative, [{ column, weight: 1 }], scores)
  const topTitles = createTopK(limits.maxCandidates / 4)
  for (let otherColumn = 0; otherColumn < scores.length; otherColumn++) {
    const score = scores[otherColumn]!
    const otherKey = model.collaborative.keys[otherColumn]!
    if (score > 0 && topTitles.accepts(otherKey, score) && isAllowed(otherKey)) topTitles.add(otherKey, score)
  }
  return topTitles.toSorted().map((topTitle) => topTitle.key)
}
