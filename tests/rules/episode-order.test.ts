import { describe, expect, it } from 'vitest'
import { hasAired } from '../../src/lib/rules/episode-order.ts'
import { findNextEpisode } from '../../src/lib/rules/next-up.ts'

const TODAY = '2026-06-15'
const episode = (episode_number: number, air_date: string | null, released?: boolean) => ({
  season_number: 1,
  episode_number,
  air_date,
  ...(released !== undefined && { released }),
})

describe('hasAired', () => {
  it('uses the result of the server instead of the date on this device', () => {
    const tomorrow = episode(1, '2026-06-16', true)
    const yesterday = episode(2, '2026-06-14', false)
    expect(hasAired(tomorrow, [tomorrow], TODAY)).toBe(true)
    expect(hasAired(yesterday, [yesterday], TODAY)).toBe(false)
  })

  it('computes the result without one', () => {
    expect(hasAired(episode(1, TODAY), [], TODAY)).toBe(true)
    expect(hasAired(episode(1, '2026-06-16'), [], TODAY)).toBe(false)
  })
})

it('offers as next episode what the list of episodes shows as released', () => {
  const episodes = [episode(1, null, true), episode(2, null, false)]
  expect(findNextEpisode({ season_number: 1, episode_number: 1 }, episodes, TODAY)).toBeNull()
  expect(
    findNextEpisode({ season_number: 1, episode_number: 1 }, [episode(1, null), episode(2, null)], TODAY),
  ).toMatchObject({ episode_number: 2 })
})
