import { tuning } from './constants.ts'
import { getGenres } from './content.ts'
import { diversifyTitles } from './diversity.ts'
import { type ProfileEvidence, weighSignals } from './evidence.ts'
import type { RecommendationModel } from './model.ts'
import { createTitleFilter, type RecommendOptions } from './picks.ts'
import { explainTitle } from './reasons.ts'
import { type ScoredTitle, scoreCandidates } from './score.ts'
import type { ProfileSignal, RecommendedTitle } from './types.ts'
import { varyReasons } from './vary-reasons.ts'

export interface GenreRow {
  readonly genre: number
  /** Strength of the profile's preference for this genre. It is used only to sort the rows. */
  readonly preferenceStrength: number
  readonly picks: readonly RecommendedTitle[]
}

export interface GenreRowOptions extends RecommendOptions {
  /** Maximum number of rows; `limit` is the number of titles per row. */
  readonly maxRows: number
  /** Genres that may have a row. All genres may have a row when this option is absent. */
  readonly allowedGenres?: readonly number[]
}

/**
 * Returns rows for the preferred genres of a profile, most preferred first. A title is in at most one row, and a row
 * has at least three titles. Without signals, the rows depend on the genres of popular titles.
 */
export function recommendGenreRows(
  model: RecommendationModel,
  signals: readonly ProfileSignal[],
  options: GenreRowOptions,
): GenreRow[] {
  const evidence = weighSignals(model, signals)
  const isAllowed = createTitleFilter(model, options, evidence.signalTitleKeys)
  const shownKeys = new Set<number>()
  const genreRows: GenreRow[] = []
  const allScoredTitles = scoreCandidates(model, evidence, isAllowed, options.limit * 8)
  for (const { genre, preferenceStrength } of rankGenres(model, evidence, allScoredTitles)) {
    if (genreRows.length === options.maxRows) break
    if (options.allowedGenres?.includes(genre) === false) continue
    const isInGenre = (titleKey: number): boolean =>
      !shownKeys.has(titleKey) && isAllowed(titleKey) && getGenres(model.content, titleKey).includes(genre)
    const genreEvidence = { ...evidence, genres: [{ genre, signal: `genre:${genre}`, weight: 0 }] }
    const scoredTitlesInGenre = allScoredTitles.filter(({ key: titleKey }) => isInGenre(titleKey))
    const scoredTitles =
      scoredTitlesInGenre.length >= options.limit * 2
        ? scoredTitlesInGenre
        : scoreCandidates(model, genreEvidence, isInGenre, options.limit)
    const picks = diversifyTitles(model, scoredTitles, options.limit, options.diversity)
    if (picks.length < 3) continue
    for (const { key: titleKey } of picks) shownKeys.add(titleKey)
    const recommendations = varyReasons(
      picks.map((pick) => ({ ...pick, reasons: explainTitle(model, evidence, pick.key) })),
    )
    genreRows.push({ genre, preferenceStrength, picks: recommendations })
  }
  return genreRows
}

/**
 * Ranks genres by their weight in the profile's history and onboarding choices. Genres that are rare in the catalogue
 * gain weight. The genres of the 50 best candidates get a small weight, so that they are ranked even without signals.
 */
function rankGenres(
  model: RecommendationModel,
  evidence: ProfileEvidence,
  allScoredTitles: readonly ScoredTitle[],
): { genre: number; preferenceStrength: number }[] {
  const { genreIds, featureWeights } = model.content
  const strengthByGenre = new Float64Array(genreIds.length)
  const addGenreStrength = (titleKey: number, strength: number): void => {
    const genres = getGenres(model.content, titleKey)
    for (const genre of genres)
      strengthByGenre[genreIds.indexOf(genre)]! += strength / Math.sqrt(genres.length)
  }
  for (const anchor of evidence.anchors)
    if (anchor.key < model.content.size) addGenreStrength(anchor.key, anchor.weight)
  for (const { genre, weight } of evidence.genres) {
    const genreIndex = genreIds.indexOf(genre)
    if (genreIndex >= 0)
      strengthByGenre[genreIndex]! +=
        weight * (tuning.onboardingGenreExtraWeight * evidence.priorDecayFactor + 1)
  }
  for (const { key: titleKey } of allScoredTitles.slice(0, 50)) addGenreStrength(titleKey, 0.001)
  return Array.from(genreIds, (genre, genreIndex) => ({
    genre,
    preferenceStrength: strengthByGenre[genreIndex]! * featureWeights[genreIndex]! ** 0.5,
  }))
    .filter((rankedGenre) => rankedGenre.preferenceStrength > 0)
    .sort((a, b) => b.preferenceStrength - a.preferenceStrength || a.genre - b.genre)
}
