/** Prior of the Bayesian average, as in the weighting of IMDb: every title gets this many votes with this rating. */
const PRIOR_VOTE_COUNT = 25_000
const PRIOR_RATING = 6.5

/** Returns the Bayesian average of a rating from 0 to 10, the sort key of Top Rated. */
export function getWeightedRating(rating: number, voteCount: number): number {
  return (voteCount * rating + PRIOR_VOTE_COUNT * PRIOR_RATING) / (voteCount + PRIOR_VOTE_COUNT)
}

/**
 * Estimates the popularity of a title whose source provides none: the logarithm of the votes, weighted by rating and
 * recency.
 */
export function estimatePopularity(rating: number, voteCount: number, year: number | null): number {
  const ageYears = year === null ? 40 : Math.max(0, Math.min(100, 2026 - year))
  return Math.log10(1 + voteCount) * (0.6 + rating / 25) * (0.75 + 0.5 * 0.5 ** (ageYears / 12))
}
