/** Genres of movies and series, with the ids of TMDB. The translation keys of the genre names are `genres:<id>`. */
export const MOVIE_GENRE_IDS = [10751, 28, 12, 53, 878, 9648, 35, 80, 14, 27, 18, 10749, 16, 36, 99] as const
export const TV_GENRE_IDS = [10759, 10765, 9648, 35, 80, 18, 10751, 10768, 37, 99, 16, 10762] as const
/** Family, Kids and Animation: the only genres that a kids profile can choose. */
export const KIDS_GENRE_IDS = [10751, 10762, 16] as const

/** English genre names for API replies. Pages translate genres by id. */
export const GENRE_NAMES_BY_ID: Readonly<Record<number, string>> = {
  10751: 'Family',
  28: 'Action',
  12: 'Adventure',
  53: 'Thriller',
  878: 'Science Fiction',
  9648: 'Mystery',
  35: 'Comedy',
  80: 'Crime',
  14: 'Fantasy',
  27: 'Horror',
  18: 'Drama',
  10749: 'Romance',
  16: 'Animation',
  36: 'History',
  99: 'Documentary',
  10759: 'Action & Adventure',
  10765: 'Sci-Fi & Fantasy',
  10768: 'War & Politics',
  37: 'Western',
  10762: 'Kids',
}

/** Returns the genre ids that a profile can choose for movies or series. */
export function listSelectableGenreIds(type: 'movie' | 'tv', isKidsProfile: boolean): readonly number[] {
  const genreIds: readonly number[] = type === 'movie' ? MOVIE_GENRE_IDS : TV_GENRE_IDS
  return isKidsProfile
    ? genreIds.filter((genreId) => (KIDS_GENRE_IDS as readonly number[]).includes(genreId))
    : genreIds
}

/**
 * Returns the type that most titles of a genre row have; `movie` for equal numbers. The link "See all" of the row opens
 * the page of this type. Some genres have only movies or only series, so the page of the other type could be empty.
 */
export function getMostFrequentType(titles: readonly { type: 'movie' | 'tv' }[]): 'movie' | 'tv' {
  const seriesCount = titles.filter(({ type }) => type === 'tv').length
  return seriesCount * 2 > titles.length ? 'tv' : 'movie'
}
