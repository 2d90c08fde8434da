import { join } from 'node:path'
import type { ProfileSignal, TrainingInteraction, TrainingTitle } from '../../server/recommend/types.ts'
import { readCsvRows, readMovies, readOverviewTokens, toTrainingTitle } from './data.ts'

export interface MovieLensRating {
  readonly user: number
  readonly titleKey: number
  readonly rating: number
  /** Unix time in seconds, as in the MovieLens files. */
  readonly atSeconds: number
}

export interface RatingDataset {
  readonly titles: readonly TrainingTitle[]
  /** The ratings of each user, oldest first; ties keep the order of the file. */
  readonly ratingsByUser: readonly (readonly MovieLensRating[])[]
}

const GENRE_IDS_BY_MOVIELENS_NAME: Readonly<Record<string, number>> = {
  Action: 28,
  Adventure: 12,
  Animation: 16,
  Children: 10751,
  Comedy: 35,
  Crime: 80,
  Documentary: 99,
  Drama: 18,
  Fantasy: 14,
  'Film-Noir': 80,
  Horror: 27,
  Musical: 10402,
  Mystery: 9648,
  Romance: 10749,
  'Sci-Fi': 878,
  Thriller: 53,
  War: 10752,
  Western: 37,
}

/**
 * Reads a folder in the format of ml_latest_small (ratings, movies, links; .csv.gz) and joins it with the catalogue by
 * TMDB or IMDb id. Movies missing from the catalogue keep the genres of MovieLens. Every movie keeps the year that its
 * name in MovieLens contains.
 */
export function readRatingDataset(folder: string): RatingDataset {
  const getPath = (name: string): string =>
    folder.startsWith('/') ? join(folder, name) : `${folder}/${name}`
  const catalogueMovies = readMovies()
  const moviesByTmdbId = new Map(catalogueMovies.map((movie) => [movie.id, movie]))
  const moviesByImdbId = new Map(
    catalogueMovies.flatMap((movie) => (movie.imdb_id ? [[movie.imdb_id, movie] as const] : [])),
  )
  const overviewTokens = readOverviewTokens()
  const linksByMovieId = new Map(readCsvRows(getPath('links.csv.gz')).map((row) => [row[0]!, row]))
  const titleKeyByMovieId = new Map<string, number>()
  const titles = readCsvRows(getPath('movies.csv.gz')).map(([movieId, movieName, genres], key) => {
    titleKeyByMovieId.set(movieId!, key)
    const movieLink = linksByMovieId.get(movieId!)
    const movie = moviesByTmdbId.get(Number(movieLink?.[2])) ?? moviesByImdbId.get(`tt${movieLink?.[1]}`)
    const year = Number(/\((\d{4})\)\s*$/.exec(movieName!)?.[1] ?? Number.NaN)
    const genreIds = genres!.split('|').flatMap((genre) => GENRE_IDS_BY_MOVIELENS_NAME[genre] ?? [])
    const title = toTrainingTitle(
      key,
      movie ?? { id: 0, title: movieName!, genre_ids: genreIds },
      movie && overviewTokens.get(movie.id),
    )
    return { ...title, year: Number.isNaN(year) ? title.year : year }
  })
  const ratingsByUser = new Map<number, MovieLensRating[]>()
  for (const [userId, movieId, rating, atSecondsText] of readCsvRows(getPath('ratings.csv.gz'))) {
    const userRatings = ratingsByUser.get(Number(userId)) ?? []
    ratingsByUser.set(Number(userId), userRatings)
    userRatings.push({
      user: Number(userId),
      titleKey: titleKeyByMovieId.get(movieId!)!,
      rating: Number(rating),
      atSeconds: Number(atSecondsText),
    })
  }
  return {
    titles,
    ratingsByUser: [...ratingsByUser.values()].map((userRatings) =>
      userRatings.sort((a, b) => a.atSeconds - b.atSeconds),
    ),
  }
}

/**
 * Splits the ratings of each user by time: the last 20 %, rounded down but at least one, are the test part. A user with
 * a single rating has no test part.
 */
export function splitByTime(ratingsByUser: RatingDataset['ratingsByUser']): {
  train: MovieLensRating[][]
  test: MovieLensRating[][]
} {
  const splitsByUser = ratingsByUser.map((userRatings) => {
    const testRatingCount = userRatings.length < 2 ? 0 : Math.max(1, Math.floor(userRatings.length * 0.2))
    return [
      userRatings.slice(0, userRatings.length - testRatingCount),
      userRatings.slice(userRatings.length - testRatingCount),
    ] as const
  })
  return { train: splitsByUser.map(([train]) => train), test: splitsByUser.map(([, test]) => test) }
}

/**
 * Returns the piecewise linear function through points (x, y). It is constant before the first point and after the last
 * point.
 */
const interpolateLinearly =
  (curvePoints: readonly (readonly [number, number])[]) =>
  (position: number): number => {
    for (let pointIndex = 1; pointIndex < curvePoints.length; pointIndex++) {
      const [x0, y0] = curvePoints[pointIndex - 1]!
      const [x1, y1] = curvePoints[pointIndex]!
      if (position <= x1 || pointIndex === curvePoints.length - 1)
        return y0 + ((y1 - y0) * (Math.min(Math.max(position, x0), x1) - x0)) / (x1 - x0)
    }
    return 0
  }

const getInteractionValue = interpolateLinearly([
  [0.5, 0.1],
  [2, 0.2],
  [3, 0.5],
  [4, 1],
  [5, 1.2],
])
const getSignalWeight = interpolateLinearly([
  [0.5, -0.5],
  [2, -0.2],
  [3, 0.4],
  [4, 1],
  [5, 1.4],
])

/**
 * Returns the deviation of a user's mean rating from 3.5. Callers subtract this deviation from the ratings, because
 * users rate on different scales.
 */
const computeRatingBias = (userRatings: readonly MovieLensRating[]): number =>
  userRatings.reduce((sum, rating) => sum + rating.rating, 0) / Math.max(1, userRatings.length) - 3.5

export function toInteractions(
  trainingRatings: readonly (readonly MovieLensRating[])[],
): TrainingInteraction[] {
  return trainingRatings.flatMap((userRatings, profile) => {
    const ratingBias = computeRatingBias(userRatings)
    return userRatings.map(({ titleKey, rating, atSeconds }) => ({
      profile,
      titleKey,
      at: atSeconds,
      value: getInteractionValue(rating - ratingBias),
    }))
  })
}

export function toSignals(userRatings: readonly MovieLensRating[]): ProfileSignal[] {
  const ratingBias = computeRatingBias(userRatings)
  return userRatings.map(({ titleKey, rating, atSeconds }) => ({
    kind: rating >= 4 ? 'liked' : rating < 2.5 ? 'disliked' : 'completed',
    titleKey,
    at: atSeconds,
    weight: getSignalWeight(rating - ratingBias),
  }))
}
