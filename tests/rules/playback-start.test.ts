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
  ])('reads %j', (search, expected) => expect(parsePlaybackRequest(search)).toEqual(expected))

  it('requires the episode of a series only', () => {
    expect(isPlaybackRequestComplete(MOVIE)).toBe(true)
    expect(isPlaybackRequestComplete(EPISODE)).toBe(true)
    expect(isPlaybackRequestComplete({ type: 'tv', slug: 'reel' })).toBe(false)
  })
})

describe('findRequestedProgress', () => {
  const first = { season: 1, episode: 1 }
  const second = { season: 1, episode: 2 }
  const history = { latest: first, episodes: [first, second] }

  it('returns the progress of the requested episode', () => {
    expect(findRequestedProgress(history, EPISODE)).toBe(second)
    expect(findRequestedProgress({ latest: first, episodes: [first] }, EPISODE)).toBeUndefined()
  })

  it('returns the only progress of a movie', () => {
    const latest = {}
    expect(findRequestedProgress({ latest, episodes: [] }, MOVIE)).toBe(latest)
  })
})

describe('isRequestReleased', () => {
  it('takes the release of an episode from the list of its season', () => {
    const list = (released: boolean) => [{ episode_number: 2, released }]
    expect(isRequestReleased(list(true), EPISODE)).toBe(true)
    expect(isRequestReleased(list(false), EPISODE)).toBe(false)
    expect(isRequestReleased([{ episode_number: 1, released: true }], EPISODE)).toBe(false)
    expect(isRequestReleased(undefined, EPISODE)).toBe(false)
  })

  it('is always true for a movie', () => expect(isRequestReleased(undefined, MOVIE)).toBe(true))
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
