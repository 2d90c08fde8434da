import { describe, expect, it } from 'vitest'
import { hasAired } from '../../src/lib/rules/episode-order.ts'
import { findNextEpisode } from '../../src/lib/rules/next-up.ts'

const TODAY = '2026-06-15'
const createEpisode = (episode_number: number, air_date: string | null, released?: boolean) => ({
  season_number: 1,
  episode_number,
  air_date,
  ...(released !== undefined && { released }),
})

describe('hasAired', () => {
  it('uses the `released` value of the server instead of the date on this device', () => {
    const tomorrowEpisode = createEpisode(1, '2026-06-16', true)
    const yesterdayEpisode = createEpisode(2, '2026-06-14', false)
    expect(hasAired(tomorrowEpisode, [tomorrowEpisode], TODAY)).toBe(true)
    expect(hasAired(yesterdayEpisode, [yesterdayEpisode], TODAY)).toBe(false)
  })

  it('compares the air date with today when the server sent no `released` value', () => {
    expect(hasAired(createEpisode(1, TODAY), [], TODAY)).toBe(true)
    expect(hasAired(createEpisode(1, '2026-06-16'), [], TODAY)).toBe(false)
  })
})

it('findNextEpisode returns no unreleased episode; without `released` values and dates, every episode counts as released', () => {
  const episodes = [createEpisode(1, null, true), createEpisode(2, null, false)]
  expect(findNextEpisode({ season_number: 1, episode_number: 1 }, episodes, TODAY)).toBeNull()
  expect(
    findNextEpisode(
      { season_number: 1, episode_number: 1 },
      [createEpisode(1, null), createEpisode(2, null)],
      TODAY,
    ),
  ).toMatchObject({ episode_number: 2 })
})
