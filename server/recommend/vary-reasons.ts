import { tuning } from './constants.ts'
import type { RecommendationReason, RecommendedTitle } from './types.ts'

/** Largest share of a list whose titles name the same reason first, if another reason is about as true. */
const MAX_SHARE = 0.2
/** A reason can replace a stronger one if its share of the score is at least this part of the share of the other. */
const MIN_RELATIVE_SHARE = 0.25

/** Number of reasons that a title keeps. */
const MAX_REASONS = 3

const getReasonId = ({ kind, signal }: RecommendationReason): string => signal ?? kind

/**
 * Puts another reason of a title first when too many titles above it in the list begin with the same one. Chosen genres are
 * not limited: they are what the viewer asked for. Only reasons
 * that are part of the score are used, so every title keeps true reasons with their exact shares; a title without another
 * reason of a similar share keeps its order. Keeps the first `MAX_REASONS` of each title.
 */
export function varyReasons(titles: readonly RecommendedTitle[]): RecommendedTitle[] {
  const maxCount = Math.max(1, Math.ceil(titles.length * MAX_SHARE))
  const counts = new Map<string, number>()
  return titles.map((title) => {
    const [strongest] = title.reasons
    if (!strongest) return title
    const minShare = Math.max(tuning.minReasonShare, strongest.share * MIN_RELATIVE_SHARE)
    const first =
      title.reasons.find(
        (reason) =>
          reason.share >= minShare &&
          (reason.kind === 'genre' || (counts.get(getReasonId(reason)) ?? 0) < maxCount),
      ) ?? strongest
    counts.set(getReasonId(first), (counts.get(getReasonId(first)) ?? 0) + 1)
    const reasons = [first, ...title.reasons.filter((reason) => reason !== first)].slice(0, MAX_REASONS)
    return { ...title, reasons }
  })
}
