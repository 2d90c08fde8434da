/** The signal that a rating from 1 to 10 gives. */
import { interactionValues, signalWeights } from './constants.ts'
import type { SignalKind } from './types.ts'

/** Ratings from which a rating counts as a like, and up to which it counts as a dislike. */
export const MIN_LIKED_RATING = 7
export const MAX_DISLIKED_RATING = 4

/**
 * Weights by rating. They increase with the rating; 1 weighs as much as a dislike and 10 as much as a like. A title that
 * was watched without a rating weighs 0.8, so it lies between the ratings 6 and 7.
 */
const WEIGHTS = [signalWeights.disliked, -0.4, -0.3, -0.2, 0.3, 0.6, 0.9, 1, 1.1, signalWeights.liked]
/** The same for the training data, where values are not negative. */
const INTERACTION_VALUES = [
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

/** Returns the kind and the weight of the signal of a rating. Ratings in the middle count as a watched title. */
export function getRatingSignal(rating: number): { kind: RatingSignalKind; weight: number } {
  const weight = WEIGHTS[rating - 1] ?? 0
  if (rating >= MIN_LIKED_RATING) return { kind: 'liked', weight }
  return { kind: rating <= MAX_DISLIKED_RATING ? 'disliked' : 'watched', weight }
}

/** Returns the implicit rating of the training data (`TrainingInteraction.value`) for a rating. */
export const getRatingInteractionValue = (rating: number): number => INTERACTION_VALUES[rating - 1] ?? 0
