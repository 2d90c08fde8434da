/** Statistics of viewings without a database: days in time zones, streaks, rewatches and sums. */
import { describe, expect, it } from 'vitest'
import {
  computeStatistics,
  type StatisticsInput,
} from '../../../server/services/statistics/compute-statistics.ts'
import { formatDayNumber, getDayNumberConverter } from '../../../server/services/statistics/local-day.ts'
import { findStreaks } from '../../../server/services/statistics/streaks.ts'

const HOUR_SECONDS = 3_600
const toDayNumber = (isoDay: string) => Date.parse(isoDay) / 86_400_000

const createViewing = (isoTime: string, overrides: Partial<StatisticsInput['viewings'][number]> = {}) => ({
  title_id: 1,
  season_number: 0,
  episode_number: 0,
  name: '',
  watched_at: isoTime === '' ? 0 : Date.parse(isoTime),
  by_day: 0,
  runtime: null,
  ...overrides,
})
const TITLES = [
  { title_id: 1, type: 'movie', year: 1994, language: 'en', runtime: 2 * HOUR_SECONDS },
  { title_id: 2, type: 'tv', year: 2019, language: 'ar', runtime: null },
]
const createEpisode = (
  isoTime: string,
  episode_number: number,
  runtimeSeconds: number | null = HOUR_SECONDS,
) => createViewing(isoTime, { title_id: 2, season_number: 1, episode_number, runtime: runtimeSeconds })
const computeForViewings = (
  viewings: StatisticsInput['viewings'],
  overrides: Partial<StatisticsInput> = {},
) =>
  computeStatistics({
    viewings,
    titles: TITLES,
    genres: [
      { title_id: 1, genre_id: 18 },
      { title_id: 2, genre_id: 18 },
      { title_id: 2, genre_id: 35 },
    ],
    getLocalDayNumber: getDayNumberConverter('UTC'),
    todayNumber: toDayNumber('2026-11-23'),
    ...overrides,
  })

describe('statistics', () => {
  it('statistics are the sums of viewings and minutes by title, genre, decade, language, month and weekday', () => {
    const statistics = computeForViewings([
      createViewing('2026-11-16T20:00:00Z'),
      createEpisode('2026-11-17T20:00:00Z', 1),
      createEpisode('2026-10-17T20:00:00Z', 2),
    ])
    expect(statistics.totals).toMatchObject({
      viewings: 3,
      minutes: 240,
      movies: 1,
      series: 1,
      episodes: 2,
      days: 3,
    })
    expect(statistics.genres).toEqual([
      { id: 18, viewings: 3, minutes: 240 },
      { id: 35, viewings: 2, minutes: 120 },
    ])
    expect(statistics.decades).toEqual([
      { decade: 2010, viewings: 2, minutes: 120 },
      { decade: 1990, viewings: 1, minutes: 120 },
    ])
    expect(statistics.languages.map(({ code }) => code)).toEqual(['ar', 'en'])
    expect(statistics.months.map(({ month, viewings }) => [month, viewings])).toEqual([
      ['2026-10', 1],
      ['2026-11', 2],
    ])
    expect(statistics.weekdays.map(({ viewings }) => viewings)).toEqual([1, 1, 0, 0, 0, 1, 0])
    expect(statistics.titles.map(({ titleId }) => titleId)).toEqual([2, 1])
  })

  it('statistics count a second viewing as a rewatch, also in a later year, and count the title once', () => {
    const viewings = [createViewing('2025-01-01T20:00:00Z'), createViewing('2026-02-01T20:00:00Z')]
    expect(computeForViewings(viewings).totals).toMatchObject({ viewings: 2, movies: 1, rewatches: 1 })
    expect(computeForViewings(viewings, { year: 2025 }).totals).toMatchObject({
      viewings: 1,
      movies: 1,
      rewatches: 0,
    })
    expect(computeForViewings(viewings, { year: 2026 }).totals).toMatchObject({
      viewings: 1,
      movies: 1,
      rewatches: 1,
    })
    expect(computeForViewings(viewings, { year: 2026 }).years).toEqual([2026, 2025])
  })

  it('only statistics of all time include viewings without a time, and viewings without a runtime count as 0 minutes', () => {
    const viewings = [createViewing(''), createEpisode('2026-03-01T10:00:00Z', 1, null)]
    expect(computeForViewings(viewings).totals).toMatchObject({
      viewings: 2,
      minutes: 120,
      days: 1,
      without_date: 1,
      without_runtime: 1,
    })
    expect(computeForViewings(viewings, { year: 2026 }).totals).toMatchObject({
      viewings: 1,
      minutes: 0,
      without_date: 0,
    })
  })

  it('statistics assign a viewing to its day in the time zone of the viewer, but a date-only viewing to its date', () => {
    const viewings = [createViewing('2025-12-31T23:30:00Z'), createEpisode('2025-12-31T12:00:00Z', 1)]
    const [timedViewing, dayViewing = timedViewing] = viewings
    const viewingsInput = [timedViewing, { ...dayViewing, by_day: 1 }] as StatisticsInput['viewings']
    const listDays = (year: number, timeZone: string) =>
      computeForViewings(viewingsInput, {
        year,
        getLocalDayNumber: getDayNumberConverter(timeZone),
      }).days.map(({ date }) => date)
    expect(listDays(2026, 'Europe/Paris')).toEqual(['2026-01-01'])
    expect(listDays(2025, 'Europe/Paris')).toEqual(['2025-12-31'])
    expect(listDays(2025, 'Pacific/Kiritimati')).toEqual(['2025-12-31'])
    expect(listDays(2025, 'America/New_York')).toEqual(['2025-12-31'])
    expect(listDays(2026, 'America/New_York')).toEqual([])
  })

  it('statistics exclude viewings of titles that are not visible', () => {
    const statistics = computeForViewings([createViewing('2026-01-01T20:00:00Z', { title_id: 3 })])
    expect([statistics.totals.viewings, statistics.years, statistics.titles]).toEqual([0, [], []])
  })
})

describe('days in time zones', () => {
  it('the computed day in a time zone equals the day of Intl.DateTimeFormat at every third hour of a year', () => {
    for (const timeZone of [
      'Europe/Paris',
      'America/St_Johns',
      'Australia/Lord_Howe',
      'Africa/Casablanca',
      'Asia/Tehran',
    ]) {
      const getLocalDayNumber = getDayNumberConverter(timeZone)
      const dateFormat = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
      for (let timeMs = Date.UTC(2026, 0, 1); timeMs < Date.UTC(2027, 0, 1); timeMs += 3 * 3_600_000)
        if (formatDayNumber(getLocalDayNumber(timeMs)) !== dateFormat.format(timeMs))
          expect([timeZone, formatDayNumber(getLocalDayNumber(timeMs))]).toEqual([
            timeZone,
            dateFormat.format(timeMs),
          ])
    }
  })
})

describe('streaks', () => {
  it('findStreaks returns the current streak and the longest streak, which is the latest one if several are equally long', () => {
    const days = ['2026-11-01', '2026-11-02', '2026-11-10', '2026-11-21', '2026-11-22'].map(toDayNumber)
    expect(findStreaks(days, toDayNumber('2026-11-23'))).toEqual({
      longestStreak: { days: 2, from: '2026-11-21', until: '2026-11-22' },
      currentStreak: { days: 2, from: '2026-11-21', until: '2026-11-22' },
    })
    expect(findStreaks(days, toDayNumber('2026-11-24')).currentStreak).toBeNull()
    const leapYearDays = ['2024-02-28', '2024-02-29', '2024-03-01'].map(toDayNumber)
    expect(findStreaks(leapYearDays, toDayNumber('2024-03-01')).currentStreak?.days).toBe(3)
    expect(findStreaks([], 0)).toEqual({ longestStreak: null, currentStreak: null })
  })
})

it('the current streak of a year can begin in the previous year, and a year that has ended has no current streak', () => {
  const viewings = ['2026-12-30', '2026-12-31', '2027-01-01', '2027-01-02'].map((day) =>
    createViewing(`${day}T20:00:00Z`),
  )
  const findCurrentStreak = (year: number | undefined, today: string) =>
    computeForViewings(viewings, { year, todayNumber: toDayNumber(today) }).current_streak
  const expectedStreak = { days: 4, from: '2026-12-30', until: '2027-01-02' }
  expect(findCurrentStreak(2027, '2027-01-02')).toEqual(expectedStreak)
  expect(findCurrentStreak(undefined, '2027-01-03')).toEqual(expectedStreak)
  expect(findCurrentStreak(2026, '2027-01-02')).toBeNull()
  expect(findCurrentStreak(2027, '2027-01-04')).toBeNull()
})
