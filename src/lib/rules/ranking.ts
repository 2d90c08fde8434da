/** Prior of the Bayesian average, as at IMDb: every title gets this many additional votes with PRIOR_RATING. */
const PRIOR_VOTE_COUNT = 25_000
const PRIOR_RATING = 6.5

/** Returns the Bayesian average of a rating from 0 to 10, the sort key of Top Rated. */
export function getWeightedRating(rating: number, voteCount: number): number {
  return (voteCount * rating + PRIOR_VOTE_COUNT * PRIOR_RATING) / (voteCount + PRIOR_VOTE_COUNT)
}

interface PopularityFacts {
  /** From 0 to 10. */
  rating: number
  voteCount: number
  /** Year of release; null when not known. */
  year: number | null
}

/**
 * Estimates the popularity of a title whose source provides none: the logarithm of the votes, weighted by rating and
 * recency. The age of the title is counted from the UTC year of `nowMs`, in milliseconds since 1970. A
 * stored title keeps its popularity until an import changes it.
 */
export function estimatePopularity({ rating, voteCount, year }: PopularityFacts, nowMs: number): number {
  const currentYear = new Date(nowMs).getUTCFullYear()
  const ageYears = year === null ? 40 : Math.max(0, Math.min(100, currentYear - year))
  return Math.log10(1 + voteCount) * (0.6 + rating / 25) * (0.75 + 0.5 * 0.5 ** (ageYears / 12))
}
