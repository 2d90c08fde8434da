import { tuning } from './constants.ts'
import type { RecommendationReason, RecommendedTitle } from './types.ts'

/**
 * Maximum share of the titles in a list that have the same first reason, rounded up to whole titles. It does not apply
 * to onboarding genres, and it is exceeded when a title has no other strong reason (see `MIN_RELATIVE_SHARE`).
 */
const MAX_TITLE_SHARE_PER_REASON = 0.2
/** A reason can replace a stronger reason if its share of the score is at least this fraction of the stronger share. */
const MIN_RELATIVE_SHARE = 0.25

/** Maximum number of reasons that a title keeps. */
const MAX_REASONS = 3

const getReasonId = ({ kind, signal }: RecommendationReason): string => signal ?? kind

/**
 * Puts another reason of a title first when too many titles above it in the list have the same first reason. Reasons
 * that are onboarding genres are not limited, because the viewer chose them. The field `share` of a reason, its part of
 * the score, is not changed. If every other reason has too small a part of the score (`MIN_RELATIVE_SHARE`), the order
 * of the reasons stays. Each title keeps its first `MAX_REASONS` reasons.
 */
export function varyReasons(titles: readonly RecommendedTitle[]): RecommendedTitle[] {
  const maxTitlesPerReason = Math.max(1, Math.ceil(titles.length * MAX_TITLE_SHARE_PER_REASON))
  const countByReasonId = new Map<string, number>()
  return titles.map((title) => {
    const [strongestReason] = title.reasons
    if (!strongestReason) return title
    const minShare = Math.max(tuning.minReasonShare, strongestReason.share * MIN_RELATIVE_SHARE)
    const firstReason =
      title.reasons.find(
        (reason) =>
          reason.share >= minShare &&
          (reason.kind === 'genre' || (countByReasonId.get(getReasonId(reason)) ?? 0) < maxTitlesPerReason),
      ) ?? strongestReason
    countByReasonId.set(getReasonId(firstReason), (countByReasonId.get(getReasonId(firstReason)) ?? 0) + 1)
    const reasons = [firstReason, ...title.reasons.filter((reason) => reason !== firstReason)].slice(
      0,
      MAX_REASONS,
    )
    return { ...title, reasons }
  })
}
