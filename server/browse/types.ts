/** Types that the browse index and its callers share. */

/** The values of a title that lists use to filter and sort. Dates are YYYY-MM-DD. */
export interface BrowseTitle {
  title_id: number
  type: 'movie' | 'tv'
  published: boolean
  blocked: boolean
  safe_for_kids: boolean
  /** Severities of the parental guide, packed by rules/maturity.ts. */
  guide_levels: number
  /** Runtime in seconds. */
  runtime: number | null
  high_quality: boolean
  /** True when the title can be played here; false when it cannot, and when its availability is unknown. */
  available: boolean
  year: number | null
  release_date: string | null
  newest_season: string | null
  language: string | null
  rated: string | null
  /** Average rating from 0 to 10. */
  rating: number
  votes: number
  score: number
  popularity: number
  sort_title: string
  genres: number[]
  networks: string[]
}

export const BROWSE_ORDERS = [
  'popularity.desc',
  'release_date.desc',
  'release_date.asc',
  'rating.desc',
  'rating.asc',
  'title.asc',
  'title.desc',
  'rating_votes.desc',
  'newest_season.desc',
] as const
export type BrowseOrder = (typeof BROWSE_ORDERS)[number]

export interface BrowseFilters {
  /** Ids of genres; `mode` decides whether a title must have any or all of them. */
  include?: number[]
  /** Ids of genres that a title must not have. */
  exclude?: number[]
  mode?: 'any' | 'all'
  years?: number[]
  startYear?: number
  startDate?: string
  /** Latest release date. Titles without a release date do not match. */
  endDate?: string
  languages?: string[]
  rated?: string[]
  rating?: number
  votes?: number
  highQuality?: boolean
  /** True: only titles that can be played here. False: only titles that cannot, or whose availability is unknown. */
  available?: boolean
  networks?: string[]
  /** True: only titles that are safe for kids. False: all titles. */
  safeForKids?: boolean
  /**
   * Highest accepted severities, packed by rules/maturity.ts. A title without a guide counts as having the highest
   * severities.
   */
  guide?: number
  /** Maximum runtime in minutes. Titles with an unknown runtime do not match. */
  maxRuntimeMinutes?: number
  /** Only in the dashboard. True: only published titles. False: only unpublished titles. */
  published?: boolean
}

/** The limits and title rules of one profile, as in `AudienceRule` of queries/title-scope.ts. */
export interface BrowseAudienceRule {
  readonly kids: boolean
  readonly maxAge: number | null
  readonly guideLimits: number
  readonly acceptsUnknownGuide: boolean
  readonly allowedIds: readonly number[]
  readonly deniedIds: readonly number[]
}

/** What the acting profile or group may see. A title is visible when every rule allows it. */
export interface BrowseAudience {
  readonly rules: readonly BrowseAudienceRule[]
  /** Cache key of the audience. */
  readonly key: string
  readonly isKidsRuleOnly: boolean
}

export interface BrowseRequest {
  /** Null also includes unpublished and blocked titles. Use null only for the title lists of the dashboard. */
  audience: BrowseAudience | null
  filters: BrowseFilters
  /** Ids of titles to exclude, for example titles that a profile has seen. */
  excludedIds?: ReadonlySet<number>
  /** Ids of titles to which the result is restricted. */
  includedIds?: ReadonlySet<number>
  order: BrowseOrder
  /** Language of the names by which orders by title sort; `original` for original titles. Absent for English. */
  titleLanguage?: string | undefined
  offset: number
  limit: number
}

export interface BrowseResult {
  /** Title ids of the page, in order. */
  ids: number[]
  /** Number of all matching titles. */
  total: number
}
