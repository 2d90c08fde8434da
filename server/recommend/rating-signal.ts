/** The signal that follows from a rating from 1 to 10. */
import { interactionValues, signalWeights } from './constants.ts'
import type { SignalKind } from './types.ts'

/** Lowest rating that counts as a like. */
export const MIN_LIKED_RATING = 7
/** Highest rating that counts as a dislike. */
export const MAX_DISLIKED_RATING = 4

/**
 * Signal weights for the ratings 1 to 10. They increase with the rating: 1 weighs as much as a dislike, and 10 as much
 * as a like. A completed title without a rating weighs 0.8, which is between the ratings 6 and 7.
 */
const WEIGHTS_BY_RATING = [
  signalWeights.disliked,
  -0.4,
  -0.3,
  -0.2,
  0.3,
  0.6,
  0.9,
  1,
  1.1,
  signalWeights.liked,
]
/** Values of `TrainingInteraction.value` for the ratings 1 to 10. They are never negative. */
const INTERACTION_VALUES_BY_RATING = [
  interactionValues.disliked,
  0.1,
  0.1,
  0.1,
  0.4,
  0.6,
  0.95,
  1.05,
  1.1,
  interactionValues.liked,
]

export type RatingSignalKind = Extract<SignalKind, 'liked' | 'disliked' | 'watched'>

/**
 * Returns the kind and the weight of the signal that a rating from 1 to 10 stands for. A rating between
 * `MAX_DISLIKED_RATING` and `MIN_LIKED_RATING` has the kind `watched`.
 */
export function getRatingSignal(rating: number): { kind: RatingSignalKind; weight: number } {
  const weight = WEIGHTS_BY_RATING[rating - 1] ?? 0
  if (rating >= MIN_LIKED_RATING) return { kind: 'liked', weight }
  return { kind: rating <= MAX_DISLIKED_RATING ? 'disliked' : 'watched', weight }
}

/** Returns the value of `TrainingInteraction.value` for a rating from 1 to 10; 0 for another number. */
export const getRatingInteractionValue = (rating: number): number =>
  INTERACTION_VALUES_BY_RATING[rating - 1] ?? 0
