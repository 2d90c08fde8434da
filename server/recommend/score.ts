import { limits, tuning } from './constants.ts'
import { addEaseScores } from './ease.ts'
import type { ProfileEvidence } from './evidence.ts'
import { getPopularityFactor, type RecommendationModel } from './model.ts'
import { addSequenceScores } from './sequence.ts'
import { createTopK } from './top-k.ts'
import type { TitleFilter } from './types.ts'

export interface ScoredTitle {
  readonly key: number
  readonly score: number
}

/**
 * Returns the score of each title of the collaborative model, by the column of the title in the model. Returns null
 * when no anchor is in the model.
 */
export function computeCollaborativeScores(
  model: RecommendationModel,
  anchors: ProfileEvidence['anchors'],
): Float64Array | null {
  const modelAnchors = anchors.filter((anchor) => anchor.column >= 0)
  if (modelAnchors.length === 0) return null
  const scores = new Float64Array(model.collaborative.keys.length)
  addEaseScores(model.collaborative, modelAnchors, scores)
  addSequenceScores(model.collaborative, modelAnchors, scores)
  return scores
}

/**
 * Returns a function that estimates the collaborative score of a title outside the collaborative model, from the
 * popularity of the title. The estimate is the value of a least-squares line through the scores of the titles in that
 * model, or 0 when the value is negative. With fewer than 100 titles in the collaborative model, or without `scores`,
 * the estimate is always 0.
 */
export function fitExpectedScore(
  model: RecommendationModel,
  scores: Float64Array | null,
): (titleKey: number) => number {
  if (!scores) return () => 0
  const getPopularity = (titleKey: number): number =>
    Math.exp(tuning.popularityExponent * model.content.prior[titleKey]!)
  let titleCount = 0
  let sumX = 0
  let sumY = 0
  let sumXX = 0
  let sumXY = 0
  for (let column = 0; column < scores.length; column++) {
    const titleKey = model.collaborative.keys[column]!
    if (model.columnByKey[titleKey] !== column) continue
    const popularity = getPopularity(titleKey)
    titleCount++
    sumX += popularity
    sumY += scores[column]!
    sumXX += popularity * popularity
    sumXY += popularity * scores[column]!
  }
  const denominator = titleCount * sumXX - sumX * sumX
  if (titleCount < 100 || denominator <= 0) return () => 0
  const slope = Math.max(0, (titleCount * sumXY - sumX * sumY) / denominator)
  const intercept = (sumY - slope * sumX) / titleCount
  return (titleKey) => Math.max(0, intercept + slope * getPopularity(titleKey))
}

/**
 * Builds the content vector of the profile in `model.scratch.featureValues`, passes the vector to `computeWithVector`,
 * and then resets the vector to zero. `nonZeroFeatureIds` contains the ids of the features with a non-zero value.
 */
function withProfileVector<T>(
  model: RecommendationModel,
  evidence: ProfileEvidence,
  computeWithVector: (profileVector: Float64Array, nonZeroFeatureIds: number[]) => T,
): T {
  const { featureStarts, featureIds, featureWeights, inverseNorms } = model.content
  const profileVector = model.scratch.featureValues
  const nonZeroFeatureIds: number[] = []
  for (const anchor of evidence.anchors) {
    if (anchor.key >= model.content.size) continue
    const anchorFactor = model.contentWeight * anchor.weight * inverseNorms[anchor.key]!
    for (let index = featureStarts[anchor.key]!; index < featureStarts[anchor.key + 1]!; index++) {
      const featureId = featureIds[index]!
      if (profileVector[featureId] === 0) nonZeroFeatureIds.push(featureId)
      profileVector[featureId]! += anchorFactor * featureWeights[featureId]! ** 2
    }
  }
  try {
    return computeWithVector(profileVector, nonZeroFeatureIds)
  } finally {
    for (const featureId of nonZeroFeatureIds) profileVector[featureId] = 0
  }
}

/**
 * Returns the keys of the titles whose content is most similar to the content vector of the profile. Reads only the
 * posting lists of the `limits.maxProfileFeatures` strongest features of the profile.
 */
function findContentNeighbours(
  model: RecommendationModel,
  profileVector: Float64Array,
  nonZeroFeatureIds: number[],
  isAllowed: TitleFilter,
): number[] {
  const { postingStarts, postingKeys, inverseNorms } = model.content
  const scoreByKey = model.scratch.titleScores
  const scoredTitleKeys: number[] = []
  const topFeatures = createTopK(limits.maxProfileFeatures)
  for (const featureId of nonZeroFeatureIds)
    if (profileVector[featureId]! > 0 && topFeatures.accepts(featureId, profileVector[featureId]!))
      topFeatures.add(featureId, profileVector[featureId]!)
  for (const { key: featureId } of topFeatures.toSorted())
    for (let index = postingStarts[featureId]!; index < postingStarts[featureId + 1]!; index++) {
      const titleKey = postingKeys[index]!
      if (scoreByKey[titleKey] === 0) scoredTitleKeys.push(titleKey)
      scoreByKey[titleKey]! += profileVector[featureId]! * inverseNorms[titleKey]!
    }
  const topTitles = createTopK(limits.maxCandidates)
  for (const titleKey of scoredTitleKeys) {
    const score = scoreByKey[titleKey]! * getPopularityFactor(model, titleKey)
    if (topTitles.accepts(titleKey, score) && isAllowed(titleKey)) topTitles.add(titleKey, score)
    scoreByKey[titleKey] = 0
  }
  return topTitles.toSorted().map(({ key: titleKey }) => titleKey)
}

/**
 * Adds popular titles of the onboarding genres, and then popular titles of all genres, to `candidates`. Stops when
 * `limits.popularCandidateCount` titles of all genres were added and there are at least `minCandidates` candidates.
 * Stops in any case when `limits.maxScannedPopularTitles` titles were examined.
 */
function addPopularTitles(
  candidates: Set<number>,
  model: RecommendationModel,
  evidence: ProfileEvidence,
  { isAllowed, minCandidates }: { isAllowed: TitleFilter; minCandidates: number },
): void {
  const { genreIds, postingStarts, postingKeys, keysByPrior } = model.content
  for (const { genre } of evidence.genres) {
    const featureId = genreIds.indexOf(genre)
    if (featureId < 0) continue
    for (let index = postingStarts[featureId]!; index < postingStarts[featureId + 1]!; index++)
      if (isAllowed(postingKeys[index]!)) candidates.add(postingKeys[index]!)
  }
  let addedCount = 0
  for (let index = 0; index < keysByPrior.length && index < limits.maxScannedPopularTitles; index++) {
    if (addedCount >= limits.popularCandidateCount && candidates.size >= minCandidates) return
    if (!isAllowed(keysByPrior[index]!)) continue
    candidates.add(keysByPrior[index]!)
    addedCount++
  }
}

/**
 * Returns the candidates of a profile with their exact scores, best first. The candidates are limited to the best
 * titles of the collaborative model, the titles with the most similar content, and popular titles. A title that
 * `isAllowed` rejects does not become a candidate.
 */
export function scoreCandidates(
  model: RecommendationModel,
  evidence: ProfileEvidence,
  isAllowed: TitleFilter,
  minCandidates: number,
): ScoredTitle[] {
  const collaborativeScores = computeCollaborativeScores(model, evidence.anchors)
  const getExpectedScore = fitExpectedScore(model, collaborativeScores)
  return withProfileVector(model, evidence, (profileVector, nonZeroFeatureIds) => {
    const candidateKeys = new Set<number>()
    if (collaborativeScores) {
      const topTitles = createTopK(limits.maxCandidates)
      for (let column = 0; column < collaborativeScores.length; column++) {
        const titleKey = model.collaborative.keys[column]!
        if (topTitles.accepts(titleKey, collaborativeScores[column]!) && isAllowed(titleKey))
          topTitles.add(titleKey, collaborativeScores[column]!)
      }
      for (const { key: titleKey } of topTitles.toSorted()) candidateKeys.add(titleKey)
    }
    for (const titleKey of findContentNeighbours(model, profileVector, nonZeroFeatureIds, isAllowed))
      candidateKeys.add(titleKey)
    addPopularTitles(candidateKeys, model, evidence, { isAllowed, minCandidates })
    const weightByGenreIndex = new Map(
      evidence.genres.map(({ genre, weight }) => [model.content.genreIds.indexOf(genre), weight]),
    )
    const scoredTitles: ScoredTitle[] = []
    for (const titleKey of candidateKeys) {
      const column = model.columnByKey[titleKey]!
      const collaborativeScore =
        collaborativeScores && column >= 0 ? collaborativeScores[column]! : getExpectedScore(titleKey)
      const score = collaborativeScore + computeContentScore(model, profileVector, titleKey)
      scoredTitles.push({
        key: titleKey,
        score:
          score +
          evidence.priorDecayFactor *
            (getPriorScore(model, titleKey) + computeGenreScore(model, weightByGenreIndex, titleKey)),
      })
    }
    return scoredTitles.sort((a, b) => b.score - a.score || a.key - b.key)
  })
}

function computeContentScore(
  model: RecommendationModel,
  profileVector: Float64Array,
  titleKey: number,
): number {
  const { featureStarts, featureIds, inverseNorms } = model.content
  let dotProduct = 0
  for (let index = featureStarts[titleKey]!; index < featureStarts[titleKey + 1]!; index++)
    dotProduct += profileVector[featureIds[index]!]!
  return dotProduct * inverseNorms[titleKey]! * getPopularityFactor(model, titleKey)
}

/** Returns the prior score of a title: its score for a profile without signals. */
export const getPriorScore = (model: RecommendationModel, titleKey: number): number =>
  tuning.priorWeight * model.popularity[titleKey]!

/**
 * Returns the score of a title for the onboarding genres: `tuning.onboardingGenreWeight` times the sum of the weights
 * of its genres, divided by the square root of the number of its genres. `genreWeights` has the weights by index in
 * `content.genreIds`.
 */
export function computeGenreScore(
  model: RecommendationModel,
  genreWeights: ReadonlyMap<number, number>,
  titleKey: number,
): number {
  if (genreWeights.size === 0) return 0
  const { featureStarts, featureIds, genreIds } = model.content
  let weightSum = 0
  let genreCount = 0
  for (
    let index = featureStarts[titleKey]!;
    index < featureStarts[titleKey + 1]! && featureIds[index]! < genreIds.length;
    index++
  ) {
    weightSum += genreWeights.get(featureIds[index]!) ?? 0
    genreCount++
  }
  return genreCount ? (tuning.onboardingGenreWeight * weightSum) / Math.sqrt(genreCount) : 0
}
