import { describe, expect, it } from 'vitest'
import {
  findRequestedProgress,
  getStreamQuery,
  isPlaybackRequestComplete,
  isRequestReleased,
  parsePlaybackRequest,
} from '../../src/lib/rules/playback-start.ts'

const EPISODE = { type: 'tv', slug: 'reel', season: 1, episode: 2 } as const
const MOVIE = { type: 'movie', slug: 'reel' } as const

describe('parsePlaybackRequest', () => {
  it.each([
    ['?type=movie&slug=reel', MOVIE],
    ['?slug=reel', MOVIE],
    ['?type=tv&slug=reel&season=1&episode=2', EPISODE],
    ['?type=tv&slug=reel', { type: 'tv', slug: 'reel' }],
    ['?type=tv&slug=reel&season=1&episode=', { type: 'tv', slug: 'reel' }],
    ['?type=movie&slug=reel&season=1&episode=2', MOVIE],
    ['?type=movie', null],
    ['', null],
  ])('parses the query %j to the request %j', (query, expectedRequest) =>
    expect(parsePlaybackRequest(query)).toEqual(expectedRequest),
  )
})

describe('isPlaybackRequestComplete', () => {
  it('returns true for a movie, and for a series only with season and episode', () => {
    expect(isPlaybackRequestComplete(MOVIE)).toBe(true)
    expect(isPlaybackRequestComplete(EPISODE)).toBe(true)
    expect(isPlaybackRequestComplete({ type: 'tv', slug: 'reel' })).toBe(false)
  })
})

describe('findRequestedProgress', () => {
  const firstProgress = { season: 1, episode: 1 }
  const secondProgress = { season: 1, episode: 2 }
  const history = { latest: firstProgress, episodes: [firstProgress, secondProgress] }

  it('returns the progress of the requested episode', () => {
    expect(findRequestedProgress(history, EPISODE)).toBe(secondProgress)
    expect(
      findRequestedProgress({ latest: firstProgress, episodes: [firstProgress] }, EPISODE),
    ).toBeUndefined()
  })

  it('returns the progress of a movie', () => {
    const latest = {}
    expect(findRequestedProgress({ latest, episodes: [] }, MOVIE)).toBe(latest)
  })
})

describe('isRequestReleased', () => {
  it('returns true only if the episode list of the season contains the requested episode as released', () => {
    const createEpisodeList = (released: boolean) => [{ episode_number: 2, released }]
    expect(isRequestReleased(createEpisodeList(true), EPISODE)).toBe(true)
    expect(isRequestReleased(createEpisodeList(false), EPISODE)).toBe(false)
    expect(isRequestReleased([{ episode_number: 1, released: true }], EPISODE)).toBe(false)
    expect(isRequestReleased(undefined, EPISODE)).toBe(false)
  })

  it('returns true for every movie', () => expect(isRequestReleased(undefined, MOVIE)).toBe(true))
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
