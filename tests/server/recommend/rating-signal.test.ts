import { expect, it } from 'vitest'
import { interactionValues, signalWeights } from '../../../server/recommend/constants.ts'
import { getRatingInteractionValue, getRatingSignal } from '../../../server/recommend/rating-signal.ts'

const RATINGS = Array.from({ length: 10 }, (_, index) => index + 1)

it('a higher rating has a higher weight, from the weight of a dislike to the weight of a like', () => {
  const weights = RATINGS.map((rating) => getRatingSignal(rating).weight)
  expect(new Set(weights).size).toBe(10)
  expect(weights).toEqual(weights.toSorted((a, b) => a - b))
  expect([weights[0], weights.at(-1)]).toEqual([signalWeights.disliked, signalWeights.liked])
  const ratingValues = RATINGS.map(getRatingInteractionValue)
  expect(ratingValues).toEqual(ratingValues.toSorted((a, b) => a - b))
  expect([ratingValues[0], ratingValues.at(-1)]).toEqual([
    interactionValues.disliked,
    interactionValues.liked,
  ])
})

it('the signal kind of the ratings 1 to 4 is `disliked`, of 5 and 6 `watched`, and of 7 to 10 `liked`', () => {
  expect(RATINGS.map((rating) => getRatingSignal(rating).kind)).toEqual([
    ...['disliked', 'disliked', 'disliked', 'disliked'],
    ...['watched', 'watched'],
    ...['liked', 'liked', 'liked', 'liked'],
  ])
})
