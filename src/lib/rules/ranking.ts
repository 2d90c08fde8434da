/** Votes that a rating must outweigh before it counts in full, and the mean it starts from (IMDb's own weighting). */
const PRIOR_VOTES = 25_000
const PRIOR_RATING = 6.5

/** What Top Rated sorts by: the Bayesian mean of rating (0..10) and votes. */
export function weightedScore(rating: number, votes: number): number {
  return (votes * rating + PRIOR_VOTES * PRIOR_RATING) / (votes + PRIOR_VOTES)
}

/** Popularity where a source gives none: votes on a log scale, liked titles and recent years a little ahead. */
export function popularityOf(rating: number, votes: number, year: number | null): number {
  const age = year === null ? 40 : Math.max(0, Math.min(100, 2026 - year))
  return Math.log10(1 + votes) * (0.6 + rating / 25) * (0.75 + 0.5 * 0.5 ** (age / 12))
}
