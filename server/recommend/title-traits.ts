/** Traits that determine the audience and the mood of a title: genres, age rating, parental guide and language. */
import type { TrainingTitle } from './types.ts'

/**
 * Genres that have a bit in `ContentModel.genres`: the movie genres, and the TV genres Reality, Soap, Talk and News.
 * The other TV genres are converted to movie genres (`movieGenresOfTvGenres`).
 */
const genresByBit = [
  28, 12, 16, 35, 80, 99, 18, 10751, 14, 36, 27, 10402, 9648, 10749, 878, 53, 10752, 37, 10764, 10766, 10767,
  10763, 10770,
]
export const GENRE_BIT_COUNT = genresByBit.length
/**
 * The movie genres of each TV genre. The TV genres are, in this order, Kids, Action & Adventure, Sci-Fi & Fantasy, and
 * War & Politics.
 */
const movieGenresOfTvGenres: readonly (readonly [number, readonly number[]])[] = [
  [10762, [10751]],
  [10759, [28, 12]],
  [10765, [878, 14]],
  [10768, [10752]],
]
const bitsByGenre = new Map(genresByBit.map((genre, bit) => [genre, 1 << bit]))
for (const [genre, movieGenres] of movieGenresOfTvGenres)
  bitsByGenre.set(
    genre,
    movieGenres.reduce((bits, movieGenre) => bits | (bitsByGenre.get(movieGenre) ?? 0), 0),
  )

/** Returns the bits of genre ids. Unknown genres have no bit. */
export function packGenres(genres: readonly number[]): number {
  let bits = 0
  for (const genre of genres) bits |= bitsByGenre.get(genre) ?? 0
  return bits
}

export const genreBits = {
  animation: packGenres([16]),
  documentary: packGenres([99]),
  family: packGenres([10751]),
  comedy: packGenres([35]),
  drama: packGenres([18]),
  romance: packGenres([10749]),
  horror: packGenres([27]),
  /** Action, Adventure, Science Fiction, Fantasy, Western, War. */
  action: packGenres([28, 12, 878, 14, 37, 10752]),
  /** Crime genres: Crime, Thriller, Mystery. */
  crime: packGenres([80, 53, 9648]),
  /** Genres of suspense: Thriller, Mystery. */
  suspense: packGenres([53, 9648]),
  /** Genres of history: History, War. */
  history: packGenres([36, 10752]),
} as const

export const UNKNOWN_AGE = 31
const GUIDE_BIT_COUNT = 15
const AGE_BIT_COUNT = 5
const LANGUAGE_BIT_COUNT = 10
/** Number of possible language codes (`getLanguageCode`). 0 is an unknown language. */
export const LANGUAGE_CODE_COUNT = 1 << LANGUAGE_BIT_COUNT

/** Returns the language code of a title (`getLanguageCode`) for an ISO 639-1 code, which has two letters. */
export const encodeLanguage = (language: string): number =>
  (language.charCodeAt(0) & 31) * 32 + (language.charCodeAt(1) & 31)

/**
 * Packs the traits of a title other than genres: parental guide, age in years, language, and whether it is safe for
 * kids.
 */
export function packTraits(title: Pick<TrainingTitle, 'guide' | 'age' | 'language' | 'kids'>): number {
  const ageYears = title.age ?? UNKNOWN_AGE
  const language = title.language ? encodeLanguage(title.language) : 0
  return (
    (((title.guide ?? 0) & ((1 << GUIDE_BIT_COUNT) - 1)) |
      (Math.min(ageYears, UNKNOWN_AGE) << GUIDE_BIT_COUNT) |
      (language << (GUIDE_BIT_COUNT + AGE_BIT_COUNT)) |
      (title.kids ? 1 << (GUIDE_BIT_COUNT + AGE_BIT_COUNT + LANGUAGE_BIT_COUNT) : 0)) >>>
    0
  )
}

/** Returns the severity of a category of the parental guide, from 1 (none) to 4 (severe); 0 when it is unknown. */
export const getGuideLevel = (traits: number, category: number): number => (traits >>> (3 * category)) & 7

/** Returns the minimum age in years of the audience of a title, or `UNKNOWN_AGE`. */
export const getMinAgeYears = (traits: number): number => (traits >>> GUIDE_BIT_COUNT) & UNKNOWN_AGE

export const getLanguageCode = (traits: number): number =>
  (traits >>> (GUIDE_BIT_COUNT + AGE_BIT_COUNT)) & (LANGUAGE_CODE_COUNT - 1)

export const isKidsTitle = (traits: number): boolean =>
  ((traits >>> (GUIDE_BIT_COUNT + AGE_BIT_COUNT + LANGUAGE_BIT_COUNT)) & 1) === 1
