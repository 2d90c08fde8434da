/** Computes the statistics of viewings. Does no I/O. */
import type { StatisticsTitle, StatisticsViewing } from '../../queries/statistics.ts'
import { findStreaks } from './streaks.ts'
import { Sums } from './sums.ts'

export interface StatisticsInput {
  /** Oldest first. Viewings of other titles than `titles` are left out. */
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

interface CountedViewing {
  title: StatisticsTitle
  /** Identifies the movie or episode. */
  key: string
  /** Null when the time is not known. */
  day: string | null
  /** Runtime; null when it is not known. */
  seconds: number | null
  isRewatch: boolean
}

export function computeStatistics(input: StatisticsInput) {
  const allViewings = listCountedViewings(input)
  const years = new Set(allViewings.flatMap(({ day }) => (day === null ? [] : [Number(day.slice(0, 4))])))
  const yearPrefix = input.year === undefined ? null : `${input.year}-`
  const viewings =
    yearPrefix === null ? allViewings : allViewings.filter(({ day }) => day?.startsWith(yearPrefix))
  const dates = sumByDate(viewings)
  const { longest, current } = findStreaks(dates.days.keys(), input.today)
  return {
    years: [...years].sort((a, b) => b - a),
    totals: { ...countTotals(viewings), days: dates.days.keys().length },
    longest_streak: longest,
    current_streak: current,
    days: yearPrefix === null ? [] : dates.days.entries().map(([date, sum]) => ({ date, ...sum })),
    months: dates.months.entries().map(([month, sum]) => ({ month, ...sum })),
    weekdays: Array.from({ length: 7 }, (_, weekday) => dates.weekdays.get(weekday)),
    ...sumByProperty(viewings, input.genres),
  }
}

function listCountedViewings({ viewings, titles, getDay }: StatisticsInput): CountedViewing[] {
  const titlesById = new Map(titles.map((title) => [title.title_id, title]))
  const seenKeys = new Set<string>()
  return viewings.flatMap((viewing) => {
    const title = titlesById.get(viewing.title_id)
    if (!title) return []
    const key = `${viewing.title_id} ${viewing.season_number} ${viewing.episode_number} ${viewing.name}`
    const isRewatch = seenKeys.has(key)
    seenKeys.add(key)
    // A viewing of which only the day is known is stored as the noon of that day in UTC.
    const getViewingDay =
      viewing.by_day === 1 ? (ms: number) => new Date(ms).toISOString().slice(0, 10) : getDay
    const day = viewing.watched_at > 0 ? getViewingDay(viewing.watched_at) : null
    return [{ title, key, day, seconds: viewing.runtime ?? title.runtime, isRewatch }]
  })
}

function countTotals(viewings: readonly CountedViewing[]) {
  const movies = viewings.filter(({ title }) => title.type === 'movie')
  const episodes = viewings.filter(({ title }) => title.type !== 'movie')
  const seconds = viewings.reduce((sum, viewing) => sum + (viewing.seconds ?? 0), 0)
  return {
    viewings: viewings.length,
    minutes: Math.round(seconds / 60),
    movies: new Set(movies.map(({ key }) => key)).size,
    series: new Set(episodes.map(({ title }) => title.title_id)).size,
    episodes: new Set(episodes.map(({ key }) => key)).size,
    rewatches: viewings.filter(({ isRewatch }) => isRewatch).length,
    without_runtime: viewings.filter((viewing) => !viewing.seconds).length,
    without_date: viewings.filter(({ day }) => day === null).length,
  }
}

function sumByDate(viewings: readonly CountedViewing[]) {
  const days = new Sums<string>()
  for (const { day, seconds } of viewings) if (day !== null) days.add(day, seconds)
  const months = new Sums<string>()
  const weekdays = new Sums<number>()
  for (const { day, seconds } of viewings) {
    if (day === null) continue
    months.add(day.slice(0, 7), seconds)
    weekdays.add(getWeekday(day), seconds)
  }
  return { days, months, weekdays }
}

/** Returns 0 for Monday to 6 for Sunday. */
const getWeekday = (day: string) => (Math.floor(Date.parse(day) / 86_400_000) + 3) % 7

function sumByProperty(viewings: readonly CountedViewing[], titleGenres: StatisticsInput['genres']) {
  const genresByTitle = Map.groupBy(titleGenres, (titleGenre) => titleGenre.title_id)
  const genres = new Sums<number>()
  const decades = new Sums<number>()
  const languages = new Sums<string>()
  const titles = new Sums<number>()
  for (const { title, seconds } of viewings) {
    titles.add(title.title_id, seconds)
    for (const { genre_id } of genresByTitle.get(title.title_id) ?? []) genres.add(genre_id, seconds)
    if (title.year !== null) decades.add(Math.floor(title.year / 10) * 10, seconds)
    if (title.language !== null) languages.add(title.language, seconds)
  }
  return {
    genres: genres.ranked().map(([id, sum]) => ({ id, ...sum })),
    decades: decades.ranked().map(([decade, sum]) => ({ decade, ...sum })),
    languages: languages.ranked().map(([code, sum]) => ({ code, ...sum })),
    titles: titles.ranked().map(([titleId, sum]) => ({ titleId, ...sum })),
  }
}
