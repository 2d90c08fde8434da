import { buildModel, type RecommendationModel } from '../../server/recommend/model.ts'
import { recommendTitles } from '../../server/recommend/picks.ts'
import { findSimilarTitles } from '../../server/recommend/similar.ts'
import type { TrainingInteraction, TrainingTitle } from '../../server/recommend/types.ts'
import { readSharedLines } from './data.ts'
import { computeMean, countHits, formatFixed, formatMeanWithInterval } from './metrics.ts'

interface CatalogueSeries {
  readonly name: string
  readonly year?: number
  readonly first_air_date?: string
  readonly genre_ids?: number[]
  readonly genres_raw?: string[]
  readonly original_language?: string
  readonly countries?: string[]
  readonly imdb_votes?: number
  readonly vote_count?: number
  readonly imdb_rating?: number
  readonly vote_average?: number
  readonly popularity?: number
}

const GENRE_IDS_BY_NAME: Readonly<Record<string, number>> = {
  action: 10759,
  animation: 16,
  comedy: 35,
  crime: 80,
  documentation: 99,
  drama: 18,
  family: 10751,
  fantasy: 10765,
  horror: 9648,
  reality: 10764,
  romance: 10766,
  scifi: 10765,
  thriller: 9648,
  war: 10768,
  western: 37,
}

const normaliseName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/**
 * Reads the series of the catalogue and their names; the index in both lists is the title key. The catalogue has no
 * keywords of series; countries and genre names replace them.
 */
function readSeries(): { titles: TrainingTitle[]; names: string[] } {
  const seriesRows = readSharedLines('catalogue/tv.jsonl.gz').map(
    (line) => JSON.parse(line) as CatalogueSeries,
  )
  const titles = seriesRows.map((row, key): TrainingTitle => {
    const genreIds = row.genre_ids ?? (row.genres_raw ?? []).flatMap((name) => GENRE_IDS_BY_NAME[name] ?? [])
    const year = row.year ?? Number(row.first_air_date?.slice(0, 4) ?? Number.NaN)
    return {
      key,
      type: 'tv',
      genres: [...new Set(genreIds)],
      keywords: [...(row.countries ?? []), ...(row.genres_raw ?? [])],
      cast: [],
      directors: [],
      crew: [],
      language: row.original_language ?? null,
      year: Number.isNaN(year) ? null : year,
      rating: row.imdb_rating ?? row.vote_average ?? 0,
      votes: row.imdb_votes ?? row.vote_count ?? 0,
      popularity: row.popularity ?? 0,
      kids: genreIds.some((genre) => genre === 16 || genre === 10751 || genre === 10762),
    }
  })
  return { titles, names: seriesRows.map((row) => row.name) }
}

const computeGenreOverlap = (firstGenres: readonly number[], secondGenres: readonly number[]): number =>
  firstGenres.filter((genre) => secondGenres.includes(genre)).length /
  new Set([...firstGenres, ...secondGenres]).size

/**
 * Returns true if the genre overlap of similar series is more than twice that of random series. The model is trained
 * without interactions.
 */
function evaluateContentSimilarity(titles: readonly TrainingTitle[]): boolean {
  const model = buildModel(titles, [], { version: 'bench' })
  const seriesWithGenres = titles.filter((title) => title.genres.length > 0)
  const similarOverlaps: number[] = []
  const randomOverlaps: number[] = []
  seriesWithGenres.forEach((title, index) => {
    const similarTitles = findSimilarTitles(model, title.key, {
      limit: 15,
      scope: (key) => titles[key]!.genres.length > 0,
    })
    similarOverlaps.push(
      computeMean(similarTitles.map(({ key }) => computeGenreOverlap(title.genres, titles[key]!.genres))),
    )
    randomOverlaps.push(
      computeMean(
        similarTitles.map((_, position) =>
          computeGenreOverlap(
            title.genres,
            seriesWithGenres[(index * 31 + position * 97 + 1) % seriesWithGenres.length]!.genres,
          ),
        ),
      ),
    )
  })
  console.log(
    `  ${seriesWithGenres.length} series: genre overlap with 15 similar series ${formatMeanWithInterval(similarOverlaps)}, with 15 random series ${formatFixed(computeMean(randomOverlaps))}`,
  )
  return computeMean(similarOverlaps) > 2 * computeMean(randomOverlaps)
}

/**
 * Reads lists of series liked together, as title keys; lists with fewer than three series of the catalogue are dropped.
 */
function readSeriesLikedTogether(titles: readonly TrainingTitle[], names: readonly string[]): number[][] {
  const titleKeyByName = new Map<string, number>()
  names.forEach((name, key) => {
    const existingKey = titleKeyByName.get(normaliseName(name))
    if (existingKey === undefined || titles[existingKey]!.votes < titles[key]!.votes)
      titleKeyByName.set(normaliseName(name), key)
  })
  return readSharedLines('recsys/tv_baskets.csv.gz')
    .map((line) => [
      ...new Set(line.split('|').flatMap((name) => titleKeyByName.get(normaliseName(name)) ?? [])),
    ])
    .filter((titleKeys) => titleKeys.length >= 3)
}

/** With this very strong regularisation, the collaborative part of the model ranks titles only by their popularity. */
const POPULARITY_ONLY_OPTIONS = { ridge: 1e9, minSupport: 3 }

/**
 * Smoke test on lists of series liked together. Every tenth list is a test list; the others are training lists. From
 * each test list, one series is held out, and the test counts how often this series is among 10 picks. All methods rank
 * only series that occur in training lists. Returns true if the picks have a higher hit rate than TopPopular.
 */
function evaluateLikedLists(titles: readonly TrainingTitle[], names: readonly string[]): boolean {
  const likedLists = readSeriesLikedTogether(titles, names)
  const trainingInteractions: TrainingInteraction[] = likedLists.flatMap((list, profile) =>
    profile % 10 === 0 ? [] : list.map((titleKey) => ({ profile, titleKey, at: 0, value: 1 })),
  )
  const ratingCounts = new Uint32Array(titles.length)
  for (const { titleKey } of trainingInteractions) ratingCounts[titleKey]!++
  const popularityRanking = [...ratingCounts.keys()].sort((a, b) => ratingCounts[b]! - ratingCounts[a]!)
  const testLists = likedLists
    .filter((_, profile) => profile % 10 === 0)
    .map((likedKeys, index) => {
      const heldOutKeys = new Set([likedKeys[index % likedKeys.length]!])
      return { heldOutKeys, shownKeys: likedKeys.filter((key) => !heldOutKeys.has(key)) }
    })
  const countPickHits = (model: RecommendationModel): number[] =>
    testLists.map(({ heldOutKeys, shownKeys }) => {
      const signals = shownKeys.map((titleKey) => ({ kind: 'liked' as const, titleKey, at: 0 }))
      const pickedTitles = recommendTitles(model, signals, {
        limit: 10,
        scope: (key) => ratingCounts[key]! > 0,
      })
      return countHits(
        pickedTitles.map(({ key }) => key),
        heldOutKeys,
        10,
      )
    })
  const pickHits = countPickHits(buildModel(titles, trainingInteractions, { version: 'bench' }))
  const contentHits = countPickHits(
    buildModel(titles, trainingInteractions, { version: 'bench', collaborative: POPULARITY_ONLY_OPTIONS }),
  )
  const popularHits = testLists.map(({ heldOutKeys, shownKeys }) => {
    const unseenKeys = popularityRanking.filter((key) => !shownKeys.includes(key))
    return countHits(unseenKeys, heldOutKeys, 10)
  })
  console.log(
    `  ${testLists.length} unseen lists of ${likedLists.length}: HR@10 ${formatMeanWithInterval(pickHits)}, TopPopular ` +
      `${formatMeanWithInterval(popularHits)}, content and popularity only ${formatMeanWithInterval(contentHits)}`,
  )
  return computeMean(pickHits) > computeMean(popularHits)
}

export function evaluateSeries(): boolean {
  const { titles, names } = readSeries()
  const isContentTargetMet = evaluateContentSimilarity(titles)
  return evaluateLikedLists(titles, names) && isContentTargetMet
}
