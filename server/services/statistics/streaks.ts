/** Finds streaks, which are sequences of consecutive days with a viewing. */
import { formatDayNumber } from './local-day.ts'

export interface Streak {
  days: number
  /** First and last day, `YYYY-MM-DD`. */
  from: string
  until: string
}
interface DayRange {
  firstDayNumber: number
  lastDayNumber: number
}

/**
 * Returns the longest streak, and the current streak, which ends today or yesterday; null for a streak that does not
 * exist. Of several longest streaks, returns the latest. The parameters are days since 1970.
 */
export function findStreaks(
  sortedDayNumbers: readonly number[],
  todayNumber: number,
): { longestStreak: Streak | null; currentStreak: Streak | null } {
  let longestRange: DayRange | null = null
  let currentRange: DayRange | null = null
  for (const dayNumber of sortedDayNumbers) {
    currentRange =
      currentRange && dayNumber === currentRange.lastDayNumber + 1
        ? { firstDayNumber: currentRange.firstDayNumber, lastDayNumber: dayNumber }
        : { firstDayNumber: dayNumber, lastDayNumber: dayNumber }
    if (!longestRange || countDays(currentRange) >= countDays(longestRange)) longestRange = currentRange
  }
  const isCurrentStreak =
    currentRange !== null &&
    (currentRange.lastDayNumber === todayNumber || currentRange.lastDayNumber === todayNumber - 1)
  return {
    longestStreak: longestRange && toStreak(longestRange),
    currentStreak: currentRange && isCurrentStreak ? toStreak(currentRange) : null,
  }
}

const countDays = ({ firstDayNumber, lastDayNumber }: DayRange) => lastDayNumber - firstDayNumber + 1

const toStreak = (range: DayRange): Streak => ({
  days: countDays(range),
  from: formatDayNumber(range.firstDayNumber),
  until: formatDayNumber(range.lastDayNumber),
})
