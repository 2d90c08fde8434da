/** Page sizes, lengths and choices that server and site share, and further limits of the API. */

export const LIMITS = {
  /** Default page sizes of lists, and the maximum page size (`maxPageSize`). */
  list: 20,
  maxPageSize: 100,
  featured: 20,
  search: 30,
  /** Default of the endpoint. The specification states 10 and also 15, so the home page requests `topPicksOnHome`. */
  topPicks: 10,
  topPicksOnHome: 15,
  /**
   * Number of similar titles: `similarTitles` by default, `similarTitlesPerRow` on a title page and in each row of
   * `becauseRows`.
   */
  similarTitles: 10,
  similarTitlesPerRow: 15,
  /** Default number of rows, each with titles that are similar to a title that the profile liked or watched. */
  becauseRows: 2,
  /** Number of genre rows on the home page, and of titles in each of them. */
  topGenres: 5,
  titlesPerTopGenre: 15,
  /** Default page sizes: security activities and devices of an account, users and block list of the dashboard. */
  activities: 10,
  devices: 10,
  users: 20,
  blocklist: 20,
  /** Number of digits of a PIN. */
  pinLength: 4,
  /** Minimum and maximum number of characters of a password. */
  passwordMinLength: 8,
  passwordMaxLength: 256,
  /** Number of avatars that a profile can choose from. */
  avatarCount: 15,
  /** Maximum number of profiles of an account. */
  profiles: 8,
  /** Maximum length of the name of a profile. */
  profileNameGraphemes: 40,
  /** Minimum number of movie genres, and of series genres, that a user must select in onboarding. */
  genresPerType: 2,
} as const

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
