/** Maps IMDb genre names to the genre ids of the specification, which differ for movies and series. */

const MOVIE_GENRE_IDS_BY_IMDB_NAME: Record<string, number> = {
  Action: 28,
  Adventure: 12,
  Animation: 16,
  Comedy: 35,
  Crime: 80,
  Documentary: 99,
  Drama: 18,
  Family: 10751,
  Fantasy: 14,
  History: 36,
  Horror: 27,
  Mystery: 9648,
  Romance: 10749,
  'Sci-Fi': 878,
  Thriller: 53,
}
const TV_GENRE_IDS_BY_IMDB_NAME: Record<string, number> = {
  Action: 10759,
  Adventure: 10759,
  Animation: 16,
  Comedy: 35,
  Crime: 80,
  Documentary: 99,
  Drama: 18,
  Family: 10751,
  Fantasy: 10765,
  Mystery: 9648,
  'Sci-Fi': 10765,
  War: 10768,
  Western: 37,
}

/**
 * Maps a comma-separated list such as `Action,Sci-Fi,War`. Genres that the specification does not have are returned as
 * keywords.
 */
export function mapImdbGenres(
  type: 'movie' | 'tv',
  genreNames: string | null,
): { genres: number[]; keywords: string[] } {
  const genres: number[] = []
  const keywords: string[] = []
  for (const genreName of genreNames?.split(',') ?? []) {
    const genreId = (type === 'movie' ? MOVIE_GENRE_IDS_BY_IMDB_NAME : TV_GENRE_IDS_BY_IMDB_NAME)[genreName]
    if (genreId === undefined) keywords.push(genreName.toLowerCase())
    else if (!genres.includes(genreId)) genres.push(genreId)
  }
  return { genres, keywords }
}
