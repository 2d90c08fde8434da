/**
 * Largest 32-bit integer. It is the largest value of an integer column of PostgreSQL, such as the column of TMDB ids.
 */
export const MAX_INT32 = 2_147_483_647
/** First and last year of release that a title can have. Other years are errors of the source. */
export const MIN_RELEASE_YEAR = 1870
export const MAX_RELEASE_YEAR = 2200
