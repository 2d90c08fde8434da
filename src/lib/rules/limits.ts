/** Page sizes, lengths and choices that server and site share, and further limits of the API. */

export const LIMITS = {
  /** Default page sizes of lists, and the maximum page size (`maxPageSize`). */
  list: 20,
  maxPageSize: 100,
  featured: 20,
  search: 30,
  topPicksOnHome: 15,
  /**
   * Number of similar titles: `similarTitles` by default, `similarTitlesPerRow` on a title page and in each row of
   * `DEFAULT_PAGE_SIZES.becauseRows`.
   */
  similarTitles: 10,
  similarTitlesPerRow: 15,
  /** Number of titles in each genre row of the home page. */
  titlesPerTopGenre: 15,
} as const

/** Default page sizes that only the API uses, so that pages do not contain them. */
export const DEFAULT_PAGE_SIZES = {
  /** The specification states 10 and also 15, so the home page requests `LIMITS.topPicksOnHome`. */
  topPicks: 10,
  /** Rows with titles that are similar to a title that the profile liked or watched. */
  becauseRows: 2,
  /** Genre rows of the home page. */
  topGenres: 5,
  /** Security activities and devices of an account. */
  activities: 10,
  devices: 10,
  /** Users and block list of the dashboard. */
  users: 20,
  blocklist: 20,
} as const

/** Number of digits of a PIN. */
export const PIN_LENGTH = 4
/** Minimum and maximum number of characters of a password. */
export const PASSWORD_MIN_LENGTH = 8
export const PASSWORD_MAX_LENGTH = 256
/** Number of avatars that a profile can choose from. */
export const AVATAR_COUNT = 15
/** Maximum number of profiles of an account. */
export const MAX_PROFILES = 8
/** Maximum length of the name of a profile. */
export const MAX_PROFILE_NAME_GRAPHEMES = 40
/** Minimum number of movie genres, and of series genres, that a user must select in onboarding. */
export const MIN_GENRES_PER_TYPE = 2

export const MEDIA_QUALITIES = ['auto', '2160p', '1080p', '720p'] as const

export const TV_STATUSES = [
  'Returning Series',
  'Ended',
  'Canceled',
  'Planned',
  'In Production',
  'Pilot',
] as const
export const WATCH_STATES = ['planned', 'watching', 'completed'] as const

/** Text sizes that a profile can choose, in percent of the default size. */
export const TEXT_SIZES_PERCENT = [100, 115, 130, 150] as const

/** Stored name of a device that sends no usable user agent. Pages translate this name. */
export const UNKNOWN_DEVICE_NAME = 'Unknown device'
