/** IMDb's genre names as the specification's ids, which differ for movies and series; the rest become keywords. */
const MOVIE: Record<string, number> = {
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
const TV: Record<string, number> = {
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

/** From a list like `Action,Sci-Fi,War`. */
export function genresOf(
  type: 'movie' | 'tv',
  names: string | null,
): { genres: number[]; keywords: string[] } {
  const genres: number[] = []
  const keywords: string[] = []
  for (const name of names?.split(',') ?? []) {
    const id = (type === 'movie' ? MOVIE : TV)[name]
    if (id === undefined) keywords.push(name.toLowerCase())
    else if (!genres.includes(id)) genres.push(id)
  }
  return { genres, keywords }
}
