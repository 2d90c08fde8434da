/** Computes the statistics of viewings. Does no I/O. */
import type { StatisticsTitle, StatisticsViewing } from '../../queries/statistics.ts'
import { formatDayNumber, toDayNumber } from './local-day.ts'
import { findStreaks, type Streak } from './streaks.ts'
import { ViewingSums } from './sums.ts'

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
  getLocalDayNumber: (timeMs: number) => number
  /** The current day, as a result of `getLocalDayNumber`. */
  todayNumber: number
}

export function computeStatistics(input: StatisticsInput) {
  const titlesById = new Map(input.titles.map((title) => [title.title_id, title]))
  const { allDayNumbers, totals, daySums, titleSums } = sumViewings(input, titlesById)
  const dayNumbers = daySums.keys()
  const { longestStreak } = findStreaks(dayNumbers, input.todayNumber)
  const monthSums = new ViewingSums<number>()
  const weekdaySums = new ViewingSums<number>()
  for (const dayNumber of dayNumbers) {
    const { viewings: viewingCount, seconds: totalSeconds } = daySums.getSumInSeconds(dayNumber)
    monthSums.add(getMonthNumber(dayNumber), totalSeconds, viewingCount)
    weekdaySums.add(getWeekday(dayNumber), totalSeconds, viewingCount)
  }
  const years = new Set([...allDayNumbers].map((dayNumber) => Math.floor(getMonthNumber(dayNumber) / 12)))
  return {
    years: [...years].sort((a, b) => b - a),
    totals: { ...totals, days: dayNumbers.length },
    longest_streak: longestStreak,
    current_streak: findCurrentStreak(input, allDayNumbers),
    days:
      input.year === undefined
        ? []
        : daySums.listSortedByKey().map(([dayNumber, sum]) => ({ date: formatDayNumber(dayNumber), ...sum })),
    months: monthSums.listSortedByKey().map(([month, sum]) => ({ month: formatMonthNumber(month), ...sum })),
    weekdays: Array.from({ length: 7 }, (_, weekday) => weekdaySums.get(weekday)),
    titles: titleSums.listSortedByMinutes().map(([titleId, sum]) => ({ titleId, ...sum })),
    ...sumByProperty(titleSums, titlesById, input.genres),
  }
}

/**
 * Returns the current streak if its last day is in the period; otherwise null. Its first days can be in the year
 * before, so that a streak does not start again on 1 January.
 */
function findCurrentStreak(
  { year, todayNumber }: StatisticsInput,
  allDayNumbers: ReadonlySet<number>,
): Streak | null {
  const sortedDayNumbers = [...allDayNumbers].sort((a, b) => a - b)
  const { currentStreak } = findStreaks(sortedDayNumbers, todayNumber)
  const isInPeriod = createPeriodCheck(year)
  return currentStreak && isInPeriod(toDayNumber(Date.parse(currentStreak.until))) ? currentStreak : null
}

/**
 * Sums the viewings of the period. Viewings of the same movie or episode must follow each other, oldest
 * first.
 */
function sumViewings(
  { viewings, year, getLocalDayNumber }: StatisticsInput,
  titlesById: ReadonlyMap<number, StatisticsTitle>,
) {
  const allDayNumbers = new Set<number>()
  const daySums = new ViewingSums<number>()
  const titleSums = new ViewingSums<number>()
  const seriesIds = new Set<number>()
  const totals = createEmptyTotals()
  const isInPeriod = createPeriodCheck(year)
  let totalSeconds = 0
  let previousViewing: StatisticsViewing | undefined
  let previousCountedViewing: StatisticsViewing | undefined
  for (const viewing of viewings) {
    const title = titlesById.get(viewing.title_id)
    if (!title) continue
    const isRewatch = previousViewing !== undefined && isSameMovieOrEpisode(viewing, previousViewing)
    previousViewing = viewing
    const dayNumber = getViewingDayNumber(viewing, getLocalDayNumber)
    if (dayNumber !== null) allDayNumbers.add(dayNumber)
    if (!isInPeriod(dayNumber)) continue
    const isFirstOfPeriod =
      previousCountedViewing === undefined || !isSameMovieOrEpisode(viewing, previousCountedViewing)
    previousCountedViewing = viewing
    const runtimeSeconds = viewing.runtime ?? title.runtime ?? 0
    totals.viewings += 1
    totalSeconds += runtimeSeconds
    if (isRewatch) totals.rewatches += 1
    if (runtimeSeconds === 0) totals.without_runtime += 1
    if (dayNumber === null) totals.without_date += 1
    else daySums.add(dayNumber, runtimeSeconds)
    titleSums.add(viewing.title_id, runtimeSeconds)
    if (!isFirstOfPeriod) continue
    if (title.type !== 'movie') seriesIds.add(viewing.title_id)
    totals[title.type === 'movie' ? 'movies' : 'episodes'] += 1
  }
  const totalMinutes = Math.round(totalSeconds / 60)
  return {
    allDayNumbers,
    daySums,
    titleSums,
    totals: { ...totals, minutes: totalMinutes, series: seriesIds.size },
  }
}

/**
 * Returns a function that checks whether a day is in the year. If no year is given, the function returns true for
 * every day, and also for null (a viewing whose day is unknown).
 */
function createPeriodCheck(year: number | undefined): (dayNumber: number | null) => boolean {
  if (year === undefined) return () => true
  const [firstDayNumber, endDayNumber] = [
    toDayNumber(Date.UTC(year, 0, 1)),
    toDayNumber(Date.UTC(year + 1, 0, 1)),
  ]
  return (dayNumber) => dayNumber !== null && dayNumber >= firstDayNumber && dayNumber < endDayNumber
}

const createEmptyTotals = () => ({
  viewings: 0,
  movies: 0,
  episodes: 0,
  rewatches: 0,
  without_runtime: 0,
  without_date: 0,
})

const isSameMovieOrEpisode = (a: StatisticsViewing, b: StatisticsViewing) =>
  a.title_id === b.title_id &&
  a.season_number === b.season_number &&
  a.episode_number === b.episode_number &&
  a.name === b.name

/** Returns the day of a viewing; null when its time is not known. */
function getViewingDayNumber(
  { watched_at, by_day }: StatisticsViewing,
  getLocalDayNumber: StatisticsInput['getLocalDayNumber'],
): number | null {
  if (watched_at <= 0) return null
  // If only the day of a viewing is known, its stored time is noon of that day in UTC.
  return by_day === 1 ? toDayNumber(watched_at) : getLocalDayNumber(watched_at)
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
  titleSums: ViewingSums<number>,
  titlesById: ReadonlyMap<number, StatisticsTitle>,
  titleGenres: StatisticsInput['genres'],
) {
  const genresByTitleId = Map.groupBy(titleGenres, (titleGenre) => titleGenre.title_id)
  const genreSums = new ViewingSums<number>()
  const decadeSums = new ViewingSums<number>()
  const languageSums = new ViewingSums<string>()
  for (const titleId of titleSums.keys()) {
    const { viewings: viewingCount, seconds: viewingSeconds } = titleSums.getSumInSeconds(titleId)
    const { year = null, language = null } = titlesById.get(titleId) ?? {}
    for (const { genre_id } of genresByTitleId.get(titleId) ?? [])
      genreSums.add(genre_id, viewingSeconds, viewingCount)
    if (year !== null) decadeSums.add(Math.floor(year / 10) * 10, viewingSeconds, viewingCount)
    if (language !== null) languageSums.add(language, viewingSeconds, viewingCount)
  }
  return {
    genres: genreSums.listSortedByMinutes().map(([genreId, sum]) => ({ id: genreId, ...sum })),
    decades: decadeSums.listSortedByMinutes().map(([decade, sum]) => ({ decade, ...sum })),
    languages: languageSums.listSortedByMinutes().map(([code, sum]) => ({ code, ...sum })),
  }
}
