/** Genres of the specification, section 3; the ids are TMDB's. Names are translated by `genres.<id>`. */
export const MOVIE_GENRES = [10751, 28, 12, 53, 878, 9648, 35, 80, 14, 27, 18, 10749, 16, 36, 99] as const
export const TV_GENRES = [10759, 10765, 9648, 35, 80, 18, 10751, 10768, 37, 99, 16, 10762] as const
/** Family, Kids, Animation: the only genres a kids profile is offered. */
export const KIDS_GENRES = [10751, 10762, 16] as const

/** English names, for the API's `genres: [{id, name}]`; pages translate by id. */
export const GENRE_NAMES: Readonly<Record<number, string>> = {
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

export function genresOf(type: 'movie' | 'tv', kids: boolean): readonly number[] {
  const all: readonly number[] = type === 'movie' ? MOVIE_GENRES : TV_GENRES
  return kids ? all.filter((id) => (KIDS_GENRES as readonly number[]).includes(id)) : all
}
