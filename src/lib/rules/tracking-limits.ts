/** Limits of viewings, ratings and named lists. They are separate from limits.ts, so that the home page does not load them. */

/** The highest season or episode number of a viewing. */
export const MAX_EPISODE_NUMBER = 100_000

/** The best rating: ten half stars. The lowest rating is 1. */
export const MAX_RATING = 10

export const LIST_LIMITS = {
  lists: 100,
  titles: 2_000,
  nameLength: 100,
  descriptionLength: 1_000,
  homeTitles: 15,
} as const
