import { computeCollaborativeAffinity } from './affinity.ts'
import { limits, tuning } from './constants.ts'
import { addEaseScores } from './ease.ts'
import type { RecommendationModel } from './model.ts'
import { createTitleFilter, type RecommendOptions } from './picks.ts'
import { computeFit, computeLikeness, getFranchiseBonus, isSameFranchise } from './resemblance.ts'
import { addSequenceScores } from './sequence.ts'
import { createTopK } from './top-k.ts'
import type { SimilarTitle } from './types.ts'

export interface SimilarOptions extends Omit<RecommendOptions, 'off' | 'diversity'> {
  /** Titles that the viewer has seen. They stay in the result, but come after the unseen parts of the franchise. */
  readonly seen?: ReadonlySet<number>
}

/**
 * Returns the titles most similar to a title, best first. The score is the content resemblance, plus the collaborative weight
 * if the collaborative model contains both titles. Parts of the same franchise are sorted by release. Returns an empty list
 * for an unknown key. The result depends on the viewer only through `scope`, `kids` and `seen`.
 */
export function findSimilarTitles(
  model: RecommendationModel,
  key: number,
  options: SimilarOptions,
): SimilarTitle[] {
  if (!model.content.flags[key]) return []
  const isAllowed = createTitleFilter(model, options, new Set([key]))
  const candidates = new Set([
    ...findByContent(model, key, isAllowed),
    ...findByCollaboration(model, key, isAllowed),
  ])
  const topTitles = createTopK(options.limit)
  for (const otherKey of candidates) {
    const likeness =
      tuning.similarContent * computeLikeness(model.content, key, otherKey) +
      Math.max(0, computeCollaborativeAffinity(model, key, otherKey))
    const franchiseBonus = tuning.similarContent * getFranchiseBonus(model.content, key, otherKey)
    // The fit is at most 1 and is expensive, so it is computed only for titles that could be among the best.
    if (!topTitles.accepts(otherKey, likeness + franchiseBonus)) continue
    const score = likeness * computeFit(model.content, key, otherKey) + franchiseBonus
    if (topTitles.accepts(otherKey, score)) topTitles.add(otherKey, score)
  }
  return orderFranchise(model, key, topTitles.sorted(), options.seen)
}

/** Sorts the parts of the franchise of a title by release, with the unseen parts first. */
function orderFranchise(
  { content }: RecommendationModel,
  key: number,
  titles: SimilarTitle[],
  seenIndexes: ReadonlySet<number> = new Set(),
): SimilarTitle[] {
  const franchiseTitles = titles
    .filter((title) => isSameFranchise(content, key, title.key))
    .sort(
      (a, b) =>
        Number(seenIndexes.has(a.key)) - Number(seenIndexes.has(b.key)) ||
        content.year[a.key]! - content.year[b.key]! ||
        a.key - b.key,
    )
  if (franchiseTitles.length < 2) return titles
  return titles.map((title) => (isSameFranchise(content, key, title.key) ? franchiseTitles.shift()! : title))
}

function findByContent(
  model: RecommendationModel,
  key: number,
  isAllowed: (key: number) => boolean,
): number[] {
  const {
    start: featureStarts,
    feats: featureIds,
    weight: featureWeights,
    norm: inverseNorms,
    postStart: postingStarts,
    post: postingKeys,
  } = model.content
  const scoreByKey = model.scratch.titles
  const touchedKeys: number[] = []
  for (let index = featureStarts[key]!; index < featureStarts[key + 1]!; index++) {
    const featureId = featureIds[index]!
    for (let position = postingStarts[featureId]!; position < postingStarts[featureId + 1]!; position++) {
      const otherKey = postingKeys[position]!
      if (scoreByKey[otherKey] === 0) touchedKeys.push(otherKey)
      scoreByKey[otherKey]! += featureWeights[featureId]! ** 2 * inverseNorms[otherKey]!
    }
  }
  const topTitles = createTopK(limits.maxCandidates / 2)
  for (const otherKey of touchedKeys) {
    if (topTitles.accepts(otherKey, scoreByKey[otherKey]!) && isAllowed(otherKey))
      topTitles.add(otherKey, scoreByKey[otherKey]!)
    scoreByKey[otherKey] = 0
  }
  return topTitles.sorted().map((topTitle) => topTitle.key)
}

function findByCollaboration(
  model: RecommendationModel,
  key: number,
  isAllowed: (key: number) => boolean,
): number[] {
  const column = model.columnByKey[key]!
  if (column < 0) return []
  const scores = new Float64Array(model.crowd.keys.length)
  addEaseScores(model.crowd, [{ column, weight: 1 }], scores)
  addSequenceScores(model.crowd, [{ column, weight: 1 }], scores)
  const topTitles = createTopK(limits.maxCandidates / 4)
  for (let otherColumn = 0; otherColumn < scores.length; otherColumn++) {
    const score = scores[otherColumn]!
    const otherKey = model.crowd.keys[otherColumn]!
    if (score > 0 && topTitles.accepts(otherKey, score) && isAllowed(otherKey)) topTitles.add(otherKey, score)
  }
  return topTitles.sorted().map((topTitle) => topTitle.key)
}
