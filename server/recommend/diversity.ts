import { tuning } from './constants.ts'
import { computeContentSimilarity } from './content.ts'
import type { RecommendationModel } from './model.ts'
import type { ScoredTitle } from './score.ts'

/**
 * Reorders scored titles by maximal marginal relevance (Carbonell & Goldstein 1998) and returns the first
 * `maxTitleCount` titles. A title that is similar to a title above it loses score, at most `diversity` times the
 * difference between the highest and the lowest score of the candidates. The candidates are the first
 * 4 * `maxTitleCount` of `scoredTitles`, which must be sorted, best first. The best title stays first.
 */
export function diversifyTitles(
  model: RecommendationModel,
  scoredTitles: readonly ScoredTitle[],
  maxTitleCount: number,
  diversity = tuning.diversity,
): ScoredTitle[] {
  const candidates = scoredTitles.slice(0, maxTitleCount * 4)
  if (diversity === 0 || candidates.length <= 1) return candidates.slice(0, maxTitleCount)
  const scoreRange = candidates[0]!.score - candidates[candidates.length - 1]!.score
  const maxSimilarityToChosen = new Float64Array(candidates.length)
  const remainingIndexes = candidates.map((_, candidateIndex) => candidateIndex)
  const chosenTitles: ScoredTitle[] = []
  while (chosenTitles.length < maxTitleCount && remainingIndexes.length > 0) {
    let bestPosition = 0
    let bestScore = Number.NEGATIVE_INFINITY
    for (const [remainingPosition, candidateIndex] of remainingIndexes.entries()) {
      const score =
        candidates[candidateIndex]!.score - diversity * scoreRange * maxSimilarityToChosen[candidateIndex]!
      if (score > bestScore) {
        bestScore = score
        bestPosition = remainingPosition
      }
    }
    const [chosenIndex] = remainingIndexes.splice(bestPosition, 1)
    const chosenTitle = candidates[chosenIndex!]!
    chosenTitles.push(chosenTitle)
    for (const candidateIndex of remainingIndexes)
      maxSimilarityToChosen[candidateIndex] = Math.max(
        maxSimilarityToChosen[candidateIndex]!,
        computeContentSimilarity(model.content, chosenTitle.key, candidates[candidateIndex]!.key),
      )
  }
  return chosenTitles
}
