import { describe, expect, it } from 'vitest'
import {
  findRequestedProgress,
  getStreamQuery,
  isPlaybackRequestComplete,
  isRequestedEpisodeReleased,
  parsePlaybackRequest,
} from '../../src/lib/rules/playback-start.ts'

const EPISODE_REQUEST = { type: 'tv', slug: 'reel', season: 1, episode: 2 } as const
const MOVIE_REQUEST = { type: 'movie', slug: 'reel' } as const

describe('parsePlaybackRequest', () => {
  it.each([
    ['?type=movie&slug=reel', MOVIE_REQUEST],
    ['?slug=reel', MOVIE_REQUEST],
    ['?type=tv&slug=reel&season=1&episode=2', EPISODE_REQUEST],
    ['?type=tv&slug=reel', { type: 'tv', slug: 'reel' }],
    ['?type=tv&slug=reel&season=1&episode=', { type: 'tv', slug: 'reel' }],
    ['?type=movie&slug=reel&season=1&episode=2', MOVIE_REQUEST],
    ['?type=movie', null],
    ['', null],
  ])('parses the query %j to the request %j', (query, expectedRequest) =>
    expect(parsePlaybackRequest(query)).toEqual(expectedRequest),
  )
})

describe('isPlaybackRequestComplete', () => {
  it('returns true for a movie, and for a series only with season and episode', () => {
    expect(isPlaybackRequestComplete(MOVIE_REQUEST)).toBe(true)
    expect(isPlaybackRequestComplete(EPISODE_REQUEST)).toBe(true)
    expect(isPlaybackRequestComplete({ type: 'tv', slug: 'reel' })).toBe(false)
  })
})

describe('findRequestedProgress', () => {
  const firstProgress = { season: 1, episode: 1 }
  const secondProgress = { season: 1, episode: 2 }
  const history = { latest: firstProgress, episodes: [firstProgress, secondProgress] }

  it('returns the progress of the requested episode', () => {
    expect(findRequestedProgress(history, EPISODE_REQUEST)).toBe(secondProgress)
    expect(
      findRequestedProgress({ latest: firstProgress, episodes: [firstProgress] }, EPISODE_REQUEST),
    ).toBeUndefined()
  })

  it('returns the progress of a movie', () => {
    const latest = {}
    expect(findRequestedProgress({ latest, episodes: [] }, MOVIE_REQUEST)).toBe(latest)
  })
})

describe('isRequestedEpisodeReleased', () => {
  it('returns true only if the episode list of the season contains the requested episode as released', () => {
    const createEpisodeList = (released: boolean) => [{ episode_number: 2, released }]
    expect(isRequestedEpisodeReleased(createEpisodeList(true), EPISODE_REQUEST)).toBe(true)
    expect(isRequestedEpisodeReleased(createEpisodeList(false), EPISODE_REQUEST)).toBe(false)
    expect(isRequestedEpisodeReleased([{ episode_number: 1, released: true }], EPISODE_REQUEST)).toBe(false)
    expect(isRequestedEpisodeReleased(undefined, EPISODE_REQUEST)).toBe(false)
  })

  it('returns true for every movie', () =>
    expect(isRequestedEpisodeReleased(undefined, MOVIE_REQUEST)).toBe(true))
})

describe('getStreamQuery', () => {
  it('limits the length of the title and omits an unknown year', () => {
    const query = getStreamQuery({ original_title: 'x'.repeat(400), year: null })
    expect(query).toEqual({ quality: 'auto', title: 'x'.repeat(300) })
    expect(getStreamQuery({ original_title: 'Reel', year: 1999 })).toEqual({
      quality: 'auto',
      title: 'Reel',
      year: 1999,
    })
  })
})
