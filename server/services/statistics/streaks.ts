/** Finds streaks, which are sequences of consecutive days with a viewing. */
import { formatDayNumber } from './local-day.ts'

export interface Streak {
  days: number
  /** First and last day, `YYYY-MM-DD`. */
  from: string
  until: string
}
interface DayRange {
  from: number
  until: number
}

/**
 * Returns the longest streak, and the current streak, which ends today or yesterday. Of several longest
 * streaks, returns the latest. Days are numbers of days since 1970.
 */
export function findStreaks(
  sortedDays: readonly number[],
  today: number,
): { longest: Streak | null; current: Streak | null } {
  let longest: DayRange | null = null
  let range: DayRange | null = null
  for (const day of sortedDays) {
    range = range && day === range.until + 1 ? { from: range.from, until: day } : { from: day, until: day }
    if (!longest || countDays(range) >= countDays(longest)) longest = range
  }
  const isCurrent = range !== null && (range.until === today || range.until === today - 1)
  return { longest: longest && toStreak(longest), current: range && isCurrent ? toStreak(range) : null }
}

const countDays = ({ from, until }: DayRange) => until - from + 1

const toStreak = (range: DayRange): Streak => ({
  days: countDays(range),
  from: formatDayNumber(range.from),
  until: formatDayNumber(range.until),
})
