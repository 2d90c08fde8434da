/** Largest 32-bit integer: the largest value of an integer column of PostgreSQL, for example of a TMDB id. */
export const MAX_INT32 = 2_147_483_647
/** First and last year of release that a title can have. Other years are errors of the source. */
export const MIN_RELEASE_YEAR = 1870
export const MAX_RELEASE_YEAR = 2200
