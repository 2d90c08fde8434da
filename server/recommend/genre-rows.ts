import { tuning } from './constants.ts'
import { genresOf } from './content.ts'
import { diversify } from './diversity.ts'
import { type ProfileEvidence, weighSignals } from './evidence.ts'
import type { RecommendationModel } from './model.ts'
import { createTitleFilter, type RecommendOptions } from './picks.ts'
import { explainTitle } from './reasons.ts'
import { type ScoredTitle, scoreCandidates } from './score.ts'
import type { ProfileSignal, RecommendedTitle } from './types.ts'

export interface GenreRow {
  readonly genre: number
  /** Preference of the profile for this genre; only for ordering. */
  readonly taste: number
  readonly picks: readonly RecommendedTitle[]
}

export interface GenreRowOptions extends RecommendOptions {
  /** Maximum number of rows; `limit` is the number of titles per row. */
  readonly genres: number
}

/**
 * Returns rows for the preferred genres of a profile, most preferred first. No title is in two rows, and a row has at
 * least three titles. Without signals, the genres of popular titles are used.
 */
export function recommendGenreRows(
  model: RecommendationModel,
  signals: readonly ProfileSignal[],
  options: GenreRowOptions,
): GenreRow[] {
  const evidence = weighSignals(model, signals, options.off ?? new Set())
  const isAllowed = createTitleFilter(model, options, evidence.signalTitles)
  const shownKeys = new Set<number>()
  const rows: GenreRow[] = []
  const allScored = scoreCandidates(model, evidence, isAllowed, options.limit * 8)
  for (const { genre, taste } of rankGenres(model, evidence, allScored)) {
    if (rows.length === options.genres) break
    const isInGenre = (key: number): boolean =>
      !shownKeys.has(key) && isAllowed(key) && genresOf(model.content, key).includes(genre)
    const genreEvidence = { ...evidence, genres: [{ genre, signal: `genre:${genre}`, weight: 0 }] }
    const scoredInGenre = allScored.filter(({ key }) => isInGenre(key))
    const scored =
      scoredInGenre.length >= options.limit * 2
        ? scoredInGenre
        : scoreCandidates(model, genreEvidence, isInGenre, options.limit)
    const picks = diversify(model, scored, options.limit, options.diversity)
    if (picks.length < 3) continue
    for (const { key } of picks) shownKeys.add(key)
    const recommendations = picks.map((pick) => ({
      ...pick,
      reasons: explainTitle(model, evidence, pick.key),
    }))
    rows.push({ genre, taste, picks: recommendations })
  }
  return rows
}

/**
 * Ranks genres by their weight in the profile's history and onboarding choices, relative to how common they are in
 * the catalogue. The genres of the best candidates decide between genres without signals.
 */
function rankGenres(
  model: RecommendationModel,
  evidence: ProfileEvidence,
  allScored: readonly ScoredTitle[],
): { genre: number; taste: number }[] {
  const { genreIds, weight } = model.content
  const tasteByGenre = new Float64Array(genreIds.length)
  const add = (key: number, amount: number): void => {
    const genres = genresOf(model.content, key)
    for (const genre of genres) tasteByGenre[genreIds.indexOf(genre)]! += amount / Math.sqrt(genres.length)
  }
  for (const anchor of evidence.anchors) if (anchor.key < model.content.size) add(anchor.key, anchor.weight)
  for (const { genre, weight } of evidence.genres) {
    const genreIndex = genreIds.indexOf(genre)
    if (genreIndex >= 0)
      tasteByGenre[genreIndex]! += weight * (tuning.onboardingGenreLikes * evidence.priorDecay + 1)
  }
  for (const { key } of allScored.slice(0, 50)) add(key, 0.001)
  return Array.from(genreIds, (genre, genreIndex) => ({
    genre,
    taste: tasteByGenre[genreIndex]! * weight[genreIndex]! ** 0.5,
  }))
    .filter((ranked) => ranked.taste > 0)
    .sort((a, b) => b.taste - a.taste || a.genre - b.genre)
}
