import { computeTitleAffinity } from './affinity.ts'
import { tuning } from './constants.ts'
import type { ProfileEvidence } from './evidence.ts'
import type { RecommendationModel } from './model.ts'
import { computeGenreScore, getPriorScore } from './score.ts'
import type { RecommendationReason, RecommendationReasonKind, SignalKind } from './types.ts'

const reasonKindBySignalKind: Readonly<Record<SignalKind, RecommendationReasonKind>> = {
  liked: 'liked',
  completed: 'watched',
  watched: 'watched',
  in_list: 'in_list',
  genre: 'genre',
  disliked: 'popular',
}

/**
 * Returns the reasons for a recommendation: the `maxReasonCount` signals that contribute most to the score, strongest
 * first, and then popularity. The share of a reason is its contribution divided by the sum of all positive
 * contributions. Reasons with a share below `tuning.minReasonShare` are left out. If no signal remains, popularity is
 * the only reason, with a share of 1.
 */
export function explainTitle(
  model: RecommendationModel,
  evidence: ProfileEvidence,
  titleKey: number,
  maxReasonCount = 6,
): RecommendationReason[] {
  const contributions: { reason: Omit<RecommendationReason, 'share'>; contribution: number }[] = []
  for (const anchor of evidence.anchors) {
    if (anchor.weight <= 0 || anchor.key === titleKey) continue
    const contribution = anchor.weight * computeTitleAffinity(model, anchor.key, titleKey)
    contributions.push({
      reason: { kind: reasonKindBySignalKind[anchor.kind], key: anchor.key, signal: anchor.signal },
      contribution,
    })
  }
  for (const { genre, signal, weight } of evidence.genres) {
    const contribution =
      evidence.priorDecayFactor *
      computeGenreScore(model, new Map([[model.content.genreIds.indexOf(genre), weight]]), titleKey)
    contributions.push({ reason: { kind: 'genre', genre, signal }, contribution })
  }
  const positiveContributions = contributions
    .filter(({ contribution }) => contribution > 0)
    .sort((a, b) => b.contribution - a.contribution)
  const popularityContribution = Math.max(0, evidence.priorDecayFactor * getPriorScore(model, titleKey))
  const totalContribution = positiveContributions.reduce(
    (sum, { contribution }) => sum + contribution,
    popularityContribution,
  )
  const reasons: RecommendationReason[] = positiveContributions
    .slice(0, maxReasonCount)
    .map(({ reason, contribution }) => ({ ...reason, share: contribution / totalContribution }))
    .filter(({ share }) => share >= tuning.minReasonShare)
  if (reasons.length === 0) return [{ kind: 'popular', share: 1 }]
  const popularityShare = popularityContribution / totalContribution
  return popularityShare < tuning.minReasonShare
    ? reasons
    : [...reasons, { kind: 'popular', share: popularityShare }]
}
