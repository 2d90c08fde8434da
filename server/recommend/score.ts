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

/** Returns collaborative scores by column, or null when no anchor is in the collaborative model. */
export function computeCollaborativeScores(
  model: RecommendationModel,
  anchors: ProfileEvidence['anchors'],
): Float64Array | null {
  const modelAnchors = anchors.filter((anchor) => anchor.column >= 0)
  if (modelAnchors.length === 0) return null
  const scores = new Float64Array(model.crowd.keys.length)
  addEaseScores(model.crowd, modelAnchors, scores)
  addSequenceScores(model.crowd, modelAnchors, scores)
  return scores
}

/**
 * Returns a function for the expected collaborative score of a title outside the collaborative model. The function fits a
 * least-squares line through the profile's scores by popularity, and returns its value at the popularity of the title, at
 * least 0.
 */
export function fitExpectedScore(
  model: RecommendationModel,
  scores: Float64Array | null,
): (key: number) => number {
  if (!scores) return () => 0
  const getPopularity = (key: number): number =>
    Math.exp(tuning.popularityExponent * model.content.prior[key]!)
  let count = 0
  let sumX = 0
  let sumY = 0
  let sumXX = 0
  let sumXY = 0
  for (let column = 0; column < scores.length; column++) {
    const key = model.crowd.keys[column]!
    if (model.columnByKey[key] !== column) continue
    const x = getPopularity(key)
    count++
    sumX += x
    sumY += scores[column]!
    sumXX += x * x
    sumXY += x * scores[column]!
  }
  const denominator = count * sumXX - sumX * sumX
  if (count < 100 || denominator <= 0) return () => 0
  const slope = Math.max(0, (count * sumXY - sumX * sumY) / denominator)
  const intercept = (sumY - slope * sumX) / count
  return (key) => Math.max(0, intercept + slope * getPopularity(key))
}

/**
 * Runs `compute` with the content vector of the profile in scratch memory, and clears the memory afterwards. `features`
 * contains the ids of the non-zero entries.
 */
function withProfileVector<T>(
  model: RecommendationModel,
  evidence: ProfileEvidence,
  compute: (profileVector: Float64Array, features: number[]) => T,
): T {
  const { start, feats: featureList, weight, norm } = model.content
  const profileVector = model.scratch.features
  const features: number[] = []
  for (const anchor of evidence.anchors) {
    if (anchor.key >= model.content.size) continue
    const factor = model.contentWeight * anchor.weight * norm[anchor.key]!
    for (let index = start[anchor.key]!; index < start[anchor.key + 1]!; index++) {
      const featureId = featureList[index]!
      if (profileVector[featureId] === 0) features.push(featureId)
      profileVector[featureId]! += factor * weight[featureId]! ** 2
    }
  }
  try {
    return compute(profileVector, features)
  } finally {
    for (const featureId of features) profileVector[featureId] = 0
  }
}

/** Returns the titles whose content is most similar to the profile, found by the posting lists of its strongest features. */
function findNearContent(
  model: RecommendationModel,
  profileVector: Float64Array,
  features: number[],
  isAllowed: TitleFilter,
): number[] {
  const { postStart, post, norm } = model.content
  const sums = model.scratch.titles
  const touchedKeys: number[] = []
  const topFeatures = createTopK(limits.maxProfileFeatures)
  for (const featureId of features)
    if (profileVector[featureId]! > 0 && topFeatures.accepts(featureId, profileVector[featureId]!))
      topFeatures.add(featureId, profileVector[featureId]!)
  for (const { key: featureId } of topFeatures.sorted())
    for (let index = postStart[featureId]!; index < postStart[featureId + 1]!; index++) {
      const key = post[index]!
      if (sums[key] === 0) touchedKeys.push(key)
      sums[key]! += profileVector[featureId]! * norm[key]!
    }
  const topTitles = createTopK(limits.maxCandidates)
  for (const key of touchedKeys) {
    const score = sums[key]! * getPopularityFactor(model, key)
    if (topTitles.accepts(key, score) && isAllowed(key)) topTitles.add(key, score)
    sums[key] = 0
  }
  return topTitles.sorted().map(({ key }) => key)
}

/**
 * Adds popular titles of the onboarding genres, and then popular titles in general. Stops when there are `minCandidates`
 * candidates, or when `limits.maxPopularScanned` titles were examined.
 */
function addPopular(
  model: RecommendationModel,
  evidence: ProfileEvidence,
  isAllowed: TitleFilter,
  candidates: Set<number>,
  minCandidates: number,
): void {
  const { genreIds, postStart, post, order } = model.content
  for (const { genre } of evidence.genres) {
    const featureId = genreIds.indexOf(genre)
    if (featureId < 0) continue
    for (let index = postStart[featureId]!; index < postStart[featureId + 1]!; index++)
      if (isAllowed(post[index]!)) candidates.add(post[index]!)
  }
  let addedCount = 0
  for (let index = 0; index < order.length && index < limits.maxPopularScanned; index++) {
    if (addedCount >= limits.popularCandidates && candidates.size >= minCandidates) return
    if (!isAllowed(order[index]!)) continue
    candidates.add(order[index]!)
    addedCount++
  }
}

/**
 * Returns the candidates of a profile with their exact scores, best first. The candidates are limited to the best titles of
 * the collaborative model, the titles with the most similar content, and popular titles. `isAllowed` is called before a title
 * becomes a candidate.
 */
export function scoreCandidates(
  model: RecommendationModel,
  evidence: ProfileEvidence,
  isAllowed: TitleFilter,
  minCandidates: number,
): ScoredTitle[] {
  const collaborative = computeCollaborativeScores(model, evidence.anchors)
  const getExpectedScore = fitExpectedScore(model, collaborative)
  return withProfileVector(model, evidence, (profileVector, features) => {
    const keys = new Set<number>()
    if (collaborative) {
      const topTitles = createTopK(limits.maxCandidates)
      for (let column = 0; column < collaborative.length; column++) {
        const key = model.crowd.keys[column]!
        if (topTitles.accepts(key, collaborative[column]!) && isAllowed(key))
          topTitles.add(key, collaborative[column]!)
      }
      for (const { key } of topTitles.sorted()) keys.add(key)
    }
    for (const key of findNearContent(model, profileVector, features, isAllowed)) keys.add(key)
    addPopular(model, evidence, isAllowed, keys, minCandidates)
    const genreWeights = new Map(
      evidence.genres.map(({ genre, weight }) => [model.content.genreIds.indexOf(genre), weight]),
    )
    const scoredTitles: ScoredTitle[] = []
    for (const key of keys) {
      const column = model.columnByKey[key]!
      const collaborativeScore = collaborative && column >= 0 ? collaborative[column]! : getExpectedScore(key)
      const score = collaborativeScore + computeContentScore(model, profileVector, key)
      scoredTitles.push({
        key,
        score:
          score +
          evidence.priorDecay * (getPriorScore(model, key) + computeGenreScore(model, genreWeights, key)),
      })
    }
    return scoredTitles.sort((a, b) => b.score - a.score || a.key - b.key)
  })
}

function computeContentScore(model: RecommendationModel, profileVector: Float64Array, key: number): number {
  const { start, feats: featureList, norm } = model.content
  let sum = 0
  for (let index = start[key]!; index < start[key + 1]!; index++) sum += profileVector[featureList[index]!]!
  return sum * norm[key]! * getPopularityFactor(model, key)
}

/** Returns the prior score of a title: its score for a profile without signals. */
export const getPriorScore = (model: RecommendationModel, key: number): number =>
  tuning.prior * model.popularity[key]!

/** Returns the score of a title for the onboarding genres. A title with fewer genres scores higher for each of them. */
export function computeGenreScore(
  model: RecommendationModel,
  genreWeights: ReadonlyMap<number, number>,
  key: number,
): number {
  if (genreWeights.size === 0) return 0
  const { start, feats: featureList, genreIds } = model.content
  let sum = 0
  let count = 0
  for (let index = start[key]!; index < start[key + 1]! && featureList[index]! < genreIds.length; index++) {
    sum += genreWeights.get(featureList[index]!) ?? 0
    count++
  }
  return count ? (tuning.genre * sum) / Math.sqrt(count) : 0
}
