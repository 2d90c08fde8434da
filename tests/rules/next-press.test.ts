import { expect, test } from 'vitest'
import { getPlayAction } from '../../src/lib/rules/play-action.ts'

const watched = (part: object = {}) => ({
  progress: 600,
  data: { video_duration: 3600 },
  percentage: 17,
  finished: false,
  ...part,
})

test('nothing watched begins at the beginning', () => {
  expect(getPlayAction(null, null)).toEqual({ place: null, begun: null })
})

test('a movie half seen goes on, with the minutes that are left', () => {
  expect(getPlayAction(watched(), null)).toEqual({ place: null, begun: { percentage: 17, minutesLeft: 50 } })
})

test('the last seconds count as one minute', () => {
  expect(getPlayAction(watched({ progress: 3595 }), null).begun?.minutesLeft).toBe(1)
})

test('a finished movie begins again, and one at its very start was not begun', () => {
  expect(getPlayAction(watched({ finished: true }), null)).toEqual({ place: null, begun: null })
  expect(getPlayAction(watched({ progress: 0 }), null)).toEqual({ place: null, begun: null })
})

test('an episode half seen goes on in its place', () => {
  const { place, begun } = getPlayAction(watched({ season: 2, episode: 4 }), null)
  expect(place).toEqual({ season: 2, episode: 4 })
  expect(begun).not.toBeNull()
})

test('after a finished episode comes the next one', () => {
  const next = { season_number: 2, episode_number: 5 }
  expect(getPlayAction(watched({ season: 2, episode: 4, finished: true }), next)).toEqual({
    place: { season: 2, episode: 5 },
    begun: null,
  })
})
