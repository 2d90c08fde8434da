/** Computes the statistics of viewings. Does no I/O. */
import type { StatisticsTitle, StatisticsViewing } from '../../queries/statistics.ts'
import { formatDayNumber, toDayNumber } from './local-day.ts'
import { findStreaks } from './streaks.ts'
import { Sums } from './sums.ts'

export interface StatisticsInput {
  /**
   * Viewings in the order of `selectStatisticsViewings`. Viewings of titles that are not in `titles` are
   * ignored.
   */
  viewings: readonly StatisticsViewing[]
  titles: readonly StatisticsTitle[]
  genres: readonly { title_id: number; genre_id: number }[]
  /** The year of the statistics; undefined for all time. */
  year?: number | undefined
  /** Returns the day of a time in the time zone of the viewer, as the number of days since 1970. */
  getDay: (ms: number) => number
  /** The current day, as a result of `getDay`. */
  today: number
}

export function computeStatistics(input: StatisticsInput) {
  const titlesById = new Map(input.titles.map((title) => [title.title_id, title]))
  const { allDays, totals, daySums, titleSums } = sumViewings(input, titlesById)
  const days = daySums.keys()
  const { longest, current } = findStreaks(days, input.today)
  const months = new Sums<number>()
  const weekdays = new Sums<number>()
  for (const day of days) {
    const { viewings, seconds } = daySums.getExact(day)
    months.add(getMonthNumber(day), seconds, viewings)
    weekdays.add(getWeekday(day), seconds, viewings)
  }
  const years = new Set([...allDays].map((day) => Math.floor(getMonthNumber(day) / 12)))
  return {
    years: [...years].sort((a, b) => b - a),
    totals: { ...totals, days: days.length },
    longest_streak: longest,
    current_streak: current,
    days:
      input.year === undefined
        ? []
        : daySums.sorted().map(([dayNumber, sum]) => ({ date: formatDayNumber(dayNumber), ...sum })),
    months: months.sorted().map(([month, sum]) => ({ month: formatMonthNumber(month), ...sum })),
    weekdays: Array.from({ length: 7 }, (_, weekday) => weekdays.get(weekday)),
    titles: titleSums.ranked().map(([titleId, sum]) => ({ titleId, ...sum })),
    ...sumByProperty(titleSums, titlesById, input.genres),
  }
}

/**
 * Sums the viewings of the period. Viewings of the same movie or episode must follow each other, oldest
 * first.
 */
function sumViewings(
  { viewings, year, getDay }: StatisticsInput,
  titlesById: ReadonlyMap<number, StatisticsTitle>,
) {
  const allDays = new Set<number>()
  const daySums = new Sums<number>()
  const titleSums = new Sums<number>()
  const series = new Set<number>()
  const totals = createTotals()
  const isInPeriod = createPeriodCheck(year)
  let totalSeconds = 0
  let previousViewing: StatisticsViewing | undefined
  let previousCounted: StatisticsViewing | undefined
  for (const viewing of viewings) {
    const title = titlesById.get(viewing.title_id)
    if (!title) continue
    const isRewatch = previousViewing !== undefined && isSameItem(viewing, previousViewing)
    previousViewing = viewing
    const day = getViewingDay(viewing, getDay)
    if (day !== null) allDays.add(day)
    if (!isInPeriod(day)) continue
    const isFirstOfPeriod = previousCounted === undefined || !isSameItem(viewing, previousCounted)
    previousCounted = viewing
    const seconds = viewing.runtime ?? title.runtime ?? 0
    totals.viewings += 1
    totalSeconds += seconds
    if (isRewatch) totals.rewatches += 1
    if (seconds === 0) totals.without_runtime += 1
    if (day === null) totals.without_date += 1
    else daySums.add(day, seconds)
    titleSums.add(viewing.title_id, seconds)
    if (!isFirstOfPeriod) continue
    if (title.type !== 'movie') series.add(viewing.title_id)
    totals[title.type === 'movie' ? 'movies' : 'episodes'] += 1
  }
  const minutes = Math.round(totalSeconds / 60)
  return { allDays, daySums, titleSums, totals: { ...totals, minutes, series: series.size } }
}

/**
 * Returns a function that checks whether a day is in the year. Without a year, every viewing is in the
 * period, even without a day.
 */
function createPeriodCheck(year: number | undefined): (day: number | null) => boolean {
  if (year === undefined) return () => true
  const [firstDay, endDay] = [toDayNumber(Date.UTC(year, 0, 1)), toDayNumber(Date.UTC(year + 1, 0, 1))]
  return (day) => day !== null && day >= firstDay && day < endDay
}

const createTotals = () => ({
  viewings: 0,
  movies: 0,
  episodes: 0,
  rewatches: 0,
  without_runtime: 0,
  without_date: 0,
})

const isSameItem = (a: StatisticsViewing, b: StatisticsViewing) =>
  a.title_id === b.title_id &&
  a.season_number === b.season_number &&
  a.episode_number === b.episode_number &&
  a.name === b.name

/** Returns the day of a viewing; null when its time is not known. */
function getViewingDay(
  { watched_at, by_day }: StatisticsViewing,
  getDay: StatisticsInput['getDay'],
): number | null {
  if (watched_at <= 0) return null
  // If only the day of a viewing is known, its stored time is noon of that day in UTC.
  return by_day === 1 ? toDayNumber(watched_at) : getDay(watched_at)
}

/** Returns the number of months since January of the year 0. */
function getMonthNumber(dayNumber: number): number {
  const date = new Date(dayNumber * 86_400_000)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}
const formatMonthNumber = (month: number) =>
  `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`

/**
 * Returns the day of the week, from 0 for Monday to 6 for Sunday. Adds 3, because 1970-01-01 was a Thursday.
 */
const getWeekday = (dayNumber: number) => (((dayNumber + 3) % 7) + 7) % 7

function sumByProperty(
  titleSums: Sums<number>,
  titlesById: ReadonlyMap<number, StatisticsTitle>,
  titleGenres: StatisticsInput['genres'],
) {
  const genresByTitle = Map.groupBy(titleGenres, (titleGenre) => titleGenre.title_id)
  const genres = new Sums<number>()
  const decades = new Sums<number>()
  const languages = new Sums<string>()
  for (const titleId of titleSums.keys()) {
    const { viewings, seconds } = titleSums.getExact(titleId)
    const { year = null, language = null } = titlesById.get(titleId) ?? {}
    for (const { genre_id } of genresByTitle.get(titleId) ?? []) genres.add(genre_id, seconds, viewings)
    if (year !== null) decades.add(Math.floor(year / 10) * 10, seconds, viewings)
    if (language !== null) languages.add(language, seconds, viewings)
  }
  return {
    genres: genres.ranked().map(([id, sum]) => ({ id, ...sum })),
    decades: decades.ranked().map(([decade, sum]) => ({ decade, ...sum })),
    languages: languages.ranked().map(([code, sum]) => ({ code, ...sum })),
  }
}
