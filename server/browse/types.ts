/** The shapes that cross the border of the browse index: every list of titles is answered from it. */

/** What lists filter and sort by. Dates are YYYY-MM-DD. */
export interface BrowseTitle {
  title_id: number
  type: 'movie' | 'tv'
  published: boolean
  blocked: boolean
  safe: boolean
  high_quality: boolean
  year: number | null
  release_date: string | null
  newest_season: string | null
  language: string | null
  rated: string | null
  /** 0 to 10. */
  rating: number
  votes: number
  score: number
  popularity: number
  sort_title: string
  genres: number[]
  networks: string[]
}

export const ORDERS = [
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
export type Order = (typeof ORDERS)[number]

export interface BrowseFilters {
  include?: number[]
  exclude?: number[]
  /** Whether a title has to be of one of `include` or of all of them. */
  mode?: 'any' | 'all'
  years?: number[]
  startYear?: number
  startDate?: string
  languages?: string[]
  rated?: string[]
  rating?: number
  votes?: number
  highQuality?: boolean
  networks?: string[]
  /** Only what is safe for kids. */
  safe?: boolean
  /** For administrators' lists: published or not. */
  published?: boolean
}

export interface BrowseRequest {
  /** Null reads everything, for an administrator's list. */
  audience: { kids: boolean } | null
  filters: BrowseFilters
  /** Titles to leave out: what a profile has seen. */
  without?: ReadonlySet<number>
  /** Nothing but these. */
  only?: ReadonlySet<number>
  order: Order
  offset: number
  limit: number
}

export interface BrowseAnswer {
  /** Title ids of the page, in order. */
  ids: number[]
  /** All that match. */
  total: number
}
