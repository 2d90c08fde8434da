/**
 * Limits of viewings, history imports, ratings and named lists. They are not in limits.ts, because the home page loads
 * that file and does not need these limits.
 */

/** The highest season or episode number of a viewing. */
export const MAX_EPISODE_NUMBER = 100_000

/**
 * Maximum number of people whose names are listed for an import, and who can be selected for it. A history file can
 * contain the rows of several people.
 */
export const MAX_PEOPLE_PER_IMPORT = 50

/** The best rating: ten half stars. The lowest rating is 1. */
export const MAX_RATING = 10

/** Maximum numbers for named lists. */
export const NAMED_LIST_LIMITS = {
  /** Lists of a profile. */
  lists: 100,
  /** Titles of a list. */
  titles: 2_000,
  nameLength: 100,
  descriptionLength: 1_000,
  /** Titles that the row of a list on the home page shows. */
  homeTitles: 15,
} as const
