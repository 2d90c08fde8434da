/** Computes the statistics of viewings. Does no I/O. */
import type { StatisticsTitle, StatisticsViewing } from '../../queries/statistics.ts'
import { findStreaks } from './streaks.ts'
import { Sums } from './sums.ts'

export interface StatisticsInput {
  /** In the order of `selectStatisticsViewings`. Viewings of other titles than `titles` are left out. */
  viewings: readonly StatisticsViewing[]
  titles: readonly StatisticsTitle[]
  genres: readonly { title_id: number; genre_id: number }[]
  /** All time without a year. */
  year?: number | undefined
  /** Returns the day of a time for the viewer, `YYYY-MM-DD`. */
  getDay: (ms: number) => string
  /** `YYYY-MM-DD` */
  today: string
}

export function computeStatistics(input: StatisticsInput) {
  const titlesById = new Map(input.titles.map((title) => [title.title_id, title]))
  const { years, totals, days, titleSums } = sumViewings(input, titlesById)
  const { longest, current } = findStreaks(days.keys(), input.today)
  const months = new Sums<string>()
  const weekdays = new Sums<number>()
  for (const [day, viewings, seconds] of days.all()) {
    months.add(day.slice(0, 7), seconds, viewings)
    weekdays.add(getWeekday(day), seconds, viewings)
  }
  return {
    years: [...years].sort((a, b) => b - a),
    totals: { ...totals, days: days.keys().length },
    longest_streak: longest,
    current_streak: current,
    days: input.year === undefined ? [] : days.sorted().map(([date, sum]) => ({ date, ...sum })),
    months: months.sorted().map(([month, sum]) => ({ month, ...sum })),
    weekdays: Array.from({ length: 7 }, (_, weekday) => weekdays.get(weekday)),
    titles: titleSums.ranked().map(([titleId, sum]) => ({ titleId, ...sum })),
    ...sumByProperty(titleSums, titlesById, input.genres),
  }
}

/** Sums the viewings of the period. Equal movies and episodes follow each other, oldest viewing first. */
function sumViewings(
  { viewings, year, getDay }: StatisticsInput,
  titlesById: ReadonlyMap<number, StatisticsTitle>,
) {
  const years = new Set<number>()
  const days = new Sums<string>()
  const titleSums = new Sums<number>()
  const series = new Set<number>()
  const [totals, totalSeconds] = [createTotals(), { seconds: 0 }]
  let previous: StatisticsViewing | undefined
  let previousCounted: StatisticsViewing | undefined
  for (const viewing of viewings) {
    const title = titlesById.get(viewing.title_id)
    if (!title) continue
    const isRewatch = previous !== undefined && isSameItem(viewing, previous)
    previous = viewing
    const day = getViewingDay(viewing, getDay)
    const viewingYear = day === null ? null : Number(day.slice(0, 4))
    if (viewingYear !== null) years.add(viewingYear)
    if (year !== undefined && viewingYear !== year) continue
    const isFirstOfPeriod = previousCounted === undefined || !isSameItem(viewing, previousCounted)
    previousCounted = viewing
    const seconds = viewing.runtime ?? title.runtime ?? 0
    totals.viewings += 1
    totalSeconds.seconds += seconds
    if (isRewatch) totals.rewatches += 1
    if (seconds === 0) totals.without_runtime += 1
    if (day === null) totals.without_date += 1
    else days.add(day, seconds)
    titleSums.add(viewing.title_id, seconds)
    if (title.type !== 'movie') series.add(viewing.title_id)
    if (isFirstOfPeriod) totals[title.type === 'movie' ? 'movies' : 'episodes'] += 1
  }
  const minutes = Math.round(totalSeconds.seconds / 60)
  return { years, days, titleSums, totals: { ...totals, minutes, series: series.size } }
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

/** Returns null when the time is not known. */
function getViewingDay(
  { watched_at, by_day }: StatisticsViewing,
  getDay: StatisticsInput['getDay'],
): string | null {
  if (watched_at <= 0) return null
  // A viewing of which only the day is known is stored as the noon of that day in UTC.
  return by_day === 1 ? new Date(watched_at).toISOString().slice(0, 10) : getDay(watched_at)
}

/** Returns 0 for Monday to 6 for Sunday. */
const getWeekday = (day: string) => (new Date(day).getUTCDay() + 6) % 7

function sumByProperty(
  titleSums: Sums<number>,
  titlesById: ReadonlyMap<number, StatisticsTitle>,
  titleGenres: StatisticsInput['genres'],
) {
  const genresByTitle = Map.groupBy(titleGenres, (titleGenre) => titleGenre.title_id)
  const genres = new Sums<number>()
  const decades = new Sums<number>()
  const languages = new Sums<string>()
  for (const [titleId, viewings, seconds] of titleSums.all()) {
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
