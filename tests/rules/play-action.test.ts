import { expect, test } from 'vitest'
import { getPlayAction } from '../../src/lib/rules/play-action.ts'

const createProgress = (overrides: object = {}) => ({
  progress: 600,
  data: { video_duration: 3600 },
  percentage: 17,
  finished: false,
  ...overrides,
})

test('getPlayAction starts a movie without saved progress from the beginning', () => {
  expect(getPlayAction(null, null)).toEqual({ episode: null, resumedProgress: null })
})

test('getPlayAction resumes a partly watched movie, and returns the minutes that remain', () => {
  expect(getPlayAction(createProgress(), null)).toEqual({
    episode: null,
    resumedProgress: { percentage: 17, minutesLeft: 50 },
  })
})

test('getPlayAction returns one remaining minute when only a few seconds of a movie remain', () => {
  expect(getPlayAction(createProgress({ progress: 3595 }), null).resumedProgress?.minutesLeft).toBe(1)
})

test('getPlayAction starts a finished movie and a movie at position 0 from the beginning', () => {
  expect(getPlayAction(createProgress({ finished: true }), null)).toEqual({
    episode: null,
    resumedProgress: null,
  })
  expect(getPlayAction(createProgress({ progress: 0 }), null)).toEqual({
    episode: null,
    resumedProgress: null,
  })
})

test('getPlayAction resumes a partly watched episode', () => {
  const { episode, resumedProgress } = getPlayAction(createProgress({ season: 2, episode: 4 }), null)
  expect(episode).toEqual({ season: 2, episode: 4 })
  expect(resumedProgress).toMatchObject({ percentage: expect.any(Number) })
})

test('getPlayAction starts the next episode after a finished episode', () => {
  const nextEpisode = { season_number: 2, episode_number: 5 }
  expect(getPlayAction(createProgress({ season: 2, episode: 4, finished: true }), nextEpisode)).toEqual({
    episode: { season: 2, episode: 5 },
    resumedProgress: null,
  })
})

test('getPlayAction resumes the next episode at its saved position, although another episode was watched later', () => {
  const savedProgress = createProgress({ season: 1, episode: 3 })
  const latestProgress = createProgress({ season: 1, episode: 2, finished: true })
  const nextEpisode = { season_number: 1, episode_number: 3 }
  expect(getPlayAction(latestProgress, nextEpisode, [latestProgress, savedProgress])).toEqual({
    episode: { season: 1, episode: 3 },
    resumedProgress: { percentage: 17, minutesLeft: 50 },
  })
})

test('getPlayAction does not resume an unfinished episode when another episode is next', () => {
  const unfinishedProgress = createProgress({ season: 2, episode: 9 })
  const nextEpisode = { season_number: 3, episode_number: 1 }
  expect(getPlayAction(unfinishedProgress, nextEpisode, [unfinishedProgress])).toEqual({
    episode: { season: 3, episode: 1 },
    resumedProgress: null,
  })
})
