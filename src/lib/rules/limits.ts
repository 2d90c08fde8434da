/** Page sizes, lengths and choices that server and site share, and further limits of the API. */

export const LIMITS = {
  list: 20,
  listMax: 100,
  featured: 20,
  trending: 20,
  search: 30,
  /** Default of the endpoint. The specification states 10 and also 15, so the home page requests `topPicksHome`. */
  topPicks: 10,
  topPicksHome: 15,
  similar: 10,
  similarDetail: 15,
  becauseRows: 2,
  topGenres: 5,
  topGenresResults: 15,
  activities: 10,
  devices: 10,
  users: 20,
  blocklist: 20,
  pinLength: 4,
  passwordMin: 8,
  passwordMax: 256,
  avatars: 15,
  profiles: 8,
  profileNameGraphemes: 40,
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
export const TEXT_SIZES = [100, 115, 130, 150] as const

/** Stored name of a device that sends no usable user agent. Pages translate this name. */
export const UNKNOWN_DEVICE_NAME = 'Unknown device'
